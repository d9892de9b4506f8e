import { describe, expect, it } from 'vitest'
import { gatherMessages, play } from '../../../test/streams.ts'
import { chat, genai, messages, responses } from '../../../test/untyped.ts'
import type { JsonObject } from '../../lib/json.ts'
import { translate } from '../translate.ts'

// `claude -p` and many scripts print the last block of an answer: state that only its issuer can read is never behind the last text.

type Blocks = JsonObject[]
const hello = { role: 'user', content: 'hello' }
const thinking = { type: 'enabled', budget_tokens: 2048 }
const again = { role: 'user', content: 'go on' }
const ask = (conversation: JsonObject[]) =>
  translate(messages, genai, { model: 'm', max_tokens: 9000, stream: true, thinking, messages: conversation })

const SIGNED = { text: '', thoughtSignature: 'c2lnMQ==' }
const thought = { text: 'hm', thought: true }
const call = { functionCall: { id: 'c1', name: 'look', args: {} }, thoughtSignature: 'c2lnMg==' }
const typesOf = (blocks: Blocks) => blocks.map(({ type }) => type)

const chunkOf = (parts: JsonObject[], more: JsonObject = {}) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
})
const whole = (parts: JsonObject[]): Blocks =>
  ask([hello]).response(chunkOf(parts, { finishReason: 'STOP' })).body['content'] as Blocks
function streamed(...chunks: JsonObject[][]) {
  const translation = ask([hello])
  let out = ''
  const answer = translation.answerStream((text) => (out += text))
  const frames = [...chunks.map((parts) => chunkOf(parts)), { candidates: [{ finishReason: 'STOP', index: 0 }] }]
  for (const frame of frames) answer.push(new TextEncoder().encode(`data: ${JSON.stringify(frame)}\n\n`))
  answer.end()
  const data = out.split('\n').filter((line) => line.startsWith('data: {'))
  const losses = answer.losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)
  return { blocks: gatherMessages(data.map((line) => JSON.parse(line.slice(6)) as JsonObject)), losses }
}
/** What Google gets when the client goes on with these blocks. */
function sentBack(content: Blocks): JsonObject[] | undefined {
  const conversation = [hello, { role: 'assistant', content }, again]
  messages.request.check({ model: 'm', max_tokens: 9, messages: conversation })
  return (ask(conversation).body['contents'] as { parts: JsonObject[] }[])[1]?.parts
}

describe('the signature after the last text of a whole genai answer', () => {
  it.each([
    ['in a part of its own', [{ text: 'Done.' }, SIGNED]],
    ['on the text', [{ ...SIGNED, text: 'Done.' }]],
    ['after thoughts', [thought, { text: 'Done.' }, SIGNED]],
    ['of hidden thoughts', [{ text: 'Done.' }, { ...SIGNED, thought: true }]],
    [
      'of hidden thoughts behind a signed text',
      [
        { ...SIGNED, text: 'Done.' },
        { ...SIGNED, thought: true },
      ],
    ],
  ])('is before the text, and returns to Google: %s (trap 5) [tr.signatures]', (_name, parts) => {
    const blocks = whole(parts)
    expect(blocks.at(-1)).toEqual({ type: 'text', text: 'Done.' })
    const joined = parts[1] === SIGNED ? [{ ...SIGNED, text: 'Done.' }] : parts
    expect(sentBack(blocks)).toEqual(parts[0] === thought ? [thought, { ...SIGNED, text: 'Done.' }] : joined)
  })
})

