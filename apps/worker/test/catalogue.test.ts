import { createCatalogueKeys, signCatalogue } from '@dragoman/core/catalogue'
import { expect, it } from 'vitest'
import { startWorker, type Outside } from './workerd.ts'

const KEY = 'sk-worker-test-0123456789'
const price = [{ value: 5, unit: 'perMTokens', currency: 'USD' }]
const CONTENT = JSON.stringify({
  version: 5,
  issued: '2026-11-17',
  providers: { openai: { models: { 'gpt-of-tomorrow': { context: 500_000, prices: { prompt: price } } } } },
})

it.each([
  ['of its publisher', true],
  ['of another publisher', false],
])('the worker verifies a signed catalogue %s in workerd', async (_whose, isKnown) => {
  const [publisher, otherPublisher] = [await createCatalogueKeys(), await createCatalogueKeys()]
  const signed = await signCatalogue(CONTENT, [(isKnown ? publisher : otherPublisher).privateKey])
  const outside: Outside = (_request, response) => response.writeHead(200).end(signed)
  const bindings = { DRAGOMAN_KEYS: KEY, OPENAI_API_KEY: 'k', DRAGOMAN_CATALOGUE_KEYS: publisher.publicKey }
  const worker = await startWorker(
    { ...bindings, DRAGOMAN_CATALOGUE_URL: 'https://prices.dragoman.dev/c.json' },
    outside,
  )
  const answer = await fetch(`${worker.url}/api/v1/models`)
  const { data } = (await answer.json()) as { readonly data: readonly { readonly id: string }[] }
  await worker.stop()
  expect(data.map(({ id }) => id).includes('openai/gpt-of-tomorrow')).toBe(isKnown)
  expect(data.length).toBeGreaterThan(10)
})
