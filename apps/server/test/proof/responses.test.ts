import { createOpenAI as createVercel } from '@ai-sdk/openai'
import { Agent, OpenAIProvider, Runner, tool as agentTool } from '@openai/agents'
import { generateText, isStepCount, Output, streamText, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { CITY, expectWholeTurn, LOOP, THOUGHT } from './responses-scene.ts'
import { DELIVERIES, UPSTREAMS, useStage } from './stage.ts'

globalThis.AI_SDK_LOG_WARNINGS = false
const stage = useStage()
const { server, double, lastRequest } = stage

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
