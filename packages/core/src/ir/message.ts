import type { Node } from './extras.ts'
import { PART_SHAPE, type Part } from './part.ts'
import type { ShapeOf } from './shape.ts'

/**
 * One turn. Instructions are messages too, at their position. Tool results are the first parts of the user turn that answers the calls;
 * they have no role of their own.
 */
export interface Message extends Node {
  readonly role: Role
  readonly parts: readonly Part[]
  readonly name?: string
}

/** The role of a turn. */
export type Role = 'system' | 'developer' | 'user' | 'assistant'

/** The role of a turn whose role its protocol does not know: the model's if the word says so or the turn calls, or else the user's. */
export function guessRole(word: string, calls: boolean): 'assistant' | 'user' {
  return calls || word === 'assistant' || word === 'model' ? 'assistant' : 'user'
}

/** The paths of a message that quirks can name. */
export const MESSAGE_SHAPE: ShapeOf<Message> = { role: 'value', parts: [PART_SHAPE], name: 'value', extras: 'json' }
