import { createOpenAI as createVercel } from '@ai-sdk/openai'
import { Agent, OpenAIProvider, Runner, tool as agentTool } from '@openai/agents'
import { generateText, isStepCount, Output, streamText, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { CITY, expectWholeTurn, LOOP, THOUGHT } from './responses-scene.ts'
import { DELIVERIES, UPSTREAMS, useStage, type Upstream } from './stage.ts'

globalThis.AI_SDK_LOG_WARNINGS = false
const stage = useStage()
const { server, double, lastRequest } = stage

const REASONING = { forceReasoning: true, reasoningEffort: 'medium', reasoningSummary: 'auto' } as const

describe.each(UPSTREAMS)('the default model of @ai-sdk/openai, to $protocol', (upstream) => {
  const modelOf = (send = fetch) =>
    createVercel({ baseURL: `${server().url}/api/v1`, apiKey: server().key, fetch: send })(upstream.model)
  const tools = { get_weather: tool({ inputSchema: CITY, execute: () => '21 degrees' }) }

  describe.each([
    ['store unset', REASONING],
    ['store: false', { store: false, ...REASONING }],
    // Of models that it does not know as reasoning ones it asks for no encrypted reasoning, but returns it.
    ['store: false, without include', { store: false }],
  ])('%s', (_title, settings) => {
    it.each(DELIVERIES)(
      '[tr.4x4] [tr.signatures] [resp.item_reference] [resp.store] keeps words and seals over a loop of tools, %s',
      async (delivery) => {
        double(upstream).play(...LOOP)
        const included: unknown[] = []
        const params = {
          model: modelOf((input, init) => {
            if (typeof init?.body === 'string') included.push((JSON.parse(init.body) as { include?: unknown }).include)
            return fetch(input, init)
          }),
          prompt: 'How is the weather?',
          tools,
          stopWhen: isStepCount(3),
          maxRetries: 0,
          providerOptions: { openai: settings },
        }
        const result = delivery === 'whole' ? await generateText(params) : streamText(params)
        expect(await result.text).toBe('Warm.')
        const steps = await result.steps
        expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop'])
        expect(steps[0]?.reasoningText).toBe(THOUGHT.reasoning)
        expect(steps[1]?.usage).toMatchObject({ inputTokens: 30, outputTokens: 9 })
        expect(steps[1]?.usage.inputTokenDetails.cacheReadTokens).toBe(10)
        const asksForSeals = 'forceReasoning' in settings && 'store' in settings
        expect(included).toEqual(Array(2).fill(asksForSeals ? ['reasoning.encrypted_content'] : undefined))
        expectWholeTurn(stage, upstream)
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

it.each(DELIVERIES)('[resp.res.usage:through] has the split of the cache in the AI SDK, %s', async (delivery) => {
  const upstream = UPSTREAMS[1] as Upstream // messages, which reports what was written
  const usage = { input: 30, output: 9, cacheRead: 10, cacheWrite: 5 }
  double(upstream).play({ parts: [{ text: 'Yes.' }], usage })
  const vercel = createVercel({ baseURL: `${server().url}/api/v1`, apiKey: server().key })
  const params = { model: vercel(upstream.model), prompt: 'Is it so?', maxRetries: 0 }
  const result = delivery === 'whole' ? await generateText(params) : streamText(params)
  expect(await result.usage).toMatchObject({
    inputTokens: 30,
    inputTokenDetails: { noCacheTokens: 15, cacheReadTokens: 10, cacheWriteTokens: 5 },
    outputTokens: 9,
    totalTokens: 39,
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
    expectWholeTurn(stage, upstream)
  })

  it('[tr.4x4] [tr.signatures] runs it streamed', async () => {
    double(upstream).play(...LOOP)
    const agent = new Agent({ name: 'Weather', model: upstream.model, tools: [weather], modelSettings })
    const result = await runner().run(agent, 'How is the weather?', { stream: true })
    await result.completed
    expect(result.finalOutput).toBe('Warm.')
    expectWholeTurn(stage, upstream)
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

  it('[tr.4x4] raises an error for a streamed answer that was cut', async () => {
    double(upstream).play({ parts: [{ text: 'As far as' }], stop: upstream.finishOf.length })
    const agent = new Agent({ name: 'Cut', model: upstream.model })
    const result = await runner().run(agent, 'Go on.', { stream: true })
    await expect(result.completed).rejects.toThrow(/incomplete|max_output_tokens/)
  })
})
