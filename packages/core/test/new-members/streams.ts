import type { JsonObject } from '../../src/lib/json.ts'

/** A stream of an upstream that answers this, in events as its vendor's documentation has them. */
export function streamOf(protocol: string, answer: JsonObject): string {
  const events =
    protocol === 'messages' ? messagesEvents(answer) : protocol === 'responses' ? responsesEvents(answer) : [answer]
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
}

function messagesEvents(answer: JsonObject): JsonObject[] {
  const { content, stop_reason, stop_sequence, usage, ...head } = answer
  const events: JsonObject[] = [{ type: 'message_start', message: { ...head, content: [], usage } } as JsonObject]
  for (const [index, block] of (content as JsonObject[]).entries()) {
    const [shell, ...deltas] = piecesOf(block)
    events.push({ type: 'content_block_start', index, content_block: shell } as JsonObject)
    for (const delta of deltas) events.push({ type: 'content_block_delta', index, delta })
    events.push({ type: 'content_block_stop', index })
  }
  const delta = { stop_reason, stop_sequence }
  return [...events, { type: 'message_delta', delta, usage } as JsonObject, { type: 'message_stop' }]
}

/** A block at its start, and its deltas. */
function piecesOf(block: JsonObject): JsonObject[] {
  const { type, text, input, content, encrypted_content } = block
  if (typeof text === 'string')
    return [
      { ...block, text: '' },
      { type: 'text_delta', text },
    ]
  if (input !== undefined) {
    const json = JSON.stringify(input)
    const pieces = [json.slice(0, 3), json.slice(3)]
    return [{ ...block, input: {} }, ...pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }))]
  }
  if (type !== 'compaction') return [block]
  return [
    { ...block, content: null, encrypted_content: null },
    { type: 'compaction_delta', content, encrypted_content } as JsonObject,
  ]
}

function responsesEvents(answer: JsonObject): JsonObject[] {
  const [item] = answer['output'] as [JsonObject]
  const at = { item_id: item['id'], output_index: 0, content_index: 0 }
  const part = { type: 'output_text', text: '', annotations: [] }
  const events = [
    { type: 'response.created', response: { ...answer, status: 'in_progress', output: [], usage: null } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
    { type: 'response.content_part.added', ...at, part },
    { type: 'response.output_text.delta', ...at, delta: 'Hello' },
    { type: 'response.output_text.done', ...at, text: 'Hello' },
    { type: 'response.content_part.done', ...at, part: { ...part, text: 'Hello' } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: answer },
  ]
  return events.map((event, sequence_number) => ({ ...event, sequence_number }) as JsonObject)
}

/** The answer that a client makes of a stream, as the official SDKs do. */
export function gather(protocol: string, text: string): JsonObject {
  const data = text.split('\n').filter((line) => line.startsWith('data: {'))
  const events = data.map((line) => JSON.parse(line.slice('data: '.length)) as JsonObject)
  if (protocol === 'messages') return gatherMessages(events)
  if (protocol === 'responses') return (events.at(-1)?.['response'] ?? {}) as JsonObject
  if (protocol === 'chat') return Object.assign({}, ...events) as JsonObject
  const parts = events.flatMap(
    ({ candidates }) => (candidates as { content: { parts: JsonObject[] } }[] | undefined)?.[0]?.content.parts ?? [],
  )
  return { ...events.at(-1), candidates: [{ content: { parts: parts.filter(({ text: words }) => words !== '') } }] }
}

function gatherMessages(events: readonly JsonObject[]): JsonObject {
  let message: JsonObject = {}
  const content: JsonObject[] = []
  let json = ''
  for (const event of events) {
    const { message: head, content_block, delta, usage } = event as { [member: string]: JsonObject }
    if (event['type'] === 'message_start') message = { ...head }
    if (event['type'] === 'content_block_start') {
      content.push({ ...content_block })
      json = ''
    }
    if (event['type'] === 'content_block_delta') {
      const { type, partial_json, ...members } = { ...delta }
      if (typeof partial_json === 'string') json += partial_json
      content.push({ ...content.pop(), ...members })
    }
    if (event['type'] === 'content_block_stop' && json !== '')
      content.push({ ...content.pop(), input: JSON.parse(json) as JsonObject })
    if (event['type'] === 'content_block_stop') json = ''
    if (event['type'] === 'message_delta') message = { ...message, ...delta, usage: { ...usage } }
  }
  return { ...message, content }
}