describe('the signature of a text in a genai stream', () => {
  it.each([
    ['on the text', [{ ...SIGNED, text: 'Done.' }]],
    ['in the same chunk', [{ text: 'Done.' }, SIGNED]],
  ])('is before the text if it comes with it, and returns to Google: %s [tr.signatures]', (_name, chunk) => {
    const { blocks, losses } = streamed(chunk)
    expect(blocks.at(-1)).toEqual({ type: 'text', text: 'Done.' })
    expect(sentBack(blocks)).toEqual([{ ...SIGNED, text: 'Done.' }])
    expect(losses.filter((loss) => loss.includes('seal'))).toEqual([])
  })

  it('is behind the text if a call follows, and returns to Google [tr.signatures]', () => {
    const { blocks, losses } = streamed([{ text: 'I look.' }], [SIGNED], [call])
    expect(typesOf(blocks).slice(0, 2)).toEqual(['text', 'redacted_thinking'])
    const result = { type: 'tool_result', tool_use_id: blocks.at(-1)?.['id'] as string, content: 'seen' }
    const conversation = [hello, { role: 'assistant', content: blocks }, { role: 'user', content: [result] }]
    const [, turn] = ask(conversation).body['contents'] as { parts: JsonObject[] }[]
    expect(turn?.parts).toEqual([{ ...SIGNED, text: 'I look.' }, call])
    expect(losses.filter((loss) => loss.includes('seal'))).toEqual([])
  })

  it.each([
    ['the text', [SIGNED], 'dropped candidates.0.parts.0.seal'],
    ['hidden thoughts', [{ ...SIGNED, thought: true }], 'dropped candidates.0.parts.1'],
  ])('is reported as lost if it comes after the last text: of %s', (_name, last, loss) => {
    const { blocks, losses } = streamed([{ text: 'Do' }], [{ text: 'ne.' }], last)
    expect(blocks).toEqual([{ type: 'text', text: 'Done.' }])
    expect(losses).toContain(loss)
  })

  it('is written if there is no text that it would follow', () => {
    const { blocks } = streamed([thought], [{ ...SIGNED, thought: true }])
    expect(sentBack(blocks)).toEqual([{ ...thought, thoughtSignature: 'c2lnMQ==' }])
  })

  it('an error after it leaves no block open', () => {
    const translation = ask([hello])
    const events = play(
      translation,
      `data: ${JSON.stringify(chunkOf([{ text: 'Do' }]))}\n\ndata: {"error":{"code":500}}\n\n`,
    )
    expect(events.map(({ type }) => type)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'error',
    ])
  })
})

describe('state of other upstreams behind the last text', () => {
  const body = { model: 'm', max_tokens: 9000, messages: [hello] }

  it('is before the text in a whole answer of Responses, and returns to its issuer', () => {
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'enc' }
    const message = { type: 'message', id: 'm_1', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] }
    const { body: back } = translate(messages, responses, body).response({
      id: 'r',
      object: 'response',
      status: 'completed',
      output: [message, reasoning],
    })
    const content = back['content'] as Blocks
    expect(content.at(-1)).toEqual({ type: 'text', text: 'Done.' })
    const next = translate(messages, responses, { ...body, messages: [hello, { role: 'assistant', content }, again] })
    const input = next.body['input'] as JsonObject[]
    expect(input.map(({ type, role }) => [type, role])).toEqual([
      ['message', 'user'],
      ['message', 'assistant'],
      ['reasoning', undefined],
      ['message', 'user'],
    ])
    expect(input[2]).toMatchObject({ encrypted_content: 'enc' })
  })

  it('is not the last block of a stream of chat', () => {
    const chunk = (delta: JsonObject, finish_reason: string | null = null) =>
      `data: ${JSON.stringify({ id: 'a', model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
    const encrypted = { type: 'reasoning.encrypted', data: 'enc', index: 0 }
    const stream = [chunk({ content: 'Done.' }), chunk({ reasoning_details: [encrypted] }), chunk({}, 'stop')]
    const blocks = gatherMessages(play(translate(messages, chat, { ...body, stream: true }), stream.join('')))
    expect(blocks.at(-1)).toEqual({ type: 'text', text: 'Done.' })
  })

  it('of the same vendor stays where it is', () => {
    const content = [
      { type: 'text', text: 'Done.' },
      { type: 'redacted_thinking', data: 'own' },
    ]
    const answer = { id: 'a', type: 'message', role: 'assistant', model: 'm', content, stop_reason: 'end_turn' }
    expect(translate(messages, messages, body).response(answer).body['content']).toEqual(content)
  })
})
