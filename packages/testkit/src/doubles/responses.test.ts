import { createOpenAI } from '@ai-sdk/openai'
import { Agent, OpenAIProvider, Runner, tool as agentTool } from '@openai/agents'
import { generateText, isStepCount, Output, streamText, tool } from 'ai'
import OpenAI from 'openai'
import { zodTextFormat } from 'openai/helpers/zod'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createResponsesDouble } from './responses.ts'
import { acceptResponsesResponse, acceptResponsesStream } from './responses-answer.ts'
import { createSeals, type Script } from './script.ts'
import type { Double } from './server.ts'

const { sign, hide } = createSeals('responses')
const doubles: Double[] = []
afterEach(async () => {
  for (const double of doubles.splice(0)) await double.close()
})

async function start(...script: Script): Promise<Double> {
  const double = await createResponsesDouble(script)
  doubles.push(double)
  return double
}

function connect(double: Double): OpenAI {
  return new OpenAI({ baseURL: double.url, apiKey: 'key', maxRetries: 0 })
}

const STATELESS = { store: false, include: ['reasoning.encrypted_content' as const] }
const ASK = { model: 'gpt-5.4', input: 'add 1 and 2', ...STATELESS }
const TOOL = { type: 'function' as const, name: 'add', parameters: { type: 'object', properties: {} }, strict: null }
const THINKS: Script[number] = {
  parts: [
    { reasoning: 'two numbers' },
    { reasoning: 'secret', hidden: true },
    { text: 'Let me see.' },
    { call: 'add', id: 'call_1', input: { a: 1 } },
    { call: 'add', id: 'call_2', input: {} },
  ],
  usage: { input: 30, output: 9, cacheRead: 10, reasoning: 2 },
}

describe('the Responses double with its official client 7.53.0', () => {
  it('holds a conversation with reasoning and parallel tools, streamed', async () => {
    const double = await start(THINKS, { parts: [{ text: 'Done: 3 ✓' }], sending: { pings: true, pieces: 7 } })
    const client = connect(double)
    const first = await client.responses.stream({ ...ASK, tools: [TOOL] }).finalResponse()
    expect(first.status).toBe('completed')
    expect(first.output_text).toBe('Let me see.')
    expect(first.output).toMatchObject([
      {
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'two numbers' }],
        encrypted_content: sign('two numbers'),
      },
      { type: 'reasoning', summary: [], encrypted_content: hide('secret') },
      { type: 'message', content: [{ type: 'output_text', text: 'Let me see.' }] },
      { type: 'function_call', call_id: 'call_1', name: 'add', arguments: '{"a":1}' },
      { type: 'function_call', call_id: 'call_2', name: 'add', arguments: '{}' },
    ])
    expect(first.usage).toMatchObject({ input_tokens: 30, output_tokens: 9, total_tokens: 39 })
    const results = ['call_1', 'call_2'].map((id) => ({
      type: 'function_call_output' as const,
      call_id: id,
      output: '3',
    }))
    const echoed = first.output.map((item) => withoutParsed(item))
    const input = [{ role: 'user' as const, content: ASK.input }, ...echoed, ...results]
    const second = await client.responses.stream({ ...ASK, input, tools: [TOOL] }).finalResponse()
    expect(double.refused).toEqual([])
    expect(second.output_text).toBe('Done: 3 ✓')
    expect(double.received).toHaveLength(2)
  })

  it('has the members of answers that OpenAI sends without being asked, from the first event on', async () => {
    const double = await start({ parts: [{ text: 'Done.' }] }, { parts: [{ text: 'Done.' }] })
    const defaults = {
      background: false,
      frequency_penalty: 0,
      max_tool_calls: null,
      presence_penalty: 0,
      prompt_cache_key: null,
      safety_identifier: null,
      top_logprobs: 0,
      user: null,
      reasoning: { effort: 'low', summary: null },
      text: { format: { type: 'text' }, verbosity: 'medium' },
      tools: [{ ...TOOL, description: null, strict: true }],
    }
    const asked = { ...ASK, tools: [TOOL], reasoning: { effort: 'low' } }
    const whole: unknown = await (await post(double, asked)).json()
    expect(whole).toMatchObject({ ...defaults, completed_at: expect.any(Number) as number })
    const [created] = (await (await post(double, { ...asked, stream: true })).text()).split('\n\n')
    expect(JSON.parse(created?.replace(/^.*\ndata: /, '') ?? '')).toMatchObject({
      type: 'response.created',
      response: { ...defaults, completed_at: null },
    })
  })

  it('gives the same answer whole and streamed', async () => {
    const double = await start(THINKS)
    const whole = await connect(double).responses.create({ ...ASK, tools: [TOOL] })
    const frames = await (await post(double, { ...ASK, tools: [TOOL], stream: true })).text()
    acceptResponsesResponse(JSON.parse(JSON.stringify({ ...whole, output_text: undefined })))
    acceptResponsesStream(frames)
    const streamed = await connect(double)
      .responses.stream({ ...ASK, tools: [TOOL] })
      .finalResponse()
    const normal = (items: readonly object[]) => JSON.stringify(items.map(withoutParsed)).replaceAll(/double_\d+/g, '')
    expect(normal(streamed.output)).toBe(normal(whole.output))
  })

  it('parses structured answers', async () => {
    const double = await start({ parts: [{ text: '{"sum":3}' }] })
    const format = zodTextFormat(z.object({ sum: z.number() }), 'answer')
    const { output_parsed } = await connect(double).responses.parse({ ...ASK, text: { format } })
    expect(output_parsed).toEqual({ sum: 3 })
  })

  it('answers custom tools, and tools of a namespace, in their own form', async () => {
    const double = await start({
      parts: [
        { call: 'patch', id: 'call_1', input: { input: '*** Begin "Patch"' } },
        { call: 'read', id: 'call_2', input: { path: 'a' } },
      ],
    })
    const inner = {
      type: 'namespace' as const,
      name: 'files',
      description: 'Files.',
      tools: [{ ...TOOL, name: 'read' }],
    }
    const tools = [{ type: 'custom' as const, name: 'patch' }, inner]
    const { output } = await connect(double)
      .responses.stream({ ...ASK, tools })
      .finalResponse()
    expect(output).toMatchObject([
      { type: 'custom_tool_call', call_id: 'call_1', name: 'patch', input: '*** Begin "Patch"' },
      { type: 'function_call', call_id: 'call_2', name: 'read', namespace: 'files', arguments: '{"path":"a"}' },
    ])
  })

  it('counts tokens', async () => {
    const double = await start({ parts: [{ text: 'ok' }] })
    const counted = await connect(double).responses.inputTokens.count({ model: 'gpt-5.4', input: 'Hi' })
    expect(counted).toMatchObject({ object: 'response.input_tokens', input_tokens: expect.any(Number) as number })
  })

  it('ends an answer that is too long as incomplete', async () => {
    const double = await start({ parts: [{ text: 'a long' }], stop: 'max_output_tokens' })
    const answer = await connect(double).responses.stream(ASK).finalResponse()
    expect(answer).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ status: 'incomplete' }],
    })
  })

  it('answers with the error of its script, before and in a stream', async () => {
    const error = { type: 'server_error', message: 'Overloaded', code: 'server_is_overloaded' }
    const double = await start({ status: 503, error })
    await expect(connect(double).responses.create(ASK)).rejects.toMatchObject({ status: 503 })
    double.play({ parts: [{ text: 'a long answer' }], sending: { cut: { after: 4, how: { status: 503, error } } } })
    await expect(connect(double).responses.stream(ASK).finalResponse()).rejects.toThrow('Overloaded')
    const frames = await (await post(double, { ...ASK, stream: true })).text()
    expect(frames).toMatch(/event: error\n[^\n]+\n\nevent: response\.failed\n/)
  })
})

