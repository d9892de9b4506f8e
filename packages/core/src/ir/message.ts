import type { Node } from './extras.ts'
import { PART_SHAPE, type Part } from './part.ts'
import type { ShapeOf } from './shape.ts'

/**
 * One turn. Instructions are messages too, in place. Tool results are parts of the user turn that answers the calls, and lead
 * in it; there is no role of their own.
 */
export interface Message extends Node {
  readonly role: Role
  readonly parts: readonly Part[]
  readonly name?: string
}

/** Who speaks in a turn. */
export type Role = 'system' | 'developer' | 'user' | 'assistant'

/** By which quirks name the members of a message. */
export const MESSAGE_SHAPE: ShapeOf<Message> = { role: 'value', parts: [PART_SHAPE], name: 'value', extras: 'json' }
