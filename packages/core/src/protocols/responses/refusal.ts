import type { Finish } from '../../ir/response.ts'
import type { Part, Refusal, Text } from '../../ir/part.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import type { Encoding } from '../context.ts'
import { NAME } from './schema.ts'

/**
 * The refusal to add to a response that has none but ends as one. Responses has no such end: only a refusal among its parts says so. A
 * client that shows only texts gets its words as one.
 */
export function missingRefusal(finish: Finish | undefined, context: Encoding): Refusal | Text | undefined {
  if (finish?.reason !== 'refusal') return undefined
  return { type: showsRefusals(context) ? 'refusal' : 'text', text: finish.message || WORDLESS }
}

const WORDLESS = 'The model refused to answer.'
export const NO_SUCH_END = `${NAME} answers end as a refusal if they contain one`

/** Whether a response with this part ends as a refusal, or with calls. */
export function decidesEnd(part: Part): boolean {
  return part.type === 'refusal' ? part.text !== '' : part.type === 'tool-call' && part.by === 'client'
}

/** Codex drops a message with a refusal, without a word. It names itself in each of its requests. */
export function readsOnlyTexts({ client_metadata }: JsonObject): boolean {
  return isObject(client_metadata) && Object.keys(client_metadata).some((name) => name.startsWith('x-codex-'))
}

/** Whether refusals are written as such, in every view of the response. */
export function showsRefusals({ asked }: Encoding): boolean {
  return asked?.textOnly !== true
}
