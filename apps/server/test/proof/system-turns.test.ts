import { describe, expect, it } from 'vitest'
import { createAnthropic } from '../clients/anthropic.ts'
import { UPSTREAMS, useStage, type Upstream } from './stage.ts'

const { server, double } = useStage()
const [CHAT, MESSAGES, GENAI] = UPSTREAMS as readonly [Upstream, Upstream, Upstream]

/** As Claude Code sends it: an instruction after the question that it belongs to. */
const TURNS = [
  { role: 'user' as const, content: 'Where are you?' },
  { role: 'system' as const, content: 'Be brief.' },
]

function ask(model: string) {
  return createAnthropic(server()).messages.create({ model, max_tokens: 100, messages: TURNS }).withResponse()
}

describe('an instruction in the middle of a conversation', () => {
  it('[msg.system:in] reaches a model that accepts it unchanged', async () => {
    const { response } = await ask('anthropic/claude-opus-4.8')
    expect(response.headers.get('x-dragoman-path')).toBe('relay')
    expect(double(MESSAGES).received.at(-1)?.body['messages']).toEqual(TURNS)
  })

  it('[msg.system:in] reaches other messages models as a user turn, and that is reported', async () => {
    const { response } = await ask(MESSAGES.model)
    expect(response.headers.get('x-dragoman-losses')).toBe('1: changed messages[1].role')
    expect(double(MESSAGES).received.at(-1)?.body['messages']).toEqual([
      TURNS[0],
      { role: 'user', content: 'Be brief.' },
    ])
  })

  it('[msg.system:in] stays an instruction in chat', async () => {
    const { response } = await ask(CHAT.model)
    expect(response.headers.get('x-dragoman-losses')).toBeNull()
    expect(double(CHAT).received.at(-1)?.body['messages']).toEqual(TURNS)
  })

  it('[msg.system:in] is a user turn in genai', async () => {
    await ask(GENAI.model)
    expect(double(GENAI).received.at(-1)?.body['contents']).toEqual([
      { role: 'user', parts: [{ text: 'Where are you?' }] },
      { role: 'user', parts: [{ text: 'Be brief.' }] },
    ])
  })
})
