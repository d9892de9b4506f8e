import type { Finish } from '../../ir/finish.ts'
import type { Part, Refusal } from '../../ir/part.ts'
import { NAME, type Item, type WirePart } from './schema.ts'

/** The refusal to add to a response that has none but ends as one. Responses has no such end: only a refusal among its parts says so. */
export function missingRefusal(finish: Finish | undefined): Refusal | undefined {
  if (finish?.reason !== 'refusal') return undefined
  return { type: 'refusal', text: finish.message || WORDLESS }
}

const WORDLESS = 'The model refused to answer.'
export const NO_SUCH_END = `${NAME} answers end as a refusal if they contain one`

/** Whether a response with this part ends as a refusal, or with calls. */
export function decidesEnd(part: Part): boolean {
  return part.type === 'refusal' ? part.text !== '' : part.type === 'tool-call' && part.by === 'client'
}

/** An item as it is announced as done: codex reads nothing else, and drops a message with a refusal. So it gets the words as a text. */
export function withWords(item: Item): Item {
  if (!('content' in item) || !Array.isArray(item.content)) return item
  const content = item.content as readonly WirePart[] // of a message, or of reasoning
  if (!content.some(({ type }) => type === 'refusal')) return item
  return { ...item, content: content.map(asText) } as Item // of its kind
}

function asText(part: WirePart): WirePart {
  if (part.type !== 'refusal') return part
  const { refusal: text, ...rest } = part
  return { ...rest, type: 'output_text', text, annotations: [], logprobs: [] }
}
