import { isObject, listOf, parseJson, type Json } from '../../lib/json.ts'
import type { AnswerItem, ReferenceCodec } from '../protocol.ts'

/** The Vercel AI SDK assumes that answers are stored, and sends references to their items by default. */
export const references: ReferenceCodec = {
  allows: (body) => body['store'] !== false,
  find: (body) => itemsOf(body['input']).flatMap((item) => referenceOf(item) ?? []),
  fill: (body, texts) => ({
    input: itemsOf(body['input']).map((item) => parseJson(texts.get(referenceOf(item) ?? '') ?? '') ?? item),
  }),
  items: (answer) => itemsOf(answer['output']).flatMap((item) => answerItem(item) ?? []),
  streamed(data) {
    const event = data.includes(DONE) ? parseJson(data) : undefined
    return isObject(event) && event['type'] === DONE ? answerItem(event['item']) : undefined
  },
  marker: 'response.output_item.done',
}

const DONE = references.marker

function itemsOf(items: Json | undefined): readonly Json[] {
  return Array.isArray(items) ? listOf(items as readonly Json[]) : []
}

function referenceOf(item: Json): string | undefined {
  return isObject(item) && item['type'] === 'item_reference' && typeof item['id'] === 'string' ? item['id'] : undefined
}

function answerItem(item: Json | undefined): AnswerItem | undefined {
  return isObject(item) && typeof item['id'] === 'string' ? { id: item['id'], text: JSON.stringify(item) } : undefined
}
