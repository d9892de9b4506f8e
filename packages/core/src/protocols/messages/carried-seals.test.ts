import { describe, expect, it } from 'vitest'
import { gatherMessages, play } from '../../../test/streams.ts'
import { genai, messages } from '../../../test/untyped.ts'
import type { JsonObject } from '../../lib/json.ts'
import { translate, type Translation } from '../translate.ts'

type Blocks = JsonObject[]

const hello = { role: 'user', content: 'hello' }
const tools = [{ name: 'look', input_schema: { type: 'object' } }]
const thinking = { type: 'enabled', budget_tokens: 2048 }
const ask = (conversation: JsonObject[]): Translation =>
  translate(messages, genai, { model: 'm', max_tokens: 9000, stream: true, thinking, tools, messages: conversation })

const thought = { text: 'hm, 😀', thought: true }
const call = (id: string) => ({ functionCall: { id, name: 'look', args: { at: id } } })
const signed = (id: string, thoughtSignature: string) => ({ ...call(id), thoughtSignature })
const ALONE = [thought, signed('c1', 'c2lnMQ==')]
const PARALLEL = [thought, signed('c1', 'c2lnMQ=='), call('c2')]
const SPOKEN = [thought, { text: 'I look.' }, signed('c1', 'c2lnMQ==')]
const SIGNED = [{ ...thought, thoughtSignature: 'b3du' }, signed('c1', 'c2lnMQ==')]
const SILENT = [signed('c1', 'c2lnMQ==')]
const TWICE = [thought, signed('c1', 'c2lnMQ=='), { text: 'again', thought: true }, signed('c2', 'c2lnMg==')]

function answerOf(parts: readonly JsonObject[]): JsonObject {
  return { candidates: [{ content: { role: 'model', parts: [...parts] }, finishReason: 'STOP', index: 0 }] }
}

const modes = {
  whole: (parts: readonly JsonObject[]): Blocks => ask([hello]).response(answerOf(parts)).body['content'] as Blocks,
  streamed: (parts: readonly JsonObject[]): Blocks => {
    const chunk = (part: JsonObject) => ({ candidates: [{ content: { role: 'model', parts: [part] }, index: 0 }] })
    const chunks = [...parts.map(chunk), { candidates: [{ finishReason: 'STOP', index: 0 }] }]
    const frames = chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`)
    return gatherMessages(play(ask([hello]), frames.join('')))
  },
}

const typesOf = (blocks: Blocks) => blocks.map(({ type }) => type)
/** Clients that make their own ids send only the signatures back. */
const withoutIds = (blocks: Blocks): Blocks => {
  const calls = blocks.filter(({ type }) => type === 'tool_use')
  return blocks.map((block) => (block['type'] === 'tool_use' ? { ...block, id: `own_${calls.indexOf(block)}` } : block))
}

function sentBack(content: Blocks): Translation {
  const calls = content.filter(({ type }) => type === 'tool_use')
  const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id as string, content: 'seen' }))
  const conversation = [hello, { role: 'assistant', content }, { role: 'user', content: results }]
  messages.request.check({ model: 'm', max_tokens: 9, messages: conversation })
  return ask(JSON.parse(JSON.stringify(conversation)) as JsonObject[])
}

const turnOf = ({ body }: Translation) => (body['contents'] as { parts: JsonObject[] }[])[1]?.parts

describe.each(Object.entries(modes))('the seal of a call, through a messages client, %s', (_mode, answer) => {
  it.each([
    ['one call', ALONE, ['thinking', 'tool_use']],
    ['parallel calls', PARALLEL, ['thinking', 'tool_use', 'tool_use']],
    ['thinking before each call', TWICE, ['thinking', 'tool_use', 'thinking', 'tool_use']],
  ])('is in the signature of the thinking before it: %s [tr.signatures]', (_name, parts, types) => {
    expect(typesOf(answer(parts))).toEqual(types)
  })

  it('is in a block of its own only if there is no thinking, or it has a signature [tr.signatures]', () => {
    expect(typesOf(answer(SILENT))).toEqual(['redacted_thinking', 'tool_use'])
    expect(typesOf(answer(SIGNED))).toEqual(['thinking', 'redacted_thinking', 'tool_use'])
  })

  it.each([
    ['one call', ALONE],
    ['parallel calls', PARALLEL],
    ['thinking before each call', TWICE],
    ['text between', SPOKEN],
    ['signed thinking', SIGNED],
    ['no thinking', SILENT],
  ])('returns to its issuer on the same call: %s (trap 5) [tr.signatures]', (_name, parts) => {
    expect(turnOf(sentBack(answer(parts)))).toEqual(parts)
    const renamed = turnOf(sentBack(withoutIds(answer(parts))))
    expect(renamed?.map((part) => part['thoughtSignature'])).toEqual(
      (parts as JsonObject[]).map((part) => part['thoughtSignature']),
    )
  })

  it('is not sent to another issuer (trap 3)', () => {
    const conversation = [hello, { role: 'assistant', content: answer(ALONE) }]
    const { body, losses } = translate(messages, messages, { model: 'm', max_tokens: 9, messages: conversation })
    expect(JSON.stringify(body)).not.toMatch(/signature|dg1/)
    expect(losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)).toEqual([
      'dropped messages.1.parts.0',
      'dropped messages.1.parts.1.seal',
    ])
  })
})

describe('the seal of a call with text between', () => {
  it('is in the signature of the thinking before it in a whole response, and beside the call in a stream', () => {
    expect(typesOf(modes.whole(SPOKEN))).toEqual(['thinking', 'text', 'tool_use'])
    expect(typesOf(modes.streamed(SPOKEN))).toEqual(['thinking', 'text', 'redacted_thinking', 'tool_use'])
  })
})

describe('a stream of thinking that waits for the seal of a call', () => {
  const frames = [thought, thought].map(
    (part) => `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts: [part] }, index: 0 }] })}\n\n`,
  )

  it('has each piece of thinking at once, and its end before an error', () => {
    let out = ''
    const stream = ask([hello]).answerStream((text) => (out += text))
    for (const frame of frames) stream.push(new TextEncoder().encode(frame))
    expect(out.match(/thinking_delta/g)).toHaveLength(2)
    stream.end()
    expect(out).toMatch(/signature_delta[\s\S]*content_block_stop[\s\S]*event: error/)
  })
})
