import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../../test/untyped.ts'
import { translate } from './translate.ts'

const PATCH = '*** Begin Patch\n+ "a\\b" 😀\n*** End Patch'
const GRAMMAR = { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "***"' } }
const TOOL = { type: 'custom', custom: { name: 'apply.patch', description: 'Edits files.', format: GRAMMAR } }
const ASKED = { model: 'm', messages: [{ role: 'user', content: 'go' }], tools: [TOOL] }
const CALL = { id: 'c1', type: 'custom', custom: { name: 'apply.patch', input: PATCH } }

function framesOf(events: readonly object[]): Uint8Array {
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  return new TextEncoder().encode(text)
}

/** The chunks of a chat stream, joined. */
function playChat(translation: ReturnType<typeof translate>, events: readonly object[]) {
  let text = ''
  const stream = translation.answerStream((piece) => (text += piece))
  stream.push(framesOf(events))
  stream.end()
  const chunks = [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, json = '']) => JSON.parse(json))
  const calls = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
  const input = calls.map((call) => call.custom?.input ?? '').join('')
  return { first: calls[0], input, finish: chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? []) }
}

describe('a custom tool of a model whose tools take JSON', () => {
  it('is a function with a text, and its grammar reaches the model', () => {
    const [tool] = translate(chat, messages, ASKED).body['tools'] as never[]
    expect(tool).toMatchObject({
      name: 'apply_patch',
      description: expect.stringContaining('start: "***"'),
      input_schema: { type: 'object', required: ['input'] },
    })
    const body = translate(chat, genai, ASKED).body as never as { tools: { functionDeclarations: object[] }[] }
    expect(body.tools[0]?.functionDeclarations[0]).toMatchObject({
      name: 'apply.patch',
      description: expect.stringContaining('start: "***"'),
    })
  })

  it('is called with text: messages', () => {
    const content = [{ type: 'tool_use', id: 'c1', name: 'apply_patch', input: { input: PATCH } }]
    const answer = { id: 'm1', type: 'message', role: 'assistant', model: 'm', content, stop_reason: 'tool_use' }
    const { body } = translate(chat, messages, ASKED).response(answer)
    expect(body).toMatchObject({ choices: [{ message: { tool_calls: [CALL] }, finish_reason: 'tool_calls' }] })
  })

  it('is called with text: genai, whole and streamed', () => {
    const parts = [{ functionCall: { id: 'c1', name: 'apply.patch', args: { input: PATCH } } }]
    const answer = { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] }
    const { body } = translate(chat, genai, ASKED).response(answer)
    expect(body).toMatchObject({ choices: [{ message: { tool_calls: [CALL] } }] })
    const played = playChat(translate(chat, genai, { ...ASKED, stream: true }), [answer])
    expect(played).toMatchObject({ first: { id: 'c1', type: 'custom' }, input: PATCH, finish: ['tool_calls'] })
  })

  it('is called with text in a stream, piece by piece, with a call of a function beside it', () => {
    const json = JSON.stringify({ input: PATCH })
    const other = JSON.stringify({ input: 'stays' })
    const block = (index: number, name: string, text: string) => [
      { type: 'content_block_start', index, content_block: { type: 'tool_use', id: `c${index}`, name, input: {} } },
      ...text.split('').map((partial_json) => ({
        type: 'content_block_delta',
        index,
        delta: { type: 'input_json_delta', partial_json },
      })),
      { type: 'content_block_stop', index },
    ]
    const events = [
      { type: 'message_start', message: { id: 'm1', type: 'message', role: 'assistant', model: 'm', content: [] } },
      ...block(0, 'apply_patch', json),
      ...block(1, 'plain', other),
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ]
    const tools = [TOOL, { type: 'function', function: { name: 'plain', parameters: { type: 'object' } } }]
    const translation = translate(chat, messages, { ...ASKED, tools, stream: true })
    expect(playChat(translation, events)).toMatchObject({ first: { id: 'c0', type: 'custom' }, input: PATCH })
  })

  it('is called with whatever the model wrote instead of the member', () => {
    const call = (input: unknown) => ({ type: 'tool_use', id: 'c1', name: 'apply_patch', input })
    const answered = (input: unknown) =>
      translate(chat, messages, ASKED).response({ type: 'message', content: [call(input)], stop_reason: 'tool_use' })
    expect(answered({ patch: PATCH }).body).toMatchObject({
      choices: [{ message: { tool_calls: [{ type: 'custom', custom: { input: JSON.stringify({ patch: PATCH }) } }] } }],
    })
  })
})
