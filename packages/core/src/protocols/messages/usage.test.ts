import { describe, expect, it } from 'vitest'
import { chat, messages } from '../../../test/untyped.ts'
import type { JsonObject } from '../../lib/json.ts'
import { translateResponse, translateStream } from '../translate.ts'

const counts = { input_tokens: 3, output_tokens: 2 }
const answer = (usage: JsonObject) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'hi' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
})
const chatAnswer = (tier: string) => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  service_tier: tier,
})

describe('[msg.res.usage:through] the tier of an answer', () => {
  it.each([
    ['standard', 'default'],
    ['priority', 'priority'],
  ])('is %s in messages and %s in chat', (word, same) => {
    const { body, losses } = translateResponse(chat, messages, answer({ ...counts, service_tier: word }))
    expect(body).toMatchObject({ service_tier: same })
    expect(losses.map(({ code }) => code)).toEqual(['added-time'])
    expect(translateResponse(messages, chat, chatAnswer(same)).body).toMatchObject({
      usage: { ...counts, service_tier: word },
    })
  })

  it('is in the usage of the last event of a stream', () => {
    const { object, choices, ...head } = chatAnswer('priority')
    const chunk = {
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
    }
    let out = ''
    const stream = translateStream(messages, chat, (text) => (out += text))
    stream.push(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`))
    stream.end()
    const last = /^event: message_delta\ndata: (.*)$/m.exec(out)?.[1] ?? ''
    expect(JSON.parse(last)).toMatchObject({ usage: { ...counts, service_tier: 'priority' } })
  })

  it('of a stream is read from its first event', () => {
    const { content, ...message } = answer({ ...counts, service_tier: 'priority' })
    const events = [
      { type: 'message_start', message: { ...message, content: [] } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
      { type: 'message_stop' },
    ]
    let out = ''
    const stream = translateStream(chat, messages, (text) => (out += text))
    stream.push(new TextEncoder().encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')))
    stream.end()
    expect(out).toContain('"service_tier":"priority"')
  })

  it('is kept if its word is unknown, and reported where there is none for it', () => {
    const odd = answer({ ...counts, service_tier: 'batch' })
    expect(translateResponse(messages, messages, odd).body).toEqual(odd)
    const { losses } = translateResponse(messages, chat, chatAnswer('flex'))
    expect(losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)).toContain('dropped serviceTier')
  })
})
