import { isObject, parseJson, type JsonObject } from '../lib/json.ts'
import { TEXT_MEMBER } from './custom-tool.ts'
import type { Losses } from './loss.ts'
import type { ToolCall } from './part.ts'

/** The object in a text of arguments, or an object that contains the text if it is not a JSON object. */
export function readArguments(text: string): { readonly value: JsonObject; readonly kept: boolean } {
  const value = text.trim() === '' ? {} : parseJson(text)
  return isObject(value) ? { value, kept: false } : { value: { text }, kept: true }
}

/** Arguments as an object. Other text is kept inside an object. */
export function objectArguments(part: ToolCall, target: string, losses: Losses): JsonObject {
  if (typeof part.arguments !== 'string') return part.arguments
  const read = part.custom ? { value: { [TEXT_MEMBER]: part.arguments }, kept: true } : readArguments(part.arguments)
  if (read.kept) reportKept(read.value, target, losses)
  return read.value
}

/** Reports arguments that are not an object, and the object that contains them now. */
export function reportKept(kept: JsonObject, target: string, losses: Losses): void {
  losses.changed(['arguments'], kept, `${target} takes JSON objects as arguments`)
}
