import { createOpenAI as createVercel } from '@ai-sdk/openai'
import { Agent, OpenAIProvider, Runner, tool as agentTool } from '@openai/agents'
import { generateText, isStepCount, Output, streamText, tool } from 'ai'
import { zodTextFormat } from 'openai/helpers/zod'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createOpenAI } from '../clients/openai.ts'
import { WEATHER } from './scene.ts'
import { DELIVERIES, UPSTREAMS, useStage, type Upstream } from './stage.ts'

globalThis.AI_SDK_LOG_WARNINGS = false
const { server, double, lastRequest } = useStage()

const THOUGHT = { reasoning: 'I need the weather, surely.' }
const LOOP = [
  { parts: [THOUGHT, { text: 'Let me see.' }, WEATHER] },
  { parts: [{ text: 'Warm.' }], usage: { input: 30, output: 9, cacheRead: 10 } },
] as const
const CITY = z.object({ city: z.string(), unit: z.string() })

/** The seal of the first turn: genai signs the call, others the reasoning before it. */
function sealOf(upstream: Upstream): string {
  return double(upstream).seal(upstream.protocol === 'genai' ? WEATHER.call : THOUGHT.reasoning)
}

/** The second request has the whole first turn: nothing was lost on the way through the client. */
function expectWholeTurn(upstream: Upstream): void {
  expect(double(upstream).refused).toEqual([])
  expect(double(upstream).received).toHaveLength(2)
  const [, turn, results] = lastRequest(upstream).turns
  expect(turn).toMatchObject({ role: 'model', text: 'Let me see.', calls: [{ name: WEATHER.call }] })
  expect(turn?.seals).toContain(sealOf(upstream))
  expect(results).toMatchObject({ role: 'user', results: [{ text: '21 degrees' }] })
}

describe.each(UPSTREAMS)('the default model of @ai-sdk/openai, to $protocol', (upstream) => {
  const modelOf = () => createVercel({ baseURL: `${server().url}/api/v1`, apiKey: server().key })(upstream.model)
  const tools = { get_weather: tool({ inputSchema: CITY, execute: () => '21 degrees' }) }

  describe.each([
    ['store unset', {}],
    ['store: false', { store: false }],
  ])('%s', (_title, store) => {
    it.each(DELIVERIES)(
      '[tr.4x4] [tr.signatures] [resp.item_reference] [resp.store] keeps words and seals over a loop of tools, %s',
      async (delivery) => {
        double(upstream).play(...LOOP)
        const reasoning = { forceReasoning: true, reasoningEffort: 'medium', reasoningSummary: 'auto' } as const
        const params = {
          model: modelOf(),
          prompt: 'How is the weather?',
          tools,
          stopWhen: isStepCount(3),
          maxRetries: 0,
          providerOptions: { openai: { ...store, ...reasoning } },
        }
        const result = delivery === 'whole' ? await generateText(params) : streamText(params)
        expect(await result.text).toBe('Warm.')
        const steps = await result.steps
        expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop'])
        expect(steps[0]?.reasoningText).toBe(THOUGHT.reasoning)
        expect(steps[1]?.usage).toMatchObject({ inputTokens: 30, outputTokens: 9 })
        expect(steps[1]?.usage.inputTokenDetails.cacheReadTokens).toBe(10)
        expectWholeTurn(upstream)
      },
    )
  })

  it.each(DELIVERIES)('[tr.4x4] makes objects, %s', async (delivery) => {
    double(upstream).play({ parts: [{ text: '{"city":"Rome","unit":"kelvin"}' }] })
    const params = { model: modelOf(), prompt: 'Where?', output: Output.object({ schema: CITY }), maxRetries: 0 }
    const { output } = delivery === 'whole' ? await generateText(params) : streamText(params)
    expect(await output).toEqual({ city: 'Rome', unit: 'kelvin' })
    expect(lastRequest(upstream).schema).toMatchObject({ properties: { city: {}, unit: {} } })
  })
})

describe.each(UPSTREAMS)('@openai/agents, to $protocol', (upstream) => {
  const runner = () =>
    new Runner({
      modelProvider: new OpenAIProvider({
        baseURL: `${server().url}/api/v1`,
        apiKey: server().key,
        useResponses: true,
      }),
      tracingDisabled: true,
    })
  const weather = agentTool({
    name: 'get_weather',
    description: 'The weather in a city.',
    parameters: CITY,
    execute: () => '21 degrees',
  })
  const modelSettings = { reasoning: { effort: 'medium', summary: 'auto' } } as const

  it('[tr.4x4] [tr.signatures] runs a loop of tools with one call of the upstream for each turn', async () => {
    double(upstream).play(...LOOP)
    const agent = new Agent({ name: 'Weather', model: upstream.model, tools: [weather], modelSettings })
    expect((await runner().run(agent, 'How is the weather?')).finalOutput).toBe('Warm.')
    expectWholeTurn(upstream)
  })

  it('[tr.4x4] [tr.signatures] runs it streamed', async () => {
    double(upstream).play(...LOOP)
    const agent = new Agent({ name: 'Weather', model: upstream.model, tools: [weather], modelSettings })
    const result = await runner().run(agent, 'How is the weather?', { stream: true })
    await result.completed
    expect(result.finalOutput).toBe('Warm.')
    expectWholeTurn(upstream)
  })

  it('[tr.4x4] hands over to another agent, and gives an answer of a type', async () => {
    double(upstream).play(
      { parts: [{ call: 'transfer_to_Writer', id: 'call_1', input: {} }] },
      { parts: [{ text: '{"city":"Rome","unit":"kelvin"}' }] },
    )
    const writer = new Agent({ name: 'Writer', model: upstream.model, outputType: CITY })
    const agent = Agent.create({ name: 'Desk', model: upstream.model, handoffs: [writer] })
    const { finalOutput } = await runner().run(agent, 'Write.')
    expect(finalOutput).toEqual({ city: 'Rome', unit: 'kelvin' })
    expect(double(upstream).received).toHaveLength(2)
    expect(double(upstream).refused).toEqual([])
  })

  it('[tr.4x4] raises an error for an answer that was cut', async () => {
    double(upstream).play({ parts: [{ text: 'As far as' }], stop: upstream.finishOf.length })
    const agent = new Agent({ name: 'Cut', model: upstream.model })
    const result = await runner().run(agent, 'Go on.', { stream: true })
    await expect(result.completed).rejects.toThrow(/incomplete|max_output_tokens/)
  })
})

describe.each(UPSTREAMS)('openai responses, to $protocol', (upstream) => {
  it('[tr.4x4] [resp.parse] parses, and streams what it would have answered whole', async () => {
    const client = createOpenAI(server())
    const format = zodTextFormat(CITY, 'answer')
    const body = { model: upstream.model, input: 'Where?', store: false }
    double(upstream).play({ parts: [{ text: '{"city":"Rome","unit":"kelvin"}' }] })
    const parsed = await client.responses.parse({ ...body, text: { format } })
    expect(parsed.output_parsed).toEqual({ city: 'Rome', unit: 'kelvin' })

    double(upstream).play(LOOP[0])
    const whole = await client.responses.create(body)
    const streamed = await client.responses.stream(body).finalResponse()
    expect(kinds(streamed.output)).toEqual(kinds(whole.output))
    expect(streamed.output_text).toBe(whole.output_text)
    expect([whole, streamed]).toMatchObject([{ store: false }, { store: false }])
  })
})

function kinds(output: readonly { readonly type: string }[]): string[] {
  return output.map(({ type }) => type)
}