describe('the Responses double with the AI SDK 7.0.169', () => {
  const modelOf = (double: Double) => createOpenAI({ baseURL: double.url, apiKey: 'key' })('gpt-5.4')
  const providerOptions = { openai: { store: false, reasoningSummary: 'auto' } }
  const tools = { add: tool({ inputSchema: z.object({ a: z.number().optional() }), execute: () => '3' }) }

  it.each(['whole', 'streamed'])('runs a loop of tools, and sends its reasoning back, %s', async (delivery) => {
    const double = await start(THINKS, { parts: [{ text: 'Done: 3' }] })
    const params = {
      model: modelOf(double),
      prompt: 'add',
      tools,
      stopWhen: isStepCount(3),
      providerOptions,
      maxRetries: 0,
    }
    const result = delivery === 'whole' ? await generateText(params) : streamText(params)
    expect(await result.text).toBe('Done: 3')
    const [first] = await result.steps
    expect(first?.reasoningText).toContain('two numbers')
    expect(double.refused).toEqual([])
    expect(JSON.stringify(double.received[1]?.body)).toContain(sign('two numbers'))
  })

  it('makes objects', async () => {
    const double = await start({ parts: [{ text: '{"sum":3}' }] })
    const output = Output.object({ schema: z.object({ sum: z.number() }) })
    const result = await generateText({ model: modelOf(double), prompt: 'add', output, providerOptions })
    expect(result.output).toEqual({ sum: 3 })
  })
})

