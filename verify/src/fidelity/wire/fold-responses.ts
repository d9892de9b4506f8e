import { listOf, objectOf, textOf, type JsonObject, type JsonValue } from '../json.ts'

type Draft = { [member: string]: JsonValue }

/** The last response; without an end, the items as far as they have come. */
export function foldResponses(events: readonly JsonObject[]): JsonObject {
  const items: Draft[] = []
  let body: JsonObject = {}
  for (const event of events) {
    const index = Number(event['output_index'] ?? 0)
    const item = items[index]
    const type = textOf(event['type'])
    if (event['response'] !== undefined) body = { ...body, ...objectOf(event['response']) }
    else if (/^response\.output_item\.(added|done)$/.test(type)) items[index] = { ...objectOf(event['item']) }
    else if (type.endsWith('.delta') && item !== undefined) grow(item, type, event)
  }
  const output = listOf(body['output'])
  return { ...body, output: output.length > 0 ? output : items.filter((item) => item !== undefined) }
}

const LIST_OF: { readonly [type: string]: readonly [list: string, kind: string, member: string] } = {
  'response.output_text.delta': ['content', 'output_text', 'text'],
  'response.refusal.delta': ['content', 'refusal', 'refusal'],
  'response.reasoning_text.delta': ['content', 'reasoning_text', 'text'],
  'response.reasoning_summary_text.delta': ['summary', 'summary_text', 'text'],
}

function grow(item: Draft, type: string, event: JsonObject): void {
  const delta = textOf(event['delta'])
  const found = LIST_OF[type]
  if (found === undefined) {
    const member = type === 'response.custom_tool_call_input.delta' ? 'input' : 'arguments'
    item[member] = textOf(item[member]) + delta
    return
  }
  const [list, kind, member] = found
  const parts = [...listOf(item[list])]
  const index = Number(event['content_index'] ?? event['summary_index'] ?? 0)
  const part = objectOf(parts[index])
  parts[index] = { type: kind, ...part, [member]: textOf(part[member]) + delta }
  item[list] = parts
}
