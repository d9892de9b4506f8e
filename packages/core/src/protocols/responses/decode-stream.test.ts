import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StreamEvent } from '../../ir/stream.ts'
import type { JsonObject } from '../../lib/json.ts'
import { decodeStream } from './decode-stream.ts'

function read(frames: readonly string[]): StreamEvent[] {
  const events: StreamEvent[] = []
  const decoder = decodeStream((event) => void events.push(event), { issuer: 'openai' })
  for (const frame of frames) decoder.push(frame)
  decoder.end()
  return events
}

const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [] }
const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '' }

/** A text and a call whose deltas are mixed, as frames of an upstream that numbers and pads its events. */
function framesOf(pieces: readonly Piece[], beside: (index: number) => JsonObject): string[] {
  const textOf = (kind: Piece['kind']) => pieces.flatMap((piece) => (piece.kind === kind ? piece.text : [])).join('')
  const content = [{ type: 'output_text', text: textOf('text'), annotations: [] }]
  const items = [
    { ...message, content },
    { ...call, arguments: textOf('call') },
  ]
  const deltas = pieces.map(({ kind, text, padding }) => ({
    type: kind === 'text' ? 'response.output_text.delta' : 'response.function_call_arguments.delta',
    item_id: kind === 'text' ? 'msg_1' : 'fc_1',
    output_index: kind === 'text' ? 0 : 1,
    ...(kind === 'text' ? { content_index: 0 } : {}),
    delta: text,
    obfuscation: padding,
  }))
  const events = [
    { type: 'response.created', response: { id: 'resp_1', object: 'response', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: message },
    { type: 'response.output_item.added', output_index: 1, item: call },
    ...deltas,
    ...items.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
    { type: 'response.completed', response: { id: 'resp_1', object: 'response', status: 'completed', output: items } },
  ]
  return events.map((event, index) => {
    const { type, ...rest } = event
    return JSON.stringify({ type, sequence_number: index, ...rest, ...beside(index) })
  })
}

interface Piece {
  readonly kind: 'text' | 'call'
  readonly text: string
  readonly padding: string
}

const piece = fc.record({
  kind: fc.constantFrom('text' as const, 'text' as const, 'call' as const),
  text: fc.oneof(fc.string(), fc.constantFrom('"', '\\', '\n', 'delta', '{"a":1}', ' — ')),
  padding: fc.string(),
})

describe('a stream of a Responses upstream', () => {
  it('is read alike, whether its deltas repeat each other or each has a member that none before it had', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const alike = framesOf(pieces, () => ({}))
        const apart = framesOf(pieces, (index) => ({ [`vendor_${index}`]: index }))
        expect(read(alike)).toEqual(read(apart))
      }),
    )
  })

  it('adds each delta to its own part, also after events of others', () => {
    const delta = (text: string, content_index: number): string =>
      JSON.stringify({
        type: 'response.output_text.delta',
        sequence_number: 9,
        output_index: 0,
        content_index,
        delta: text,
      })
    const added = (type: string, members: JsonObject): string =>
      JSON.stringify({ type: `response.${type}`, ...members })
    const events = read([
      added('output_item.added', { output_index: 0, item: message }),
      delta('a', 0),
      delta('b', 0),
      delta('c', 1),
      delta('d', 1),
      '{"type":"keepalive"}',
      delta('e', 1),
      added('output_item.done', {
        output_index: 0,
        item: { ...message, content: ['abx', 'cde'].map((text) => ({ type: 'output_text', text, annotations: [] })) },
      }),
      added('completed', { response: { object: 'response', status: 'completed', output: [] } }),
    ])
    const texts = events.flatMap((event) => {
      if (event.type === 'block-start') return ['|']
      return event.type === 'block-delta' ? [event.text] : []
    })
    expect(texts.join('')).toBe('|abx|cde')
  })
})
