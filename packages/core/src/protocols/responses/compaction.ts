import { DragomanError } from '../../ir/error.ts'
import type { Loss, Losses } from '../../ir/loss.ts'
import type { Part } from '../../ir/part.ts'
import type { ModelRequest } from '../../ir/request.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import { NAME } from './schema.ts'

const TRIGGER = 'compaction_trigger'

/**
 * Refuses a request for a compaction if the target has none. Codex sends one if its provider is OpenAI, and ends the thread if the answer
 * is a message; with a provider of its own it asks for a summary instead.
 */
export function refuseCompaction(request: ModelRequest, losses: Losses, body: JsonObject): void {
  if (!request.messages.some(({ parts }) => parts.some(isTrigger))) return
  if (!losses.entries().some((loss) => losesTrigger(request, loss))) return
  const { input } = body
  const index = Array.isArray(input) ? input.findIndex((item) => isObject(item) && item['type'] === TRIGGER) : 0
  const param = `input[${index}]`
  throw new DragomanError('unsupported', `${param}: ${ADVICE}`, { param })
}

const ADVICE =
  'This model cannot compact a conversation. Ask for a summary in a message instead. Codex does so if this gateway is one of its model_providers, and not its openai_base_url.'

/** The item is lost alone, or with a turn that has nothing else. */
function losesTrigger({ messages }: ModelRequest, { kind, path }: Loss): boolean {
  const [node, message, list, part] = path
  if (kind !== 'dropped' || node !== 'messages') return false
  const parts = messages[Number(message)]?.parts ?? []
  if (path.length === 2) return parts.some(isTrigger)
  const lost = list === 'parts' && path.length === 4 ? parts[Number(part)] : undefined
  return lost !== undefined && isTrigger(lost)
}

function isTrigger(part: Part): boolean {
  return part.type === 'opaque' && part.protocol === NAME && part.value['type'] === TRIGGER
}
