import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createGenaiDouble,
  createMessagesDouble,
  createResponsesDouble,
  type Double,
  type Script,
} from '@dragoman/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAnthropic } from './clients/anthropic.ts'
import { createGenAI } from './clients/genai.ts'
import { createOpenAI } from './clients/openai.ts'
import { startServer, type ServerProcess } from './process.ts'

const ANSWER: Script = [{ parts: [{ text: 'Hi.' }], usage: { input: 1000, output: 100 } }]
const folder = mkdtempSync(join(tmpdir(), 'dragoman-unpriced-'))

let server: ServerProcess
let doubles: readonly Double[]
/** One with a budget, and one without. */
let paying: string
let free: string

beforeAll(async () => {
  doubles = await Promise.all([
    createMessagesDouble(ANSWER),
    createResponsesDouble(ANSWER),
    createGenaiDouble(ANSWER, 'gemini-flash-latest'),
  ])
  const [messages, responses, genai] = doubles.map(({ url }) => url)
  server = await startServer({
    DRAGOMAN_DATA: folder,
    ANTHROPIC_BASE_URL: messages ?? '',
    ANTHROPIC_API_KEY: 'sk-upstream-messages',
    OPENAI_BASE_URL: responses ?? '',
    OPENAI_API_KEY: 'sk-upstream-responses',
    GEMINI_BASE_URL: genai ?? '',
    GEMINI_API_KEY: 'sk-upstream-genai',
  })
  ;[paying, free] = await Promise.all([
    createKey({ name: 'paying', budgets: { total: 1 } }),
    createKey({ name: 'free' }),
  ] as const)
})
afterAll(async () => {
  await server.stop()
  for (const double of doubles) await double.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a model whose price no source states', () => {
  it('is charged by the ceiling of its family under a budget, and marked in the record and the log', async () => {
    const record = await recordOf(await askClaude('claude-fable-5-2', paying))
    // At most what the dearest Claude costs, $10 and $50: 1000 × 10,000 + 100 × 50,000
    expect(record).toMatchObject({ model: 'anthropic/claude-fable-5.2', cost: '0.015', estimated: true })
    expect(record['prices']).toMatch(/^ceiling /)
    const line = await server.logged(({ model }) => model === 'anthropic/claude-fable-5.2')
    expect(line).toMatchObject({ cost: { total: 15_000_000, ceiling: true } })
  })

  it('has no cost without a budget, and is recorded as what it is', async () => {
    const id = await askClaude('claude-mythos-5-2', free)
    expect(await recordOf(id)).toMatchObject({
      model: 'anthropic/claude-mythos-5.2',
      cost: '0',
      prices: '',
      estimated: false,
      tokens: { input: 1000, output: 100 },
    })
    const line = await server.logged(({ model }) => model === 'anthropic/claude-mythos-5.2')
    expect(line).toMatchObject({ unpriced: ['all'] })
    expect(line).not.toHaveProperty('cost')
  })

  it('shows its ceiling beside its empty prices in every list, and where its facts come from', async () => {
    const ceiling = { prompt: [{ value: 10, unit: 'perMTokens', currency: 'USD' }] }
    const sources = [
      { facts: ['name'], from: '@anthropic-ai/sdk 1.8.0', date: '2026-11-09' },
      { facts: ['prices'], from: 'https://platform.claude.com/docs/en/about-claude/pricing', date: '2026-11' },
      {
        facts: ['prices'],
        from: 'https://platform.claude.com/docs/en/build-with-claude/data-residency',
        date: '2026-11',
      },
    ]
    const id = 'anthropic/claude-fable-5.2'
    const address = { url: server.url, key: free }
    const chat = createOpenAI(address).models
    const messages = createAnthropic(address).models
    const listed = (await chat.list()).data.find((model) => model.id === id)
    const paged = (await messages.list({ limit: 1000 })).data.find((model) => model.id === id)
    for (const entry of [listed, paged]) expect(entry).toMatchObject({ pricings: {}, price_ceilings: ceiling })
    for (const entry of [await chat.retrieve(id), await messages.retrieve(id)])
      expect(entry).toMatchObject({ pricings: {}, price_ceilings: ceiling, sources })
    const shown = await fetch(`${server.url}/api/vertex-ai/v1beta/models/${encodeURIComponent(id)}`)
    expect(await shown.json()).toMatchObject({ pricings: {}, priceCeilings: ceiling, sources })
  })

  it('that points to another model from time to time has no price of any of them', async () => {
    const client = createGenAI({ url: server.url, key: paying })
    await client.models.generateContent({ model: 'google/gemini-flash-latest', contents: 'Hi' })
    const line = await server.logged(({ model }) => model === 'google/gemini-flash-latest')
    expect(line).toMatchObject({ cost: { ceiling: true } })
  })
})

