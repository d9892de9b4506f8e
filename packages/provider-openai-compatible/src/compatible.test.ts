import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BEARER } from '@dragoman/core/provider'
import { describeProvider } from '@dragoman/testkit'
import { describe, expect, it } from 'vitest'
import { createCompatible, fromEnvironment, vendors } from './index.ts'

const BASE = 'https://models.example/v1'

describeProvider('of any base URL', {
  create: ({ name = 'house', baseURL = BASE, ...options }) => createCompatible({ name, baseURL, ...options }),
  auth: { ...BEARER, optional: true },
  basePath: '/v1',
  paths: { chat: '/v1/chat/completions' },
  listPath: '/v1/models',
  requests: [
    {
      title: 'names the token limit max_tokens',
      protocol: 'chat',
      asks: { max_completion_tokens: 100 },
      sees: { max_tokens: 100 },
      lacks: ['max_completion_tokens'],
    },
  ],
})

const AZURE = 'https://house.openai.azure.com/openai/v1'

describeProvider('with both APIs of OpenAI, as at Azure', {
  create: ({ name = 'azure', baseURL = AZURE, ...options }) =>
    createCompatible({
      name,
      baseURL,
      endpoints: { responses: '.', chat: '.' },
      auth: { header: 'api-key' },
      ...options,
    }),
  auth: { header: 'api-key', optional: true },
  basePath: '/openai/v1',
  paths: { chat: '/openai/v1/chat/completions', responses: '/openai/v1/responses' },
  listPath: '/openai/v1/models',
  requests: [
    {
      title: 'is relayed to a deployment, without an api-version',
      protocol: 'chat',
      asks: { max_tokens: 100 },
      sees: { max_tokens: 100 },
    },
    {
      title: 'reaches a deployment by Responses from messages',
      protocol: 'responses',
      from: 'messages',
      asks: { max_tokens: 100 },
      sees: { store: false, max_output_tokens: 100 },
      lacks: ['messages', 'max_tokens'],
    },
  ],
})

describe('upstreams in configuration', () => {
  it('are any base URL, with models and the ways of a known upstream', () => {
    const environment = {
      DRAGOMAN_COMPATIBLE: 'house, lab-2',
      DRAGOMAN_HOUSE_BASE_URL: BASE,
      DRAGOMAN_HOUSE_MODELS: 'org/one,two',
      DRAGOMAN_LAB_2_BASE_URL: 'http://10.0.0.1:9000/v1',
      DRAGOMAN_LAB_2_API_KEY: 'sk-lab',
      DRAGOMAN_LAB_2_LIKE: 'deepseek',
      DRAGOMAN_LAB_2_MODELS: 'three',
      GROQ_API_KEY: 'gsk-1',
    }
    const providers = fromEnvironment(environment)
    expect(providers.map(({ name, models, protocols }) => [name, models.map((card) => card.name), protocols])).toEqual([
      ['groq', ['gpt-oss-120b'], ['chat']],
      ['house', ['org/one', 'two'], ['chat']],
      ['lab-2', ['three'], ['chat', 'messages', 'responses']],
    ])
    expect(providers[2]?.models[0]).toMatchObject({ issuer: 'lab-2', dialects: { chat: { usage: {} } } })
  })

  it('name what is missing or wrong', () => {
    expect(() => fromEnvironment({ DRAGOMAN_COMPATIBLE: 'house' })).toThrow(/"DRAGOMAN_HOUSE_BASE_URL" is required/)
    expect(() => createCompatible({ name: 'house', baseURL: BASE, like: 'nobody' })).toThrow(
      /"like" must be one of deepseek/,
    )
    expect(() => fromEnvironment({ DEEPSEEK_BASE_URL: 'https://deep.example' })).toThrow(/"keys".*DEEPSEEK_API_KEY/)
  })

  it('need no key where the upstream needs none', () => {
    const [ollama] = fromEnvironment({ OLLAMA_BASE_URL: 'http://localhost:11434/v1', DRAGOMAN_OLLAMA_MODELS: 'llama' })
    expect(ollama?.models.map(({ name }) => name)).toEqual(['llama'])
  })

  it('are all in the table of the README, with their variables', () => {
    const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
    const [rows = ''] = /\| factory [\s\S]*?\n\n/.exec(readme) ?? []
    for (const { name, environment } of vendors) {
      const row = rows.split('\n').find((line) => line.includes(`\`${name}/`)) ?? ''
      for (const variable of [environment?.keys ?? []].flat().slice(0, 1)) expect(row).toContain(`\`${variable}\``)
      expect(row).toContain(`\`${environment?.baseURL}\``)
    }
  })

  it('have names of their own', () => {
    expect(new Set(vendors.map(({ name }) => name)).size).toBe(vendors.length)
  })
})
