import { describe, expect, it } from 'vitest'
import { OWN, ownApi } from './own-api.ts'
import { defineProvider } from './provider.ts'

it('only models that name the own API of a provider with conversations are called there', () => {
  const model = { input: ['text'], output: ['text'] } as const
  const { models } = defineProvider({
    name: 'acme',
    baseURL: 'https://api.acme.example/v1',
    endpoints: { chat: '.', own: '.' },
    models: [
      { ...model, name: 'talk' },
      { ...model, name: 'brush', protocols: ['own'] },
    ],
  })
  expect(models.map(({ name, protocols }) => [name, protocols])).toEqual([
    ['talk', ['chat']],
    ['brush', ['own']],
  ])
})

describe('a provider whose API is its own', () => {
  const provider = defineProvider(
    {
      name: 'acme',
      baseURL: 'https://api.acme.example/v1',
      endpoints: { own: '.' },
      models: [{ name: 'brush', input: ['text'], output: ['image'], image: { most: 4 } }],
    },
    {},
  )

  it('is called under its base URL', () => {
    const deadlines = { connect: 1, head: 1, idle: 1, total: 1 }
    const call = provider.call(OWN, { path: '/draw', headers: {} }, { headers: {}, body: '{}', deadlines })
    expect(call.url).toBe('https://api.acme.example/v1/draw')
  })

  it.each([
    ['{"error":{"message":"too dark","code":7}}', 'too dark', '7'],
    ['{"error":"too dark"}', 'too dark', undefined],
    ['{"message":"too dark","code":"dark"}', 'too dark', 'dark'],
    ['<html>', 'The upstream answered with status 429.', undefined],
  ])('reads the error %s', (body, message, code) => {
    expect(ownApi.error.decode(429, body)).toMatchObject({ kind: 'rate-limit', message, code })
  })

  it('has no conversations', () => {
    expect(() => ownApi.request.check({})).toThrow(/only be used for media/)
  })
})