describe('a model whose price the vendor states', () => {
  it('is charged at that price, as the default model of Claude Code is', async () => {
    const record = await recordOf(await askClaude('claude-sonnet-5-5', paying))
    // $2 and $10: 1000 × 2000 + 100 × 10,000
    expect(record).toMatchObject({ model: 'anthropic/claude-sonnet-5.5', cost: '0.003', estimated: false })
    expect(record['prices']).not.toContain('ceiling')
    const entry = await createAnthropic({ url: server.url, key: free }).models.retrieve('claude-sonnet-5-5')
    expect(entry).toMatchObject({
      max_input_tokens: 1_000_000,
      max_tokens: 128_000,
      line: 'sonnet',
      pricings: { prompt: [{ value: 2 }], completion: [{ value: 10 }], input_cache_read: [{ value: 0.1 }] },
    })
    expect(entry).not.toHaveProperty('price_ceilings')
  })
})

describe('a tier of service under a budget', () => {
  it('without a price is refused before the call, by its name', async () => {
    const { responses } = createOpenAI({ url: server.url, key: paying })
    const calls = doubles[1]?.received.length
    const asked = responses.create({ model: 'openai/gpt-5.6-sol', input: 'Hi', service_tier: 'ultrafast' })
    await expect(asked).rejects.toMatchObject({
      status: 403,
      code: 'price_unknown',
      message: expect.stringContaining('service_tier "ultrafast"') as string,
    })
    expect(doubles[1]?.received.length).toBe(calls)
  })

  it('with a price is admitted, and the tier that the answer reports is charged', async () => {
    const { responses } = createOpenAI({ url: server.url, key: paying })
    const answer = await responses.create({ model: 'openai/gpt-6.1-sol', input: 'Hi', service_tier: 'ultrafast' })
    expect([answer.output_text, answer.service_tier]).toEqual(['Hi.', 'default'])
    expect(doubles[1]?.received.at(-1)?.body).toMatchObject({ model: 'gpt-6.1-sol', service_tier: 'ultrafast' })
    // $2 and $10: 1000 × 2000 + 100 × 10,000
    const line = await server.logged(({ model }) => model === 'openai/gpt-6.1-sol')
    expect(line).toMatchObject({ cost: { total: 3_000_000 } })
  })
})

/** Asks with the SDK of Anthropic; gives the id of the record. */
async function askClaude(model: string, key: string): Promise<string> {
  const { response } = await createAnthropic({ url: server.url, key })
    .messages.create({ model, max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] })
    .withResponse()
  return response.headers.get('x-request-id') ?? ''
}

async function recordOf(id: string): Promise<{ readonly [member: string]: unknown }> {
  let record: { readonly [member: string]: unknown } | undefined
  await expect
    .poll(async () => {
      const found = await fetch(`${server.url}/admin/v1/records/${id}`, { headers: adminHeaders() })
      if (found.ok) ({ record } = (await found.json()) as { record: { readonly [member: string]: unknown } })
      return record !== undefined
    })
    .toBe(true)
  return record ?? {}
}

async function createKey(wanted: object): Promise<string> {
  const created = await fetch(`${server.url}/admin/v1/keys`, {
    method: 'POST',
    headers: { ...adminHeaders(), 'content-type': 'application/json' },
    body: JSON.stringify(wanted),
  })
  const { secret } = (await created.json()) as { secret: string }
  return secret
}

function adminHeaders(): { readonly authorization: string } {
  return { authorization: `Bearer ${readFileSync(join(folder, 'admin-key'), 'utf8').trim()}` }
}
