import { describe, expect, it } from 'vitest'
import { messages, responses } from '../../../test/untyped.ts'
import type { JsonObject } from '../../lib/json.ts'
import { translate } from '../translate.ts'

const asked = { model: 'm', input: 'Go.', tools: [{ type: 'function', name: 'look', parameters: { type: 'object' } }] }
const head = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  usage: { input_tokens: 1, output_tokens: 1 },
}
const call = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }
const text = (words: string) => ({ type: 'text', text: words })

/** The items of a whole answer, and those that are done in a stream of it. */
function itemsOf(content: readonly JsonObject[], stop_reason: string): { whole: unknown; done: JsonObject[] } {
  const { body } = translate(responses, messages, responses.request.check(asked)).response({
    ...head,
    content,
    stop_reason,
  })
  let frames = ''
  const stream = translate(responses, messages, responses.request.check({ ...asked, stream: true })).answerStream(
    (piece) => (frames += piece),
  )
  const events = [
    { type: 'message_start', message: { ...head, content: [], stop_reason: null } },
    ...content.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: block['type'] === 'text' ? text('') : block },
      ...(block['type'] === 'text'
        ? [{ type: 'content_block_delta', index, delta: { type: 'text_delta', text: block['text'] } }]
        : []),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ]
  stream.push(new TextEncoder().encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')))
  stream.end()
  const done = [...frames.matchAll(/^event: response\.output_item\.done\ndata: (.*)$/gm)].map(
    ([, json = '']) => (JSON.parse(json) as { readonly item: JsonObject }).item,
  )
  return { whole: body['output'], done }
}

describe('the phase of a message of another model', () => {
  it('is commentary before a call, whole and when it is done in a stream (trap 123)', () => {
    const { whole, done } = itemsOf([text('Let me look.'), call], 'tool_use')
    const expected = [{ type: 'message', phase: 'commentary' }, { type: 'function_call' }]
    expect(whole).toMatchObject(expected)
    expect(done).toMatchObject(expected)
  })

  it('is the final answer at the end (trap 123); texts behind one another are one message', () => {
    const { whole, done } = itemsOf([text('It is '), text('warm.')], 'end_turn')
    const content = [{ text: 'It is ' }, { text: 'warm.' }]
    expect(whole).toMatchObject([{ type: 'message', phase: 'final_answer', content }])
    expect(done).toMatchObject([{ type: 'message', phase: 'final_answer', content }])
    expect(whole).toHaveLength(1)
  })

  it('is added to a refusal too', () => {
    const { whole, done } = itemsOf([], 'refusal')
    expect(whole).toMatchObject([{ phase: 'final_answer', content: [{ type: 'refusal' }] }])
    expect(done).toMatchObject([{ phase: 'final_answer', content: [{ type: 'refusal' }] }])
  })
})

describe('a phase that a client sends back', () => {
  const spoken = {
    type: 'message',
    role: 'assistant',
    phase: 'commentary',
    content: [{ type: 'output_text', text: 'Hm.' }],
  }
  const input = [
    { type: 'message', role: 'user', content: 'Go.' },
    spoken,
    { type: 'message', role: 'user', content: 'On.' },
  ]

  it('goes to a Responses model', () => {
    const { body } = translate(responses, responses, responses.request.check({ model: 'm', input }))
    expect(body['input']).toMatchObject([{}, { role: 'assistant', phase: 'commentary' }, {}])
  })

  it('does not go to another model, which is reported', () => {
    const { body, losses } = translate(responses, messages, responses.request.check({ model: 'm', input }))
    expect(JSON.stringify(body)).not.toContain('commentary')
    expect(losses).toContainEqual(expect.objectContaining({ kind: 'dropped', wirePath: 'input[1].phase' }))
  })
})
