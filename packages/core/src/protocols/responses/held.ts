import type { Losses } from '../../ir/loss.ts'
import type { Code, Part, ToolCall, ToolResult } from '../../ir/part.ts'
import type { Encoding } from '../context.ts'
import { encodeSearch, isSearch } from './calls.ts'
import { answersCode, encodeCode, isRun } from './code.ts'
import { itemId } from './open-item.ts'
import type { Item } from './schema.ts'

/** What the upstream does itself is one item with its results, which are the next parts: the first part waits for them. */
export interface Held {
  readonly part: ToolCall | Code
  readonly losses: Losses
  readonly results: { readonly part: Part; readonly losses: Losses }[]
}

export function isHeld(part: Part, context: Encoding): part is ToolCall | Code {
  return isSearch(part, context) || isRun(part, context)
}

/** Whether a part is a result of the part that waits. */
export function answers({ part: held, results }: Held, part: Part): boolean {
  if (held.type === 'code') return answersCode(held, part)
  return results.length === 0 && part.type === 'tool-result' && part.by === 'server' && part.callId === held.id
}

export function encodeHeld({ part, losses, results }: Held, context: Encoding): Item {
  if (part.type === 'code')
    return encodeCode(part, itemId(part, 'ci', undefined, losses, context), results, losses, context)
  const [found] = results
  return encodeSearch(part, found?.part as ToolResult | undefined, losses, found?.losses ?? losses, context) // asked before
}
