import type { Part } from '../../ir/part.ts'
import type { DecodeContext } from '../context.ts'
import { decodeCall } from './calls.ts'
import type { Item } from './schema.ts'

/** A call whose arguments are still to come; undefined for an item that is no call. */
export function startCall(item: Item, context: DecodeContext): Part | undefined {
  if (item.type !== 'function_call' && item.type !== 'custom_tool_call') return undefined
  const { extras: _late, ...call } = decodeCall(item, context)
  return { ...call, arguments: '' }
}
