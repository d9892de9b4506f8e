import type { JsonObject } from '../src/lib/json.ts'
import type { Translation } from '../src/protocols/translate.ts'

/** What a messages upstream streams for these blocks. */
export function messagesStream(content: readonly JsonObject[]): string {
  const events: JsonObject[] = [
    { type: 'message_start', message: { id: 'msg_1', model: 'claude', content: [], usage: { input_tokens: 1 } } },
  ]
  for (const [index, block] of content.entries()) {
    const delta = (members: JsonObject) => events.push({ type: 'content_block_delta', index, delta: members })
    const shell = { ...block, ...('text' in block && { text: '' }), ...('input' in block && { input: {} }) }
    const empty = block['type'] === 'thinking' ? { ...shell, thinking: '', signature: '' } : shell
    events.push({ type: 'content_block_start', index, content_block: empty })
    const { text, thinking: thought, signature, input } = block as { [key: string]: string | JsonObject }
    if (typeof thought === 'string') {
      for (const piece of [thought.slice(0, 2), thought.slice(2)]) delta({ type: 'thinking_delta', thinking: piece })
      delta({ type: 'signature_delta', signature: signature ?? '' })
    }
    if (typeof text === 'string') delta({ type: 'text_delta', text })
    if (typeof input === 'object') delta({ type: 'input_json_delta', partial_json: JSON.stringify(input) })
    events.push({ type: 'content_block_stop', index })
  }
  events.push({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 2 } })
  events.push({ type: 'message_stop' })
  return events.map((event) => `event: ${event['type'] as string}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

/** The chunks or events that a client gets for the stream of an upstream. */
export function play(translation: Translation, upstream: string): JsonObject[] {
  let out = ''
  const answer = translation.answerStream((text) => (out += text))
  answer.push(new TextEncoder().encode(upstream))
  answer.end()
  const data = out.split('\n').filter((line) => line.startsWith('data: {'))
  return data.map((line) => JSON.parse(line.slice(6)) as JsonObject)
}

/** As the official messages client gathers a stream. */
export function gatherMessages(events: readonly JsonObject[]): JsonObject[] {
  const blocks: { [key: string]: string }[] = []
  for (const event of events) {
    const index = event['index'] as number
    if (event['type'] === 'content_block_start')
      blocks[index] = { ...(event['content_block'] as { [key: string]: string }) }
    const block = blocks[index]
    if (event['type'] !== 'content_block_delta' || block === undefined) continue
    const { type, ...rest } = event['delta'] as { [key: string]: string }
    const [member = '', piece = ''] = Object.entries(rest)[0] ?? []
    if (type === 'input_json_delta') block['json'] = (block['json'] ?? '') + piece
    else block[member] = type === 'signature_delta' ? piece : (block[member] ?? '') + piece
  }
  return blocks.map(({ json, ...block }) =>
    json === undefined ? block : { ...block, input: JSON.parse(json) as JsonObject },
  )
}
