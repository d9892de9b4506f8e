import { protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { card } from './fake-protocol.ts'
import { fakeProvider } from './scripted.ts'
import { setUp } from './set-up.ts'

const providers = [fakeProvider('acme', ['genai'], [card('m', { image: { most: 1 }, output: ['image'] })])]
const BODY = JSON.stringify({ model: 'acme/m', prompt: 'a fox', stream: true })
const IMAGE = JSON.stringify({ predictions: [{ bytesBase64Encoded: 'iVBORw0KGgo=', mimeType: 'image/png' }] })

describe('a stream that is made of a whole answer', () => {
  it('has keep-alives while the upstream draws, then one completed event [images.emulated]', async () => {
    const { send, transport, clock } = setUp({ protocols, providers, keepAliveMs: 10_000 })
    const reply = await send(BODY, '/api/v1/images/generations')
    await expect.poll(() => transport.calls).toHaveLength(1)
    expect(transport.last.call.url).toContain(':predict')
    clock.advance(9000)
    expect(reply.status).toBeUndefined()
    clock.advance(2000)
    expect([reply.status, reply.text]).toEqual([200, expect.stringMatching(/^:/)])
    transport.last.head(200)
    transport.last.chunk(IMAGE)
    transport.last.end()
    await expect.poll(() => reply.state).toBe('ended')
    expect(reply.text).toContain('event: image_generation.completed')
  })
  it('has an error inside if the upstream fails after that, and no clean end', async () => {
    const { send, transport, clock } = setUp({ protocols, providers, keepAliveMs: 10_000, retries: 0 })
    const reply = await send(BODY, '/api/v1/images/generations')
    await expect.poll(() => transport.calls).toHaveLength(1)
    clock.advance(11_000)
    transport.last.head(500)
    transport.last.chunk('{"error":{"code":500,"message":"It broke."}}')
    transport.last.end()
    await expect.poll(() => reply.state).toBe('cut')
    expect(reply.text).toMatch(/event: error\n.*It broke\./)
  })
  it('is a whole error if the upstream fails before', async () => {
    const { send, transport } = setUp({ protocols, providers, retries: 0 })
    const reply = await send(BODY, '/api/v1/images/generations')
    await expect.poll(() => transport.calls).toHaveLength(1)
    transport.last.head(400)
    transport.last.chunk('{"error":{"code":400,"message":"No foxes.","status":"INVALID_ARGUMENT"}}')
    transport.last.end()
    await expect.poll(() => reply.state).toBe('whole')
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('No foxes.')])
  })
})

it('is made of the whole answer of an upstream that ignores the request for a stream', async () => {
  const images = [fakeProvider('acme', ['chat'], [card('m', { image: { most: 1, partials: 3 }, output: ['image'] })])]
  const { send, transport, ledger } = setUp({ protocols, providers: images })
  const reply = await send(BODY, '/api/v1/images/generations')
  await expect.poll(() => transport.calls).toHaveLength(1)
  transport.last.head(200)
  transport.last.chunk(JSON.stringify({ created: 1, data: [{ b64_json: 'iVBORw0KGgo=' }] }))
  transport.last.end()
  await expect.poll(() => reply.state).toBe('ended')
  expect(reply.text).toContain('event: image_generation.completed')
  expect(ledger.records[0]).toMatchObject({ outcome: 'complete', usage: { images: 1 } })
})
