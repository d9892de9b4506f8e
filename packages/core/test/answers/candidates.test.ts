import { describe, expect, it } from 'vitest'
import { chat, genai, messages, responses } from '../untyped.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { translate } from '../../src/protocols/translate.ts'

const contents = [{ role: 'user', parts: [{ text: 'hello' }] }]
const body = { contents, generationConfig: { candidateCount: 2 } }
const reported = ({ losses }: { losses: readonly { kind: string; path: readonly unknown[] }[] }) =>
  losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)

describe('several candidates of a genai client', () => {
  it('are asked of a chat upstream as n, without a loss [genai.gen.candidateCount:through]', () => {
    const sent = translate(genai, chat, body, { model: 'm' })
    expect(sent.body['n']).toBe(2)
    expect(reported(sent)).toEqual([])
  })

  it('come back from the choices of a chat upstream, each with its own end [genai.gen.candidateCount:through]', () => {
    const choice = (index: number, message: JsonObject, finish_reason: string) => ({ index, message, finish_reason })
    const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }
    const answer = {
      id: 'a',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [
        choice(0, { role: 'assistant', content: 'one' }, 'stop'),
        choice(1, { role: 'assistant', content: null, tool_calls: [call] }, 'length'),
      ],
      usage: { prompt_tokens: 1, completion_tokens: 4, total_tokens: 5 },
    }
    const { body: back, losses } = translate(genai, chat, body, { model: 'm' }).response(answer)
    expect(back['candidates']).toEqual([
      { content: { role: 'model', parts: [{ text: 'one' }] }, finishReason: 'STOP', index: 0 },
      {
        content: { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'look', args: { at: 1 } } }] },
        finishReason: 'MAX_TOKENS',
        index: 1,
      },
    ])
    expect(back['usageMetadata']).toMatchObject({ candidatesTokenCount: 4 })
    expect(losses).toEqual([])
  })

  it('are one in a stream, reported: the upstream is not paid for answers that the client does not get', () => {
    for (const upstream of [chat, genai]) {
      const sent = translate(genai, upstream, body, { model: 'm', match: { stream: true } })
      expect(sent.body).not.toHaveProperty('n')
      expect(sent.body).not.toHaveProperty('generationConfig')
      expect(reported(sent)).toContain('dropped settings.candidates')
    }
  })

  it.each([messages, responses])('are a loss toward $name', (upstream) => {
    expect(reported(translate(genai, upstream, body, { model: 'm' }))).toContain('dropped settings.candidates')
  })

  it('a single one is not asked for: upstreams without n refuse it', () => {
    const one = genai.request.check({ contents, generationConfig: { candidateCount: 1 } })
    const sent = translate(genai, chat, one, { model: 'm' })
    expect(sent.body).not.toHaveProperty('n')
    expect(reported(sent)).toEqual([])
  })
})

describe('one answer of a chat client', () => {
  it.each([chat, messages, genai, responses])(
    'is not a loss toward $name, in a body that was not checked',
    (upstream) => {
      const one = { model: 'm', max_completion_tokens: 100, messages: [{ role: 'user', content: 'hello' }], n: 1 }
      expect(reported(translate(chat, upstream, one, { model: 'm' }))).toEqual([])
    },
  )

  it.each([messages, responses])('and more than one are a loss toward $name', (upstream) => {
    const two = { model: 'm', max_completion_tokens: 100, messages: [{ role: 'user', content: 'hello' }], n: 2 }
    expect(reported(translate(chat, upstream, two, { model: 'm' }))).toEqual(['dropped settings.candidates'])
  })
})
