import { GoogleGenAI, type Content, type Part } from '@google/genai'
import { afterEach, describe, expect, it } from 'vitest'
import { createGenaiDouble } from './genai.ts'
import { readGenai } from './received-request.ts'
import type { Script } from './script.ts'
import type { Double } from './server.ts'

const doubles: Double[] = []
afterEach(async () => {
  for (const double of doubles.splice(0)) await double.close()
})

async function start(...script: Script): Promise<Double> {
  const double = await createGenaiDouble(script)
  doubles.push(double)
  return double
}

function connect(double: Double): GoogleGenAI {
  return new GoogleGenAI({ apiKey: 'key', vertexai: true, httpOptions: { baseUrl: double.url, apiVersion: 'v1' } })
}

const model = 'gemini-double'
const config = { tools: [{ functionDeclarations: [{ name: 'add', parametersJsonSchema: { type: 'object' } }] }] }
const ASK: Content = { role: 'user', parts: [{ text: 'add 1 and 2' }] }
const THINKS: Script[number] = {
  parts: [
    { reasoning: 'two numbers' },
    { text: 'Let me see.' },
    { call: 'add', id: 'call_1', input: { a: 1 } },
    { call: 'add', id: 'call_2', input: {} },
  ],
  usage: { input: 30, output: 9, cacheRead: 10, reasoning: 2 },
}
const answersTo = (parts: readonly Part[]): Content => ({
  role: 'user',
  parts: parts.flatMap(({ functionCall }) =>
    functionCall === undefined
      ? []
      : [{ functionResponse: { id: functionCall.id ?? '', name: functionCall.name ?? '', response: { output: '3' } } }],
  ),
})

describe('the genai double with its official client 2.32.0', () => {
  it('holds a conversation with thoughts and parallel functions, streamed', async () => {
    const double = await start(THINKS, { parts: [{ text: 'Done: 3 ✓' }], sending: { pings: true, pieces: 7 } })
    const client = connect(double)
    const parts: Part[] = []
    let last
    for await (const chunk of await client.models.generateContentStream({ model, contents: [ASK], config })) {
      parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []).filter((part) => part.text !== ''))
      last = chunk
    }
    expect(last?.candidates?.[0]?.finishReason).toBe('STOP')
    expect(last?.usageMetadata).toMatchObject({ promptTokenCount: 30, candidatesTokenCount: 7, thoughtsTokenCount: 2 })
    expect(
      parts
        .filter(({ thought }) => thought)
        .map(({ text }) => text)
        .join(''),
    ).toBe('two numbers')
    const second = await client.models.generateContentStream({
      model,
      contents: [ASK, { role: 'model', parts }, answersTo(parts)],
      config,
    })
    let text = ''
    for await (const chunk of second) text += chunk.text ?? ''
    expect(text).toBe('Done: 3 ✓')
    expect(double.refused).toEqual([])
    expect(double.received.map(({ path }) => path)).toEqual(
      Array(2).fill('/v1/publishers/google/models/gemini-double:streamGenerateContent'),
    )
  })

  it('answers without streaming, and counts tokens', async () => {
    const client = connect(await start(THINKS))
    const answer = await client.models.generateContent({
      model,
      contents: 'add',
      config: { ...config, systemInstruction: 'Be brief.' },
    })
    expect(answer.functionCalls).toMatchObject([{ name: 'add', id: 'call_1' }, { id: 'call_2' }])
    expect(answer.text).toBe('Let me see.')
    expect((await client.models.countTokens({ model, contents: 'a' })).totalTokens).toBeGreaterThan(0)
  })

  it('refuses calls without their signatures, a missing result, and an empty text', async () => {
    const double = await start(THINKS)
    const client = connect(double)
    const { candidates } = await client.models.generateContent({ model, contents: [ASK], config })
    const parts = candidates?.[0]?.content?.parts ?? []
    const plain = parts.map(({ thoughtSignature: _, ...part }) => part)
    const asks: Content[][] = [
      [ASK, { role: 'model', parts: plain }, answersTo(plain)],
      [ASK, { role: 'model', parts }, { role: 'user', parts: answersTo(parts).parts?.slice(1) ?? [] }],
      [{ role: 'user', parts: [{ text: '' }] }],
    ]
    for (const contents of asks)
      await expect(client.models.generateContent({ model, contents, config })).rejects.toMatchObject({ status: 400 })
    expect(double.refused).toEqual([
      expect.stringContaining('thought_signature'),
      expect.stringContaining('the number of function response parts'),
      expect.stringContaining('must not be empty'),
    ])
  })

  it('fails by its script: with an error, in the middle of a stream, or by closing the connection', async () => {
    const error = { type: 'rate_limit_error', message: 'slow down' }
    const failing = connect(await start({ status: 429, error }))
    await expect(failing.models.generateContent({ model, contents: 'a' })).rejects.toMatchObject({
      status: 429,
      message: expect.stringContaining('RESOURCE_EXHAUSTED') as string,
    })
    const broken = connect(await start({ ...THINKS, sending: { cut: { after: 2, how: 'broken' } } }))
    const read = async () => {
      for await (const chunk of await broken.models.generateContentStream({ model, contents: 'a' }))
        expect(chunk).toBeDefined()
    }
    await expect(read()).rejects.toThrow('terminated')
  })

  it('reads snake_case members, as Google does, and leaves the names of callers unchanged', async () => {
    const double = await start({ parts: [{ text: 'Hello' }] })
    const call = { function_call: { name: 'add', args: { a_b: 1 } }, thought_signature: double.seal('add') }
    const result = { function_response: { name: 'add', response: { output: '3' } } }
    const body = {
      contents: [ASK, { role: 'model', parts: [call] }, { role: 'user', parts: [result] }],
      tools: [{ function_declarations: [{ name: 'add', parameters_json_schema: { type: 'object' } }] }],
    }
    const response = await fetch(`${double.url}/v1/models/${model}:generateContent`, {
      method: 'POST',
      headers: { 'x-goog-api-key': 'key', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect([response.status, double.refused]).toEqual([200, []])
    const { turns } = readGenai(double.received[0]?.body ?? {})
    expect(turns[1]?.calls).toEqual([{ id: undefined, name: 'add', input: { a_b: 1 } }])
    expect(turns[2]?.results).toEqual([{ id: undefined, text: '3' }])
  })

  it('refuses a call without a key', async () => {
    const double = await start(THINKS)
    const response = await fetch(`${double.url}/v1/models/${model}:generateContent`, { method: 'POST', body: '{}' })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ error: { code: 401, status: 'UNAUTHENTICATED' } })
  })
})
