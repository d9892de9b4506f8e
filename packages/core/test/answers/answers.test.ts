import { describe, expect, it } from 'vitest'
import { chat, messages } from '../untyped.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { DragomanError } from '../../src/ir/error.ts'
import type { Loss } from '../../src/ir/loss.ts'
import { translate } from '../../src/protocols/translate.ts'

const hello = { role: 'user', content: 'hello' }
const options = { id: () => 'made', now: 1_700_000_000 }
const chatBody = { model: 'm', messages: [hello] }
const messagesBody = { model: 'm', max_tokens: 100, messages: [hello] }
const reported = (losses: readonly Loss[]): string[] => losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)

const toChatClient = (answer: JsonObject) => translate(chat, messages, chatBody, options).response(answer)
const toMessagesClient = (answer: JsonObject) => translate(messages, chat, messagesBody, options).response(answer)
const sameChat = (answer: JsonObject) => translate(chat, chat, chatBody, options).response(answer)
const sameMessages = (answer: JsonObject) => translate(messages, messages, messagesBody, options).response(answer)

const messagesAnswer = (members: JsonObject): JsonObject => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [{ type: 'text', text: 'said' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 2 },
  ...members,
})
const chatAnswer = (message: JsonObject, members: JsonObject = {}): JsonObject => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_600_000_000,
  model: 'gpt',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'said', refusal: null, ...message },
      logprobs: null,
      finish_reason: 'stop',
      ...members,
    },
  ],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
})

describe('a response of a chat upstream', () => {
  it('has every member that a messages client reads [msg.res:through]', () => {
    const { body, losses } = toMessagesClient(chatAnswer({}))
    expect(body).toEqual(messagesAnswer({ id: 'chatcmpl-1', model: 'gpt' }))
    expect(reported(losses)).toEqual(['dropped created'])
  })

  it.each([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['content_filter', 'refusal'],
  ])('ends for a messages client with %s as %s [msg.res:through]', (finish_reason, stop_reason) => {
    expect(toMessagesClient(chatAnswer({}, { finish_reason })).body['stop_reason']).toBe(stop_reason)
  })

  it.each(['tool_calls', 'function_call'])('ends with %s as tool_use [msg.res:through]', (finish_reason) => {
    const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }
    const { body } = toMessagesClient(chatAnswer({ content: null, tool_calls: [call] }, { finish_reason }))
    expect(body).toMatchObject({
      content: [{ type: 'tool_use', id: 'call_1', name: 'look', input: { at: 1 } }],
      stop_reason: 'tool_use',
    })
  })

  it('that a safety classifier stopped is a refusal in messages, reported [msg.refusal:through]', () => {
    const { body, losses } = toMessagesClient(chatAnswer({}, { finish_reason: 'content_filter' }))
    expect(body['stop_reason']).toBe('refusal')
    expect(reported(losses)).toContain('changed candidates.0.finish.reason')
  })

  it('with a refusal keeps its text for a messages client, reported [msg.refusal:through]', () => {
    const { body, losses } = toMessagesClient(chatAnswer({ content: null, refusal: 'I will not.' }))
    expect(body['content']).toEqual([{ type: 'text', text: 'I will not.' }])
    expect(reported(losses)).toContain('changed candidates.0.parts.0')
  })

  it('is the same for a chat client, with unknown members [chat.res:through] [tr.identity]', () => {
    const reasoning = { reasoning: 'hm', reasoning_content: 'hm' }
    const details = [{ type: 'reasoning.text', text: 'hm', signature: 's', index: 0 }]
    const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at": 1}' } }
    const answer = {
      ...chatAnswer(
        { ...reasoning, reasoning_details: details, tool_calls: [call], odd: 1 },
        { finish_reason: 'tool_calls', other: 2 },
      ),
      system_fingerprint: 'fp',
    }
    const { body, losses } = sameChat(answer)
    expect(body).toEqual(answer)
    expect(reported(losses)).toEqual([])
  })

  it('keeps its log probabilities for a chat client and reports them for messages [chat.logprobs:through]', () => {
    const token = (text: string) => ({ token: text, logprob: -0.5, bytes: [104, 105] })
    const content = [{ ...token('hi'), top_logprobs: [token('hi'), { token: 'ho', logprob: -9999, bytes: null }] }]
    const answer = chatAnswer({}, { logprobs: { content, refusal: null } })
    expect(sameChat(answer).body).toEqual(answer)
    expect(reported(toMessagesClient(answer).losses)).toContain('dropped candidates.0.logprobs')
  })
})