describe('the Responses double with @openai/agents 0.20.0', () => {
  const modelSettings = { store: false, providerData: { include: ['reasoning.encrypted_content'] } }
  const add = agentTool({
    name: 'add',
    description: 'Adds.',
    parameters: z.object({ a: z.number().nullish() }),
    execute: () => '3',
  })
  const runnerOf = (double: Double) =>
    new Runner({
      modelProvider: new OpenAIProvider({ baseURL: double.url, apiKey: 'key', useResponses: true }),
      tracingDisabled: true,
    })

  const streamed = async (runner: Runner, agent: Agent) => {
    const result = await runner.run(agent, 'add', { stream: true })
    await result.completed
    return result
  }

  it.each([false, true])('runs a loop of tools, streamed: %s', async (stream) => {
    const double = await start(THINKS, { parts: [{ text: 'Done: 3' }] })
    const agent = new Agent({ name: 'Adder', model: 'gpt-5.4', tools: [add], modelSettings })
    const runner = runnerOf(double)
    const result = stream ? await streamed(runner, agent) : await runner.run(agent, 'add')
    expect(result.finalOutput).toBe('Done: 3')
    expect(double.refused).toEqual([])
    expect(JSON.stringify(double.received[1]?.body)).toContain(sign('two numbers'))
  })
})

describe('what the Responses double refuses', () => {
  const call = { type: 'function_call', call_id: 'call_1', name: 'add', arguments: '{}' }
  const result = { type: 'function_call_output', call_id: 'call_1', output: '3' }
  const withInput = (...input: object[]) => ({ input: [{ role: 'user', content: 'x' }, ...input] })

  it.each<[string, object, string]>([
    ['no model', { model: undefined }, 'model'],
    ['no input', { input: [] }, 'input'],
    ['an unknown member', { stop: ['x'] }, 'body.stop'],
    ['a state that it would have to keep', { store: true }, 'store'],
    ['reasoning that could not come back', { include: [] }, 'include'],
    ['max_output_tokens of 15', { max_output_tokens: 15 }, 'max_output_tokens'],
    ['temperature above 2', { temperature: 2.1 }, 'temperature'],
    ['an unknown effort', { reasoning: { effort: 'huge' } }, 'reasoning.effort'],
    ['a nested tool', { tools: [{ type: 'function', function: { name: 'add' } }] }, 'tools[0]'],
    ['a tool name with a dot', { tools: [{ ...TOOL, name: 'a.b' }] }, 'tools[0].name'],
    ['an unknown format', { text: { format: { type: 'xml' } } }, 'text.format.type'],
    ['a result without its call', withInput(result), 'no tool call found'],
    ['a call id of 65 characters', withInput({ ...call, call_id: 'c'.repeat(65) }), 'call_id'],
    ['arguments that are not text', withInput({ ...call, arguments: {} }), 'arguments'],
    ['a call answered as custom', withInput(call, { ...result, type: 'custom_tool_call_output' }), 'no tool call'],
    ['reasoning without a summary', withInput({ type: 'reasoning', encrypted_content: sign('x') }), 'summary'],
    ['reasoning of someone else', withInput({ type: 'reasoning', summary: [], encrypted_content: 'x' }), 'verified'],
    [
      'a changed summary',
      withInput({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'y' }], encrypted_content: sign('x') }),
      'verified',
    ],
    ['an unknown item', withInput({ type: 'thought' }), 'unknown item'],
    ['an id of another kind', withInput({ ...call, id: 'msg_1' }), 'input[1].id'],
  ])('%s', async (_name, change, why) => {
    const double = await start({ parts: [{ text: 'ok' }] })
    const response = await post(double, { ...ASK, ...change })
    expect(response.status).toBe(400)
    await expect(response.json()).resolves.toMatchObject({ error: { type: 'invalid_request_error' } })
    expect(double.refused.join()).toContain(why)
    expect(double.received).toEqual([])
  })

  it('a call without a key', async () => {
    const double = await start({ parts: [{ text: 'ok' }] })
    expect((await post(double, ASK, {})).status).toBe(401)
  })

  it('does not include valid requests', async () => {
    const double = await start({ parts: [{ text: 'ok' }] })
    // As codex sends it back.
    const thought = { type: 'reasoning', summary: [], content: null, encrypted_content: hide('x') }
    const response = await post(double, {
      ...ASK,
      ...withInput(thought, call, result),
      tools: [TOOL],
      temperature: null,
    })
    expect(response.status).toBe(200)
  })
})

/** The official client adds what it has parsed; it is not on the wire. */
function withoutParsed(item: object): OpenAI.Responses.ResponseInputItem {
  const wire: unknown = JSON.parse(
    JSON.stringify(item, (key, value: unknown) => (key.startsWith('parsed') ? undefined : value)),
  )
  return wire as OpenAI.Responses.ResponseInputItem // an item of an answer can be sent back
}

function post(
  double: Double,
  body: object,
  headers: { [name: string]: string } = { authorization: 'Bearer key' },
): Promise<Response> {
  return fetch(`${double.url}/responses`, { method: 'POST', headers, body: JSON.stringify(body) })
}
