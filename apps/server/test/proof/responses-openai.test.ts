import type OpenAI from 'openai'
import { zodTextFormat } from 'openai/helpers/zod'
import { describe, expect, it } from 'vitest'
import { createOpenAI } from '../clients/openai.ts'
import { CITY, LOOP, THOUGHT } from './responses-scene.ts'
import { UPSTREAMS, useStage, type Upstream } from './stage.ts'

const { server, double } = useStage()
type Body = Pick<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'store' | 'reasoning' | 'tools'>

/** Every kind of block, and two calls at once, one of them of a custom tool. Chat cannot place reasoning after a text. */
const BLOCKS = [
  { reasoning: 'Two things are needed.' },
  { text: 'Let me see.' },
  { call: 'get_weather', id: 'call_1', input: { city: 'Rome', unit: 'kelvin' } },
  { call: 'write_note', id: 'call_2', input: { input: 'plums "1618"\n' } },
] as const
const TOOLS: Body = {
  store: false,
  reasoning: { effort: 'medium', summary: 'auto' },
  tools: [
    {
      type: 'function',
      name: 'get_weather',
      strict: null,
      parameters: { type: 'object', properties: { city: { type: 'string' }, unit: { type: 'string' } } },
    },
    { type: 'custom', name: 'write_note' },
  ],
}
/** Upstreams with custom tools of their own answer with text, which the doubles do not. */
const JSON_TOOLS: readonly Upstream['protocol'][] = ['messages', 'genai']

/** What is the same in every answer to a request: all but ids, times and what the helper for streams adds. */
function comparable(answer: object): unknown {
  const text = JSON.stringify(answer, (key, value: unknown) =>
    /^(id|created_at|(output_)?parsed(_arguments)?)$/.test(key) ? undefined : value,
  )
  return JSON.parse(text)
}

describe.each(UPSTREAMS)('openai responses, to $protocol', (upstream) => {
  const answerBoth = async (body: Body) => {
    const client = createOpenAI(server())
    const params = { model: upstream.model, input: 'Go on.', ...body }
    const whole = await client.responses.create(params)
    const streamed = await client.responses.stream(params).finalResponse()
    expect(comparable(streamed)).toEqual(comparable(whole))
    return whole
  }

  it('[tr.4x4] [resp.stream] streams every kind of block as it would have answered whole', async () => {
    const isCustom = JSON_TOOLS.includes(upstream.protocol)
    double(upstream).play({ parts: isCustom ? BLOCKS : BLOCKS.slice(0, 3) })
    const { output, status } = await answerBoth(TOOLS)
    expect(status).toBe('completed')
    expect(output).toMatchObject([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Two things are needed.' }] },
      { type: 'message', content: [{ type: 'output_text', text: 'Let me see.' }] },
      { type: 'function_call', name: 'get_weather', arguments: '{"city":"Rome","unit":"kelvin"}' },
      ...(isCustom ? [{ type: 'custom_tool_call', name: 'write_note', input: 'plums "1618"\n' }] : []),
    ])
  })

  it.each(['length', 'filter'] as const)(
    '[tr.4x4] [resp.stream] streams an answer that was ended by %s as it would have answered whole',
    async (end) => {
      double(upstream).play({ parts: [THOUGHT, { text: 'As far as' }], stop: upstream.finishOf[end] })
      const { status, output_text: text } = await answerBoth({ store: false })
      expect(text).toBe('As far as')
      // A filter of messages is a refusal, which is an answer if it has words.
      const isRefusal = end === 'filter' && upstream.protocol === 'messages'
      expect(status).toBe(isRefusal ? 'completed' : 'incomplete')
    },
  )

  it('[tr.4x4] [resp.stream] streams usage and two calls of one tool as it would have answered whole', async () => {
    const calls = ['call_1', 'call_2'].map((id) => ({ ...BLOCKS[2], id }))
    double(upstream).play({ parts: calls, usage: { input: 30, output: 9, cacheRead: 10 } })
    const { output, usage } = await answerBoth(TOOLS)
    expect(output.map(({ type }) => type)).toEqual(['function_call', 'function_call'])
    expect(usage).toMatchObject({ input_tokens: 30, input_tokens_details: { cached_tokens: 10 }, output_tokens: 9 })
  })

  it('[tr.4x4] [resp.parse] parses, whole and streamed', async () => {
    const client = createOpenAI(server())
    const params = {
      model: upstream.model,
      input: 'Where?',
      store: false,
      text: { format: zodTextFormat(CITY, 'answer') },
    }
    double(upstream).play({ parts: [{ text: '{"city":"Rome","unit":"kelvin"}' }] })
    const whole = await client.responses.parse(params)
    const streamed = await client.responses.stream(params).finalResponse()
    for (const { output_parsed: parsed } of [whole, streamed]) expect(parsed).toEqual({ city: 'Rome', unit: 'kelvin' })
  })

  it('[tr.4x4] [err.midstream] raises an error in the middle of a stream with its message', async () => {
    const error = { type: 'server_error', message: 'The lion is asleep.' }
    double(upstream).play({ parts: LOOP[0].parts, sending: { cut: { after: 4, how: { status: 500, error } } } })
    const stream = createOpenAI(server()).responses.stream({ model: upstream.model, input: 'Go on.', store: false })
    await expect(stream.finalResponse()).rejects.toThrow('The lion is asleep.')
  })
})