describe('a response of a messages upstream', () => {
  it('has every member that a chat client reads [chat.res:through]', () => {
    const content = [
      { type: 'thinking', thinking: 'hm', signature: 'EqQB' },
      { type: 'text', text: 'said' },
    ]
    const { body, losses } = toChatClient(messagesAnswer({ content }))
    expect(body).toMatchObject({
      id: 'msg_1',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'claude',
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          message: { role: 'assistant', content: 'said', refusal: null, reasoning: 'hm', reasoning_content: 'hm' },
        },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    })
    expect(reported(losses)).toEqual(['added created'])
  })

  it.each([
    ['end_turn', null, 'stop', []],
    ['max_tokens', null, 'length', []],
    ['stop_sequence', 'END', 'stop', ['dropped candidates.0.finish.sequence', 'changed candidates.0.finish.reason']],
    ['pause_turn', null, 'stop', ['changed candidates.0.finish.reason']],
    ['refusal', null, 'content_filter', ['changed candidates.0.finish.reason']],
  ])(
    'ends for a chat client with %s %s as %s [chat.res:through] [msg.res:through]',
    (reason, sequence, finish, lost) => {
      const { body, losses } = toChatClient(messagesAnswer({ stop_reason: reason, stop_sequence: sequence }))
      expect(body['choices']).toMatchObject([{ finish_reason: finish }])
      expect(reported(losses).filter((loss) => loss !== 'added created')).toEqual(lost)
    },
  )

  it.each(['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'pause_turn', 'refusal', 'brand_new'])(
    'keeps its stop reason %s for a messages client [msg.res:through] [tr.identity]',
    (stop_reason) => {
      const stop_sequence = stop_reason === 'stop_sequence' ? 'END' : null
      const answer = { ...messagesAnswer({ stop_reason, stop_sequence }), container: { id: 'c' } }
      const { body, losses } = sameMessages(answer)
      expect(body).toEqual(answer)
      expect(reported(losses)).toEqual([])
    },
  )

  it('that paused is continued by sending it back unchanged [msg.pause_turn:through]', () => {
    const content = [
      { type: 'text', text: 'searching' },
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
    ]
    const answer = messagesAnswer({ content, stop_reason: 'pause_turn' })
    const seen = sameMessages(answer).body
    expect(seen).toMatchObject({ content, stop_reason: 'pause_turn' })
    const echo = { role: 'assistant', content: seen['content'] ?? null }
    const next = translate(messages, messages, { ...messagesBody, messages: [hello, echo] })
    expect(next.body['messages']).toEqual([hello, { role: 'assistant', content }])
    expect(next.losses).toEqual([])
  })

  it('with a failed search stays a response, and is reported for chat [msg.websearch.error:through]', () => {
    const content = [
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
      {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: { type: 'web_search_tool_result_error', error_code: 'unavailable' },
      },
      { type: 'text', text: 'It failed.' },
    ]
    expect(sameMessages(messagesAnswer({ content })).body['content']).toEqual(content)
    const { body, losses } = toChatClient(messagesAnswer({ content }))
    expect(body['choices']).toMatchObject([{ message: { content: 'It failed.' }, finish_reason: 'stop' }])
    expect(reported(losses)).toEqual(
      expect.arrayContaining(['dropped candidates.0.parts.0', 'dropped candidates.0.parts.1']),
    )
  })

  it('keeps its shape when there is nothing in it', () => {
    const { body } = toChatClient(messagesAnswer({ content: [] }))
    expect(body['choices']).toMatchObject([{ message: { role: 'assistant', content: null } }])
    expect(toMessagesClient(chatAnswer({ content: '' })).body['content']).toEqual([])
  })
})

function outcomeOf(read: () => unknown): string {
  try {
    read()
    return 'an answer'
  } catch (error) {
    return error instanceof DragomanError ? error.kind : 'a crash'
  }
}

describe('an invalid response', () => {
  it.each([{}, { choices: 'no' }, { choices: [null] }, { choices: [{ message: 7 }] }, { content: 5 }, { usage: [] }])(
    'is never a crash: %j',
    (answer) => {
      for (const read of [toMessagesClient, toChatClient, sameChat, sameMessages]) {
        expect(['an answer', 'upstream']).toContain(outcomeOf(() => read(answer as JsonObject)))
      }
    },
  )
})

describe('calls without an id of the upstream', () => {
  it.each([null, '', undefined])('get generated ids: %j', (id) => {
    const call = (name: string) => ({
      ...(id === undefined ? {} : { id }),
      type: 'function',
      function: { name, arguments: '{}' },
    })
    const { body, losses } = toMessagesClient(chatAnswer({ content: null, tool_calls: [call('one'), call('two')] }))
    const ids = (body['content'] as JsonObject[]).map((block) => block['id'])
    expect(new Set(ids).size).toBe(2)
    expect(ids).not.toContain('')
    expect(reported(losses)).toEqual(
      expect.arrayContaining(['added candidates.0.parts.0.id', 'added candidates.0.parts.1.id']),
    )
  })
})
