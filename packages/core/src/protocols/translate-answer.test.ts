import { describe, expect, it } from 'vitest'
import { chat } from './chat/index.ts'
import { genai } from './genai/index.ts'
import { messages } from './messages/index.ts'
import { translate } from './translate.ts'
import { translateAnswer } from './translate-answer.ts'

const REQUEST = {
  model: 'm',
  stop: ['END'],
  messages: [{ role: 'user', content: 'Look it up' }],
  tools: [{ type: 'function', function: { name: 'look it up', parameters: { type: 'object' } } }],
}
const OPTIONS = { answerModel: 'acme/m', id: () => 'id', now: 7 }
const ANSWER = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'upstream-m',
  content: [{ type: 'tool_use', id: 'toolu_1', name: 'look_it_up', input: {} }],
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 4 },
}

describe('the facts that the translation of a response needs', () => {
  it('are plain data that restore the names of tools, the model and the time', () => {
    const { facts } = translate(chat, messages, REQUEST, OPTIONS)
    const { body, usage } = translateAnswer(chat, messages, structuredClone(facts), OPTIONS).response(ANSWER)
    expect(body).toMatchObject({
      model: 'acme/m',
      created: 7,
      choices: [{ message: { tool_calls: [{ function: { name: 'look it up' } }] } }],
    })
    expect(usage).toMatchObject({ input: 3, output: 4 })
  })

  it('contain the requested stop sequences', () => {
    const request = {
      model: 'm',
      max_tokens: 9,
      stop_sequences: ['END'],
      messages: [{ role: 'user', content: 'Count' }],
    }
    const { facts } = translate(messages, genai, request)
    expect(structuredClone(facts).asked.stop).toEqual(['END'])
  })

  it('hide reasoning that the caller does not want to see', () => {
    const thinking = { type: 'thinking', thinking: 'secretly', signature: 's' }
    const { facts } = translate(chat, messages, { ...REQUEST, reasoning: { effort: 'high', exclude: true } })
    const answer = { ...ANSWER, content: [thinking, { type: 'text', text: 'Hi' }], stop_reason: 'end_turn' }
    const { body } = translateAnswer(chat, messages, structuredClone(facts)).response(answer)
    expect(JSON.stringify(body)).not.toContain('secretly')
  })
})
