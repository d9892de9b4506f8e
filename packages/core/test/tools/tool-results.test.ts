import { describe, expect, it } from 'vitest'
import { chat, messages } from '../untyped.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { translate, type Translation } from '../../src/protocols/translate.ts'

const reported = ({ losses }: Translation): string[] => losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)
const turnsOf = ({ body }: Translation): JsonObject[] => body['messages'] as JsonObject[]
const fromChat = (...conversation: JsonObject[]) =>
  translate(chat, messages, { model: 'm', max_completion_tokens: 100, messages: conversation })
const fromMessages = (...conversation: JsonObject[]) =>
  translate(messages, chat, { model: 'm', max_tokens: 100, messages: conversation })

const hello = { role: 'user', content: 'hello' }
const calls = (content: string | null, ...ids: string[]) => ({
  role: 'assistant',
  content,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })),
})
const answered = (id: string) => ({ role: 'tool', tool_call_id: id, content: `for ${id}` })
const uses = (...ids: string[]) => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_use', id, name: 'look', input: {} })),
})
const result = (id: string, content: string | JsonObject[] = `for ${id}`) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
})
const text = (words: string) => ({ type: 'text', text: words })
const png = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
const pngUrl = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }

describe('ids of calls', () => {
  const idsIn = (turns: readonly JsonObject[]): string[] =>
    turns.flatMap(({ content }) =>
      Array.isArray(content)
        ? (content as readonly { id?: string; tool_use_id?: string }[]).flatMap(
            (block) => block.id ?? block.tool_use_id ?? [],
          )
        : [],
    )
  const odd = 'functions.Bash:0'

  it('have only characters that messages allows, in call and result alike (trap 50) [tr.ids]', () => {
    const translation = fromChat(hello, calls(null, odd, 'b'), answered(odd), answered('b'))
    const [first, second, ...results] = idsIn(turnsOf(translation))
    expect(first).toMatch(/^[a-zA-Z0-9_-]+$/)
    expect([second, ...results]).toEqual(['b', first, 'b'])
    expect(reported(translation).filter((loss) => loss.includes('id'))).toEqual([])
  })

  it('come back as they were from a messages client, whole and streamed (trap 50) [tr.ids]', () => {
    const choice = { index: 0, message: calls(null, odd), finish_reason: 'tool_calls' }
    const asked = { model: 'm', max_tokens: 9, messages: [hello] }
    const { body } = translate(messages, chat, asked).response({ choices: [choice] })
    const [id = ''] = idsIn([body])
    expect(id).toMatch(/^[a-zA-Z0-9_-]+$/)
    const [, called, answer] = turnsOf(fromMessages(hello, uses(id), { role: 'user', content: [result(id)] }))
    expect(called).toMatchObject({ tool_calls: [{ id: odd }] })
    expect(answer).toMatchObject({ role: 'tool', tool_call_id: odd })
    let out = ''
    const stream = translate(messages, chat, { ...asked, stream: true }).answerStream((piece) => (out += piece))
    const delta = { tool_calls: [{ index: 0, ...calls(null, odd).tool_calls[0] }] }
    stream.push(new TextEncoder().encode(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`))
    expect(out).toContain(`"id":"${id}"`)
  })

  it('are two if two calls have one, and each result has that of its call (trap 50) [tr.ids]', () => {
    const turns = [calls(null, 'x', 'x'), answered('x'), answered('x'), calls(null, 'x'), answered('x')]
    const translation = fromChat(hello, ...turns)
    expect(idsIn(turnsOf(translation))).toEqual(['x', 'x_2', 'x', 'x_2', 'x_3', 'x_3'])
    expect(reported(translation)).toEqual(
      expect.arrayContaining(['changed messages.1.parts.1.id', 'changed messages.2.parts.1.callId']),
    )
    const taken = fromChat(hello, calls(null, 'x', 'x_2', 'x'), answered('x'), answered('x_2'), answered('x'))
    expect(idsIn(turnsOf(taken))).toEqual(['x', 'x_2', 'x_3', 'x', 'x_2', 'x_3'])
  })

  it('are two in an answer too, whole and streamed (trap 50) [tr.ids]', () => {
    const choice = { index: 0, message: calls(null, 'x', 'x'), finish_reason: 'tool_calls' }
    const asked = { model: 'm', max_tokens: 9, messages: [hello] }
    expect(idsIn([translate(messages, chat, asked).response({ choices: [choice] }).body])).toEqual(['x', 'x_2'])
    let out = ''
    const stream = translate(messages, chat, { ...asked, stream: true }).answerStream((piece) => (out += piece))
    const delta = { tool_calls: calls(null, 'x', 'x').tool_calls.map((call, index) => ({ index, ...call })) }
    const frame = { choices: [{ index: 0, delta, finish_reason: 'tool_calls' }] }
    stream.push(new TextEncoder().encode(`data: ${JSON.stringify(frame)}\n\ndata: [DONE]\n\n`))
    expect(out).toContain('"id":"x"')
    expect(out).toContain('"id":"x_2"')
  })

  it('that a messages upstream would refuse are not relayed (trap 50)', () => {
    const answers = (id: string) => ({ role: 'user', content: [result(id)] })
    const why = (...turns: JsonObject[]) => messages.relay.obstacle({ messages: [hello, ...turns] }, {})
    expect(why(uses('toolu_1'), answers('toolu_1'))).toBeUndefined()
    expect(why(uses(odd), answers(odd))).toMatch(/id/)
    expect(why(uses('a'), answers('a'), uses('a'), answers('a'))).toMatch(/id/)
  })
})

describe('an assistant turn that only calls tools', () => {
  it.each(['', null])('has no empty text block if chat has content %j (trap 8)', (content) => {
    const turns = turnsOf(fromChat(hello, calls(content, 'a'), answered('a')))
    expect(turns[1]).toEqual({
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }],
    })
  })

  it('has no empty text in chat either, and an empty text block is reported (trap 8)', () => {
    const assistant = { role: 'assistant', content: [text(''), ...uses('a').content] }
    const translation = fromMessages(hello, assistant, { role: 'user', content: [result('a')] })
    expect(turnsOf(translation)[1]).toMatchObject({ role: 'assistant', content: null })
    expect(reported(translation)).toEqual(['dropped messages.1.parts.0'])
    const same = translate(messages, messages, {
      model: 'm',
      max_tokens: 9,
      messages: [hello, assistant, { role: 'user', content: [result('a')] }],
    })
    expect(turnsOf(same)[1]).toEqual(uses('a'))
  })

  it('gives a messages client no empty block in a response (trap 8)', () => {
    const call = { id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }
    const message = { role: 'assistant', content: '', tool_calls: [call] }
    const { body } = translate(messages, chat, { model: 'm', max_tokens: 9, messages: [hello] }).response({
      choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
    })
    expect(body['content']).toEqual(uses('a').content)
  })
})

describe('the results of parallel calls', () => {
  it('go back to messages in one user message, together and in order (trap 9)', () => {
    const turns = turnsOf(fromChat(hello, calls(null, 'a', 'b', 'c'), answered('a'), answered('b'), answered('c')))
    expect(turns).toHaveLength(3)
    expect(turns[2]).toEqual({ role: 'user', content: [result('a'), result('b'), result('c')] })
  })

  it('include the following user text in the same message (trap 9)', () => {
    const more = { role: 'user', content: 'and now?' }
    const turns = turnsOf(fromChat(hello, calls(null, 'a', 'b'), answered('a'), answered('b'), more))
    expect(turns.slice(2)).toEqual([{ role: 'user', content: [result('a'), result('b'), text('and now?')] }])
  })

  it('are merged if a messages client sent them in several messages (trap 9)', () => {
    const several = [
      { role: 'user', content: [result('a')] },
      { role: 'user', content: [result('b')] },
    ]
    const body = { model: 'm', max_tokens: 9, messages: [hello, uses('a', 'b'), ...several] }
    const same = translate(messages, messages, body)
    expect(turnsOf(same).slice(2)).toEqual([{ role: 'user', content: [result('a'), result('b')] }])
    expect(reported(same)).toEqual(['merged messages.3'])
  })

  it('come first if text or an image is before or between them (trap 10)', () => {
    const content = [text('before'), result('a'), png, result('b'), text('after')]
    const body = { model: 'm', max_tokens: 9, messages: [hello, uses('a', 'b'), { role: 'user', content }] }
    const same = translate(messages, messages, body)
    const ordered = [result('a'), result('b'), text('before'), png, text('after')]
    expect(turnsOf(same)[2]).toEqual({ role: 'user', content: ordered })
    expect(reported(same)).toEqual(expect.arrayContaining(['moved messages.2.parts.0', 'moved messages.2.parts.2']))
    expect(turnsOf(translate(messages, chat, body)).slice(2)).toEqual([
      answered('a'),
      answered('b'),
      { role: 'user', content: [text('before'), pngUrl, text('after')] },
    ])
  })

  it('come first if a chat client put user text between its tool messages (trap 10)', () => {
    const between = { role: 'user', content: 'hurry' }
    const turns = turnsOf(fromChat(hello, calls(null, 'a', 'b'), answered('a'), between, answered('b')))
    expect(turns.slice(2)).toEqual([{ role: 'user', content: [result('a'), result('b'), text('hurry')] }])
    const same = translate(chat, chat, {
      model: 'm',
      messages: [hello, calls(null, 'a', 'b'), answered('a'), between, answered('b')],
    })
    expect(turnsOf(same).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user'])
  })
})

describe('a history that was trimmed', () => {
  it.each([
    ['a call without its result', [hello, calls(null, 'lost_1', 'b'), answered('b'), hello], 'lost_1'],
    [
      'a call in the middle without its result',
      [hello, calls(null, 'lost_2'), calls('Hm', 'b'), answered('b')],
      'lost_2',
    ],
    ['a result without its call', [hello, answered('lost_3'), hello], 'lost_3'],
    ['a result that comes twice', [hello, calls(null, 'twice'), answered('twice'), answered('twice')], 'twice'],
  ])('with %s is a clear error that names the id (trap 11)', (_name, conversation, id) => {
    for (const to of [chat, messages]) {
      const send = () => translate(chat, to, { model: 'm', messages: conversation })
      expect(send).toThrow(expect.objectContaining({ name: 'DragomanError', kind: 'invalid-request' }))
      expect(send).toThrow(id)
    }
  })

  it('may end with open calls', () => {
    expect(() => fromChat(hello, calls(null, 'a'))).not.toThrow()
  })
})

describe('an image in a tool result', () => {
  it('stays in place for messages and follows the results for chat, reported (trap 20)', () => {
    const content = [result('a', [text('an image'), png]), result('b')]
    const body = { model: 'm', max_tokens: 9, messages: [hello, uses('a', 'b'), { role: 'user', content }] }
    expect(turnsOf(translate(messages, messages, body))[2]).toEqual({ role: 'user', content })
    const crossed = translate(messages, chat, body)
    expect(turnsOf(crossed).slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'an image' },
      answered('b'),
      { role: 'user', content: [pngUrl] },
    ])
    expect(reported(crossed)).toEqual(['moved messages.2.parts.0.output.parts.1'])
  })

  it('as the only content leaves the result in place (trap 20)', () => {
    const crossed = fromMessages(hello, uses('a'), { role: 'user', content: [result('a', [png]), text('see?')] })
    const [tool, user] = turnsOf(crossed).slice(2)
    expect(tool).toMatchObject({ role: 'tool', tool_call_id: 'a' })
    expect(user).toMatchObject({ role: 'user' })
    expect(JSON.stringify(user)).toContain('data:image/png;base64,AAAA')
    expect(JSON.stringify(user)).toContain('see?')
  })
})
