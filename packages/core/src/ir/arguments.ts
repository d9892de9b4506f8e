import { isObject, parseJson, type JsonObject } from '../lib/json.ts'
import type { Losses } from './loss.ts'
import type { ToolCall } from './part.ts'

/** Arguments as an object. What is not one is kept as text inside one. The losses stand at the part. */
export function objectArguments(part: ToolCall, target: string, losses: Losses): JsonObject {
  if (typeof part.arguments !== 'string') return part.arguments
  const parsed = part.custom ? undefined : part.arguments.trim() === '' ? {} : parseJson(part.arguments)
  if (isObject(parsed)) return parsed
  const kept = { [part.custom ? 'input' : 'text']: part.arguments }
  losses.changed(['arguments'], kept, `${target} takes JSON objects as arguments`)
  return kept
}
