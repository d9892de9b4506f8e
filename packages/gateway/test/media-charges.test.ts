import { protocols } from '@dragoman/core/protocols'
import { perCount, perSecond, usd } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import type { GatewayOptions } from '../src/index.ts'
import { card } from './fake-protocol.ts'
import { fakeProvider, type ScriptedCall, type ScriptedTransport } from './scripted.ts'
import { setUp } from './set-up.ts'

/** Four cents an image, in nano-dollars. */
const IMAGE = 40_000_000
const painter = card('m', {
  image: { most: 4, perCall: 1 },
  output: ['image'],
  prices: usd({ image: perCount(0.04) }),
})
const film = card('film', {
  video: { defaultSeconds: 8 },
  output: ['video'],
  prices: usd({ video: perSecond(0.5) }),
})

async function draw(count: number, options: Partial<GatewayOptions> = {}) {
  const world = setUp({ protocols, providers: [fakeProvider('first', ['chat'], [painter])], ...options })
  const reply = await world.send(
    JSON.stringify({ model: 'first/m', prompt: 'A house.', n: count }),
    '/api/v1/images/generations',
  )
  await called(world.transport, count)
  return { ...world, reply }
}

async function called({ calls }: ScriptedTransport, count: number): Promise<void> {
  await expect.poll(() => calls.length).toBe(count)
}

function answer(call: ScriptedCall | undefined, status = 200): void {
  call?.head(status)
  call?.chunk(
    JSON.stringify(status === 200 ? { created: 1, data: [{ b64_json: 'QUJD' }] } : { error: { message: 'No.' } }),
  )
  call?.end()
}

describe('images that an upstream has received the call for', () => {
  it('are charged if the caller leaves before they arrive', async () => {
    const { reply, ledger } = await draw(1)
    reply.onGone?.()
    expect(ledger.records).toMatchObject([{ outcome: 'aborted', cost: { total: IMAGE, estimated: true } }])
  })

  it('are charged if the answer breaks off', async () => {
    const { transport, ledger } = await draw(1)
    transport.last.head(200)
    transport.last.chunk('{"created":1,"data":[{"b64_')
    transport.last.fail('reset')
    await expect
      .poll(() => ledger.records)
      .toMatchObject([{ outcome: 'failed', cost: { total: IMAGE, estimated: true } }])
  })

  it('are charged without the one that was refused, if one of several calls is', async () => {
    const { transport, ledger } = await draw(4)
    for (const [index, call] of transport.calls.entries()) answer(call, index === 2 ? 400 : 200)
    await expect
      .poll(() => ledger.records)
      .toMatchObject([{ outcome: 'failed', cost: { total: 3 * IMAGE, estimated: true } }])
  })

  it('are charged if the caller leaves while some of several calls are under way', async () => {
    const { reply, transport, ledger } = await draw(4)
    answer(transport.calls[0])
    answer(transport.calls[1], 429)
    reply.onGone?.()
    expect(ledger.records).toMatchObject([{ outcome: 'aborted', cost: { total: 3 * IMAGE, estimated: true } }])
  })

  it('cost nothing if all calls are refused', async () => {
    const { transport, ledger } = await draw(2)
    for (const call of transport.calls) answer(call, 400)
    await expect.poll(() => ledger.records).toMatchObject([{ outcome: 'failed', cost: undefined }])
  })
})

it('a video is charged if the caller leaves before the upstream has named its operation', async () => {
  const world = setUp({
    protocols,
    providers: [fakeProvider('first', ['genai'], [film])],
    sealingKeys: ['0123456789abcdef0123456789abcdef'],
  })
  const body = JSON.stringify({ instances: [{ prompt: 'A lighthouse.' }], parameters: {} })
  const reply = await world.send(body, '/api/vertex-ai/v1/publishers/first/models/film:predictLongRunning')
  await called(world.transport, 1)
  reply.onGone?.()
  // Eight seconds at half a dollar.
  expect(world.ledger.records).toMatchObject([{ outcome: 'aborted', cost: { total: 4_000_000_000, estimated: true } }])
})
