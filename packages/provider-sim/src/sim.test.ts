import { describe, expect, it } from 'vitest'
import { createLosses, type Part, type ModelRequest, type Tool } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { createSim } from './index.ts'
import { all, ask, send, user } from '../test/call.ts'

const sim = createSim({ now: () => 1000 })
const weather: Tool = {
  type: 'function',
  name: 'get_weather',
  schema: {
    dialect: 'json-schema',
    value: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}
const time: Tool = { ...weather, name: 'get_time' }
const streams = [{ stream: false }, { stream: true, usage: true }]

const partsOf = async (
  protocol: (typeof protocols)[number],
  request: Partial<ModelRequest>,
): Promise<readonly Part[]> => (await ask(sim, protocol, request)).candidates[0]?.parts ?? []

describe('the simulator', () => {
  it('has a free model for every protocol, and for images and videos', () => {
    expect(sim.models.map(({ name, protocols: spoken }) => [name, spoken])).toEqual([
      ...protocols.map(({ name }) => [`${name}-1`, [name]]),
      ['painter', ['chat']],
      ['painter-genai', ['genai']],
      ['film', ['own']],
      ['vectors', ['chat']],
      ['vectors-genai', ['genai']],
      ['ranker', ['chat']],
    ])
    const prices = sim.models.flatMap((card) => Object.values(card.prices ?? {}).flat())
    expect(prices.length).toBeGreaterThanOrEqual(sim.models.length)
    expect(prices.filter(({ value }) => value !== 0)).toEqual([])
  })

  it('names the invalid option', () => {
    expect(() => createSim({ tokensPerSecond: 0 })).toThrow(/tokensPerSecond/)
    expect(() => createSim({ videoSeconds: -1 })).toThrow(/videoSeconds/)
  })
})

describe.each(all)('the simulated %s model', (_name, protocol) => {
  const model = `${protocol.name}-1`

  it('gives the same response, streamed or not, every time', async () => {
    const [whole, streamed] = await Promise.all(
      streams.map((delivery) => ask(sim, protocol, { messages: [user('Why is the sky blue?')], delivery })),
    )
    expect(streamed?.candidates).toEqual(whole?.candidates)
    expect(streamed?.usage).toEqual(whole?.usage)
    // The text of a message may have a phase.
    expect(whole?.candidates[0]?.parts).toMatchObject([
      { type: 'text', text: expect.stringContaining('Why is the sky blue?') },
    ])
    expect(whole?.candidates[0]?.finish.reason).toBe('stop')
    expect(await ask(sim, protocol, { messages: [user('Why is the sky blue?')], delivery: { stream: false } })).toEqual(
      whole,
    )
  })

  it('counts four characters as a token', async () => {
    const { usage, candidates } = await ask(sim, protocol, { messages: [user('12345678')] })
    const [text] = candidates[0]?.parts ?? []
    expect(usage).toMatchObject({ input: 2, output: Math.ceil((text?.type === 'text' ? text.text.length : 0) / 4) })
  })

  it('calls a tool whose schema requires something other than names', async () => {
    for (const strange of [{ a: 1 }, { toString: 1 }]) {
      const value = { type: 'object', properties: { city: { type: 'string' } }, required: [strange, 'city'] }
      const tools: Tool[] = [{ ...weather, schema: { dialect: 'json-schema', value } }]
      const [call] = await partsOf(protocol, { messages: [user('Use get_weather for Paris.')], tools })
      const given = call?.type === 'tool-call' ? call.arguments : undefined
      expect(typeof given === 'string' ? JSON.parse(given) : given).toEqual({ city: 'example' })
    }
  })

  it('calls a tool with arguments of its schema, then reports the result', async () => {
    const asked = [user('Use get_weather for Paris.')]
    const [call] = await partsOf(protocol, { messages: asked, tools: [weather, time] })
    expect(call).toMatchObject({ type: 'tool-call', name: 'get_weather' })
    if (call?.type !== 'tool-call') return
    expect(typeof call.arguments === 'string' ? JSON.parse(call.arguments) : call.arguments).toEqual({
      city: 'example',
    })
    const result: Part = {
      type: 'tool-result',
      callId: call.id ?? '',
      output: { parts: [{ type: 'text', text: '21 degrees' }] },
      by: 'client',
    }
    const messages = [...asked, { role: 'assistant', parts: [call] }, { role: 'user', parts: [result] }] as const
    expect(await partsOf(protocol, { messages, tools: [weather] })).toMatchObject([
      { type: 'text', text: 'Here is what I found. get_weather says: 21 degrees' },
    ])
  })

  it('calls no tool of an agent that the prompt does not ask for, and none with words of the prompt', async () => {
    const shell: Tool = { ...weather, name: 'bash' }
    const write: Tool = { ...time, name: 'write' }
    const go = (text: string, more: Partial<ModelRequest> = {}) =>
      partsOf(protocol, { messages: [user(text)], tools: [shell, write], ...more })
    expect(await go('Say hello.')).toMatchObject([{ type: 'text' }])
    const calls = [
      await go('Use bash and Remove Everything'),
      await go('Say Hello', { toolChoice: { mode: 'required' } }),
    ]
    for (const [call] of calls) expect(call).toMatchObject({ type: 'tool-call', name: 'bash' })
    expect(JSON.stringify(calls)).not.toMatch(/Remove|Everything|Hello/)
  })

  it('makes the calls that the choice allows', async () => {
    const named = async (
      text: string,
      toolChoice: ModelRequest['toolChoice'],
      tools: readonly Tool[] = [weather, time],
    ) => {
      const parts = await partsOf(protocol, {
        messages: [user(text)],
        tools,
        ...(toolChoice === undefined ? {} : { toolChoice }),
      })
      return parts.map((part) => (part.type === 'tool-call' ? part.name : part.type))
    }
    expect(await named('Use both tools', undefined)).toEqual(['get_weather', 'get_time'])
    expect(await named('Use both tools', undefined, [weather])).toEqual(['get_weather', 'get_weather'])
    // A model cannot obey a choice that its protocol cannot express.
    const one = protocol.name === 'genai' ? ['get_weather', 'get_time'] : ['get_weather']
    expect(await named('Use both tools', { mode: 'auto', parallel: false })).toEqual(one)
    expect(await named('Ask get_time please', undefined)).toEqual(['get_time'])
    expect(await named('Ask', { mode: 'required', names: ['get_time'] })).toEqual(['get_time'])
    expect(await named('Ask', { mode: 'none' })).toEqual(['text'])
  })

  it('signs its reasoning, recognizes it, and refuses other signatures', async () => {
    const asked = [user('Use get_weather for Paris.')]
    const reasoning = { on: true, budget: 2000 }
    const [thought, call] = await partsOf(protocol, { messages: asked, tools: [weather], reasoning })
    expect(thought).toMatchObject({
      type: 'reasoning',
      seal: { issuer: protocol.issuer, value: expect.stringMatching(/^simseal0/) },
    })
    if (thought?.type !== 'reasoning' || call?.type !== 'tool-call') throw new Error('no reasoning and call')
    const result: Part = {
      type: 'tool-result',
      callId: call.id ?? '',
      output: { parts: [{ type: 'text', text: 'warm' }] },
      by: 'client',
    }
    const go = (parts: readonly Part[]): Promise<readonly Part[]> =>
      partsOf(protocol, {
        messages: [...asked, { role: 'assistant', parts }, { role: 'user', parts: [result] }],
        tools: [weather],
        reasoning,
      })
    expect(await go([thought, call])).toContainEqual(
      expect.objectContaining({ text: expect.stringContaining('came back sealed') }),
    )
    expect(JSON.stringify(await go([call]))).not.toContain('came back sealed')
    await expect(go([{ ...thought, text: 'other thoughts' }, call])).rejects.toThrow(
      /signature that was not issued here/,
    )
    await expect(go([{ ...thought, seal: { issuer: protocol.issuer, value: 'abcd' } }, call])).rejects.toThrow(
      /not issued/,
    )
  })

  it('gives structured output that fits the schema', async () => {
    const value = {
      type: 'object',
      properties: { count: { type: 'integer', minimum: 5 } },
      required: ['count'],
      additionalProperties: false,
    }
    const output = { format: 'json', name: 'answer', schema: { dialect: 'json-schema', value } } as const
    expect(await partsOf(protocol, { messages: [user('How many?')], output })).toMatchObject([
      { type: 'text', text: '{"count":5}' },
    ])
  })

  // Responses has no stop sequences.
  if (protocol.name !== 'responses') {
    it('stops at a stop sequence', async () => {
      const stopped = await ask(sim, protocol, {
        messages: [user('a STOP b')],
        settings: { maxTokens: 100, stop: ['STOP'] },
      })
      expect(stopped.candidates[0]?.parts).toEqual([{ type: 'text', text: expect.stringMatching(/ "a $/) }])
    })
  }

  it('stops at the length', async () => {
    // Responses begins at 16 tokens.
    const short = await ask(sim, protocol, { messages: [user('hello')], settings: { maxTokens: 16 } })
    const [text] = short.candidates[0]?.parts ?? []
    expect(short.candidates[0]?.finish).toEqual({ reason: 'length' })
    expect(text?.type === 'text' ? text.text.length : 0).toBe(64)
  })

  it.each([400, 429, 500, 529])('answers with status %i if requested', async (status) => {
    const body = protocol.request.encode(
      { model, messages: [user(`please [[error ${status}]]`)], settings: { maxTokens: 10 }, delivery: {} },
      { issuer: protocol.issuer, losses: createLosses(), toward: 'upstream', id: () => 'id', now: 0 },
    )
    const answered = await send(sim, protocol, model, body)
    expect(answered.status).toBe(status)
    expect(protocol.error.decode(status, answered.text).message).toContain(`status ${status}`)
    expect(answered.header('retry-after')).toBe(status === 429 ? '1' : undefined)
  })

  it.each(streams)('disconnects if requested: $stream', async (delivery) => {
    await expect(ask(sim, protocol, { messages: [user('[[cut]] hello')], delivery })).rejects.toThrow('reset')
  })

  it.each(streams)('cites a source if requested: $stream', async (delivery) => {
    const [text, ...rest] = await partsOf(protocol, { messages: [user('[[cite]] Why?')], delivery })
    expect(rest).toEqual([])
    expect(text).toMatchObject({
      type: 'text',
      text: expect.stringContaining('"Why?"') as string,
      citations: [
        { source: { kind: 'url', url: 'https://sim.invalid/handbook', title: expect.any(String) as string } },
      ],
    })
  })

  it.each(streams)('encrypts its reasoning if requested: $stream', async (delivery) => {
    const reasoning = { on: true, budget: 2000 }
    const [thought] = await partsOf(protocol, { messages: [user('[[redact]] Why?')], reasoning, delivery })
    expect(thought).toMatchObject({ type: 'reasoning', text: '', hidden: true, seal: { issuer: protocol.issuer } })
  })

  it.each(streams)('blocks the prompt if requested: $stream', async (delivery) => {
    const { candidates, blocked } = await ask(sim, protocol, { messages: [user('[[block]] Why?')], delivery })
    expect(blocked?.reason ?? candidates[0]?.finish.reason).toMatch(/PROHIBITED_CONTENT|refusal|content-filter/)
  })

  it.each(streams)('searches the web if requested: $stream', async (delivery) => {
    const parts = await partsOf(protocol, { messages: [user('[[search]] Why?')], delivery })
    expect(parts.at(-1)).toMatchObject({
      type: 'text',
      citations: [{ source: { url: 'https://sim.invalid/handbook' } }],
    })
    const failed = await partsOf(protocol, { messages: [user('[[search fail]] Why?')], delivery })
    expect(failed.at(-1)).toMatchObject({ type: 'text', text: expect.stringContaining('"Why?"') as string })
  })

  it('declines if requested', async () => {
    const { candidates } = await ask(sim, protocol, { messages: [user('[[refuse]]')] })
    expect(JSON.stringify(candidates)).toContain('I would rather not answer that.')
    expect(candidates[0]?.finish.reason).toMatch(/refusal|content-filter/)
  })

  it('refuses what its protocol refuses, and unknown models', async () => {
    expect((await send(sim, protocol, model, { model })).status).toBe(400)
    const body = { model: 'nobody', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }], input: 'hi' }
    const answered = await send(sim, protocol, 'nobody', body)
    expect(answered.status).toBe(404)
  })
})
