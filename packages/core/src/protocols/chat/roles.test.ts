import { describe, expect, it } from 'vitest'
import { chat, messages } from '../../../test/untyped.ts'
import type { JsonObject } from '../../lib/json.ts'
import { translate, type Translation } from '../translate.ts'

type Turns = readonly JsonObject[]

const reported = ({ losses }: Translation): string[] => losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)
const turnsOf = ({ body }: Translation): Turns => body['messages'] as Turns

function send(...conversation: JsonObject[]): { toChat: Translation; toMessages: Translation; losses: string[] } {
  const body = { model: 'm', max_completion_tokens: 4096, messages: conversation }
  chat.request.check(body)
  const toMessages = translate(chat, messages, body)
  return { toChat: translate(chat, chat, body), toMessages, losses: reported(toMessages) }
}
const hello = { role: 'user', content: 'hello' }
const call = (id: string, name = 'look', text = '{"at":1}') => ({
  id,
  type: 'function',
  function: { name, arguments: text },
})

describe('a translated chat message', () => {
  it('is the system prompt of messages if it comes first [chat.role.system:through]', () => {
    const { toChat, toMessages, losses } = send({ role: 'system', content: 'Be brief.' }, hello)
    expect(toMessages.body).toMatchObject({ system: 'Be brief.', messages: [hello] })
    expect(turnsOf(toChat)).toEqual([{ role: 'system', content: 'Be brief.' }, hello])
    expect(losses).toEqual([])
  })

  it('keeps the text parts of a system message and reports its name [chat.role.system:through]', () => {
    const parts = [
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: 'Be kind.' },
    ]
    const system = { role: 'system', content: parts, name: 'boss' }
    const { toChat, toMessages, losses } = send(system, hello)
    expect(toMessages.body['system']).toEqual(parts)
    expect(losses).toEqual(['dropped messages.0.name'])
    expect(turnsOf(toChat)).toEqual([system, hello])
  })

  it('stays in place as user text if it comes later, reported [chat.role.system:through]', () => {
    const later = { role: 'system', content: 'From now on, French.' }
    const { toChat, toMessages, losses } = send(hello, { role: 'assistant', content: 'Hi.' }, later, hello)
    expect(toMessages.body).not.toHaveProperty('system')
    expect(turnsOf(toMessages)[2]).toEqual({ role: 'user', content: 'From now on, French.' })
    expect(losses).toEqual(['changed messages.2.role'])
    expect(turnsOf(toChat)[2]).toEqual(later)
  })

  it('reads a developer message as a system message [chat.role.developer:through]', () => {
    const developer = { role: 'developer', content: 'Be brief.' }
    const { toChat, toMessages, losses } = send(developer, hello)
    expect(toMessages.body['system']).toBe('Be brief.')
    expect(losses).toEqual(['changed messages.0.role'])
    expect(turnsOf(toChat)).toEqual([developer, hello])
  })

  it('translates text, images, audio and files of a user if supported [chat.role.user:through]', () => {
    const content = [
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' } },
      { type: 'input_audio', input_audio: { data: 'UklG', format: 'wav' } },
      { type: 'file', file: { file_id: 'file-1' } },
    ]
    const { toChat, toMessages, losses } = send({ role: 'user', content, name: 'ann' })
    expect(turnsOf(toChat)).toEqual([{ role: 'user', content, name: 'ann' }])
    expect(reported(toChat)).toEqual([])
    expect(turnsOf(toMessages)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
          {
            type: 'document',
            source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' },
            title: 'a.pdf',
          },
        ],
      },
    ])
    const at = 'dropped messages.0'
    expect(losses.sort()).toEqual([`${at}.name`, `${at}.parts.1.detail`, `${at}.parts.4`, `${at}.parts.5`])
  })

  it('reports an image of a type that messages does not accept [chat.role.user:through]', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/bmp;base64,AAAA' } }
    const { toMessages, losses } = send({ role: 'user', content: [{ type: 'text', text: 'a' }, image] })
    expect(turnsOf(toMessages)).toEqual([{ role: 'user', content: 'a' }])
    expect(losses).toEqual(['dropped messages.0.parts.1'])
  })

  it('translates calls and results with their ids [chat.role.assistant:through] [chat.role.tool:through] [tr.ids]', () => {
    const assistant = { role: 'assistant', content: 'Looking.', tool_calls: [call('call_a'), call('call_b')] }
    const conversation = [
      hello,
      assistant,
      { role: 'tool', tool_call_id: 'call_b', content: 'seen b' },
      {
        role: 'tool',
        tool_call_id: 'call_a',
        content: [
          { type: 'text', text: 'seen' },
          { type: 'text', text: 'a' },
        ],
      },
    ]
    const { toChat, toMessages, losses } = send(...conversation)
    expect(turnsOf(toChat)).toEqual(conversation)
    expect(turnsOf(toMessages)).toEqual([
      hello,
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Looking.' },
          { type: 'tool_use', id: 'call_a', name: 'look', input: { at: 1 } },
          { type: 'tool_use', id: 'call_b', name: 'look', input: { at: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_b', content: 'seen b' },
          {
            type: 'tool_result',
            tool_use_id: 'call_a',
            content: [
              { type: 'text', text: 'seen' },
              { type: 'text', text: 'a' },
            ],
          },
        ],
      },
    ])
    expect(losses).toEqual([])
  })

  it('writes a refusal as text and reports the name of an assistant [chat.role.assistant:through]', () => {
    const refusal = { role: 'assistant', content: null, refusal: 'I will not.', name: 'bot' }
    const { toChat, toMessages, losses } = send(hello, refusal, hello)
    expect(turnsOf(toChat)[1]).toEqual(refusal)
    expect(turnsOf(toMessages)[1]).toEqual({ role: 'assistant', content: 'I will not.' })
    expect(losses.sort()).toEqual(['changed messages.1.parts.0', 'dropped messages.1.name'])
    const part = { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }
    expect(turnsOf(send(hello, part, hello).toMessages)[1]).toEqual({ role: 'assistant', content: 'No.' })
  })

  it('translates custom calls to JSON, reported [chat.role.assistant:through]', () => {
    const custom = { id: 'call_c', type: 'custom', custom: { name: 'run', input: 'print(1)' } }
    const assistant = { role: 'assistant', content: null, tool_calls: [custom] }
    const result = { role: 'tool', tool_call_id: 'call_c', content: '1' }
    const { toChat, toMessages, losses } = send(hello, assistant, result)
    expect(turnsOf(toChat)).toEqual([hello, assistant, result])
    expect(turnsOf(toMessages)[1]).toEqual({
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'call_c', name: 'run', input: { input: 'print(1)' } }],
    })
    expect(losses.sort()).toEqual(['changed messages.1.parts.0.arguments', 'dropped messages.1.parts.0.custom'])
  })

  it('matches the deprecated function message with its call by name [chat.role.assistant:through] [chat.role.function:through] [tr.ids]', () => {
    const conversation = [
      hello,
      { role: 'assistant', content: null, function_call: { name: 'look', arguments: '{"at":1}' } },
      { role: 'function', name: 'look', content: 'seen' },
    ]
    for (const turns of [turnsOf(send(...conversation).toMessages), turnsOf(send(...conversation).toChat)]) {
      expect(JSON.stringify(turns)).toContain('seen')
    }
    const { toMessages, toChat, losses } = send(...conversation)
    const [, assistant, result] = turnsOf(toMessages) as { content: JsonObject[] }[]
    expect(assistant?.content[0]).toMatchObject({ type: 'tool_use', name: 'look', input: { at: 1 } })
    expect(result?.content[0]).toMatchObject({ type: 'tool_result', content: 'seen' })
    expect(result?.content[0]?.['tool_use_id']).toBe(assistant?.content[0]?.['id'])
    expect(losses).toEqual(expect.arrayContaining(['added messages.1.parts.0.id', 'added messages.2.parts.0.callId']))
    const [, calling, answered] = turnsOf(toChat) as { tool_calls?: { id: string }[]; tool_call_id?: string }[]
    expect(answered?.tool_call_id).toBe(calling?.tool_calls?.[0]?.id)
  })

  it('keeps an audio id for chat and reports it for messages [chat.role.assistant:through]', () => {
    const assistant = { role: 'assistant', content: 'spoken', audio: { id: 'audio_1' } }
    const { toChat, toMessages, losses } = send(hello, assistant, hello)
    expect(turnsOf(toChat)[1]).toEqual(assistant)
    expect(turnsOf(toMessages)[1]).toEqual({ role: 'assistant', content: 'spoken' })
    expect(losses).toEqual(['dropped messages.1.extras.chat.audio.id'])
  })

  it('returns reasoning_details unchanged to their issuer [chat.role.assistant:through]', () => {
    const details = [
      { type: 'reasoning.text', text: 'hm', signature: 'sig1', format: 'openai-v1', index: 0 },
      { type: 'reasoning.encrypted', data: 'opaque', id: 'rs_1', index: 1 },
    ]
    const assistant = { role: 'assistant', content: 'yes', reasoning: 'hm', reasoning_details: details }
    const { toChat, toMessages, losses } = send(hello, assistant, hello)
    expect(turnsOf(toChat)[1]).toEqual(assistant)
    expect(reported(toChat)).toEqual([])
    expect(turnsOf(toMessages)[1]).toEqual({ role: 'assistant', content: 'yes' })
    expect(losses).toEqual(['dropped messages.1.parts.0', 'dropped messages.1.parts.1'])
  })

  it('keeps extras of a message and its parts for chat, reported for others [tr.identity] [tr.losses]', () => {
    const image = { type: 'image_url', image_url: { url: 'https://a', foo: 1 }, bar: 2 }
    const user = { role: 'user', content: [image], baz: 3 }
    const { toChat, losses } = send(user)
    expect(turnsOf(toChat)).toEqual([user])
    expect(losses).toEqual([
      'dropped messages.0.extras.chat.baz',
      'dropped messages.0.parts.0.extras.chat.image_url.foo',
      'dropped messages.0.parts.0.extras.chat.bar',
    ])
  })
})
