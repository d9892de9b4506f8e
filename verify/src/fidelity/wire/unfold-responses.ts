import { listOf, objectOf, textOf, type JsonObject } from '../json.ts'
import { frames } from './frames.ts'
import { pieces } from './pieces.ts'

type Event = readonly [type: string, members: JsonObject]

/** The stream of a Responses upstream for a whole response. Real ones pad their deltas. */
export function unfoldResponses(answer: JsonObject): string {
  const begun = { ...answer, status: 'in_progress', incomplete_details: null, output: [], usage: null }
  const events: Event[] = [
    ['created', { response: begun }],
    ['in_progress', { response: begun }],
    ...listOf(answer['output']).flatMap((item, index) => itemEvents(objectOf(item), index)),
    [answer['status'] === 'incomplete' ? 'incomplete' : 'completed', { response: answer }],
  ]
  return frames(
    ...events.map(([name, members], sequence_number) => {
      const padding = name.endsWith('.delta') ? { obfuscation: 'x'.repeat(1 + (sequence_number % 7)) } : {}
      return { type: `response.${name}`, sequence_number, ...members, ...padding }
    }),
  )
}

function itemEvents(item: JsonObject, output_index: number): Event[] {
  const position = { item_id: item['id'], output_index }
  return [
    ['output_item.added', { output_index, item: shellOf(item) }],
    ...contentEvents(item, position),
    ['output_item.done', { output_index, item }],
  ]
}

/** An item before its content has come. */
function shellOf(item: JsonObject): JsonObject {
  const started = item['status'] === undefined ? item : { ...item, status: 'in_progress' }
  switch (item['type']) {
    case 'message':
      return { ...started, content: [] }
    case 'reasoning':
      return { ...started, summary: [] }
    case 'function_call':
      return { ...started, arguments: '' }
    case 'custom_tool_call':
      return { ...started, input: '' }
    default:
      return started
  }
}

function contentEvents(item: JsonObject, position: JsonObject): Event[] {
  switch (item['type']) {
    case 'message':
      return listOf(item['content']).flatMap((part, index) =>
        partEvents(objectOf(part), { ...position, content_index: index }),
      )
    case 'reasoning':
      return listOf(item['summary']).flatMap((part, summary_index): Event[] => {
        const at = { ...position, summary_index }
        const { text } = objectOf(part)
        return [
          ['reasoning_summary_part.added', { ...at, part: { type: 'summary_text', text: '' } }],
          ...textEvents('reasoning_summary_text', at, 'text', textOf(text)),
          ['reasoning_summary_part.done', { ...at, part }],
        ]
      })
    case 'function_call':
      return textEvents('function_call_arguments', position, 'arguments', textOf(item['arguments']))
    case 'custom_tool_call':
      return textEvents('custom_tool_call_input', position, 'input', textOf(item['input']))
    default:
      return []
  }
}

function partEvents(part: JsonObject, at: JsonObject): Event[] {
  const [kind, member] =
    part['type'] === 'refusal' ? (['refusal', 'refusal'] as const) : (['output_text', 'text'] as const)
  const empty = { ...part, [member]: '', ...(kind === 'output_text' ? { annotations: [], logprobs: [] } : {}) }
  return [
    ['content_part.added', { ...at, part: empty }],
    ...textEvents(kind, at, member, textOf(part[member])),
    ...listOf(part['annotations']).map((annotation, annotation_index): Event => [
      'output_text.annotation.added',
      { ...at, annotation_index, annotation },
    ]),
    ['content_part.done', { ...at, part }],
  ]
}

function textEvents(kind: string, at: JsonObject, member: string, text: string): Event[] {
  return [
    ...pieces(text).map((delta): Event => [`${kind}.delta`, { ...at, delta }]),
    [`${kind}.done`, { ...at, [member]: text }],
  ]
}
