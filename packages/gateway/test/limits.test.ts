import { describe, expect, it } from 'vitest'
import { createMemoryKeys, type Caller, type GatewayOptions, type Pending } from '../src/index.ts'
import { parse } from './fake-protocol.ts'
import { head, keptReply, type KeptReply } from './scripted.ts'
import { bytesOf, KEY, setUp, SSE } from './set-up.ts'

const STREAM = new TextEncoder().encode('{"model":"acme/m","stream":true}')
const OTHER = { ...KEY, authorization: 'Bearer other' }
const keys = () =>
  createMemoryKeys([
    { id: 'tester', secret: 'secret' },
    { id: 'other', secret: 'other' },
  ])

function crowd(options: Partial<GatewayOptions> = {}) {
  const world = setUp({ keys: keys(), ...options })
  const open = async (headers = KEY): Promise<{ reply: KeptReply; pending: Pending | undefined }> => {
    const reply = keptReply()
    return { reply, pending: await world.gateway.open(head('POST', '/red/gen', headers), reply) }
  }
  return { ...world, open }
}

type Ending = (world: ReturnType<typeof crowd>, pending: Pending | undefined, reply: KeptReply) => void

/** Every way in which a call can end. */
const ENDINGS: { readonly [how: string]: Ending } = {
  'a whole stream'({ transport }, pending) {
    pending?.proceed(STREAM)
    transport.last.head(200, SSE)
    transport.last.chunk('data: end\n\n')
    transport.last.end()
  },
  'a stream that stops early'({ transport }, pending) {
    pending?.proceed(STREAM)
    transport.last.head(200, SSE)
    transport.last.chunk('data: 1\n\n')
    transport.last.fail('reset')
  },
  'an error of the upstream'({ transport }, pending) {
    pending?.proceed(STREAM)
    transport.last.head(400)
    transport.last.end()
  },
  'a body that makes no sense': (_world, pending) => pending?.proceed(new TextEncoder().encode('{')),
  'a body that is too large': (_world, pending) => pending?.refuse('too-large'),
  'a client who leaves before its body is there': (_world, _pending, reply) => reply.onGone?.(),
  'a client who leaves in the middle'({ transport }, pending, reply) {
    pending?.proceed(STREAM)
    transport.last.head(200, SSE)
    transport.last.chunk('data: 1\n\n')
    reply.onGone?.()
    transport.last.fail('reset')
  },
  'the deadline of the exchange'({ clock }, pending) {
    pending?.proceed(STREAM)
    clock.advance(1_800_000)
  },
}

describe('concurrent calls', () => {
  it.each(Object.entries(ENDINGS))('have a slot again after %s, and only one', async (_how, end) => {
    const world = crowd({ limits: { concurrency: 1 } })
    const first = await world.open()
    expect((await world.open()).reply.status).toBe(503)
    end(world, first.pending, first.reply)
    expect((await world.open()).pending).toBeDefined()
    expect((await world.open()).reply.status).toBe(503)
  })

  it('get a retry delay, by key and in total', async () => {
    const { open } = crowd({ limits: { concurrency: 3, perKey: 2 } })
    await open()
    await open()
    const own = await open()
    expect(own.reply).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
    expect(parse(own.reply.text)).toMatchObject({ red: { kind: 'rate-limit' } })
    expect((await open(OTHER)).pending).toBeDefined()
    const all = await open(OTHER)
    expect(all.reply).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    expect(parse(all.reply.text)).toMatchObject({ red: { kind: 'overloaded' } })
  })

  it('take no slot for a wrong key, nor for a client that left while its key was looked up', async () => {
    const looked = Promise.withResolvers<Caller>()
    const slow = { find: (secret: string) => (secret === 'secret' ? looked.promise : undefined) }
    const { gateway, open } = crowd({ limits: { concurrency: 1 }, keys: slow })
    const reply = keptReply()
    const opening = gateway.open(head('POST', '/red/gen', KEY), reply)
    reply.onGone?.()
    looked.resolve({ id: 'tester' })
    expect(await opening).toBeUndefined()
    expect((await open({ ...KEY, authorization: 'Bearer wrong' })).reply.status).toBe(401)
    expect((await open()).pending).toBeDefined()
  })

  it('have a slot again when the log fails', async () => {
    const log = {
      write() {
        throw new Error('disk full')
      },
    }
    const { open } = crowd({ limits: { concurrency: 1 }, log })
    const { pending } = await open()
    pending?.refuse('malformed')
    expect((await open()).pending).toBeDefined()
  })
})

describe('the memory of bodies', () => {
  const limits = { bodies: 1000 }
  /** A call without memory, and whether it was granted any since. */
  const wait = async (world: ReturnType<typeof crowd>): Promise<() => boolean> => {
    const { pending } = await world.open()
    expect(pending?.reserve(900)).toBe(false)
    let granted = false
    if (pending !== undefined) pending.onRoom = () => (granted = true)
    return () => granted
  }

  it.each(Object.entries(ENDINGS))('is free again after %s', async (_how, end) => {
    const world = crowd({ limits })
    const { pending, reply } = await world.open()
    expect(pending?.reserve(900)).toBe(true)
    const hasRoom = await wait(world)
    end(world, pending, reply)
    expect(hasRoom()).toBe(true)
  })

  it('is free again with the first byte of a stream, and not before', async () => {
    const world = crowd({ limits })
    const { pending } = await world.open()
    pending?.reserve(900)
    const hasRoom = await wait(world)
    pending?.proceed(STREAM)
    world.transport.last.head(200, SSE)
    expect(hasRoom()).toBe(false)
    world.transport.last.chunk('data: 1\n\n')
    expect(hasRoom()).toBe(true)
  })

  it('is used by a whole response instead of its request, until it is sent', async () => {
    const world = crowd({ limits })
    const { pending } = await world.open()
    pending?.proceed(new TextEncoder().encode('{"model":"acme/m"}'))
    world.transport.last.head(200)
    world.transport.last.chunk(`{"a":"${'x'.repeat(2000)}"`)
    const hasRoom = await wait(world)
    world.transport.last.chunk('}')
    expect(hasRoom()).toBe(false)
    world.transport.last.end()
    expect(hasRoom()).toBe(true)
  })

  it('is not waited for by a call that has ended', async () => {
    const world = crowd({ limits })
    const first = await world.open()
    first.pending?.reserve(900)
    const left = await world.open()
    left.pending?.reserve(900)
    const hasRoom = await wait(world)
    left.reply.onGone?.()
    first.pending?.refuse('malformed')
    expect(hasRoom()).toBe(true)
  })
})

describe('the deadline of an exchange', () => {
  it('is an error of the caller while its body is awaited', async () => {
    const { open, clock } = crowd({ deadlines: { total: 1000 } })
    const { reply } = await open()
    clock.advance(1000)
    expect(reply).toMatchObject({ status: 408, state: 'whole' })
  })
  it('ends a stream with an error and cancels the upstream', async () => {
    const { open, clock, transport } = crowd({ deadlines: { total: 1000 } })
    const { reply, pending } = await open()
    pending?.proceed(STREAM)
    transport.last.head(200, SSE)
    transport.last.chunk('data: 1\n\n')
    clock.advance(1000)
    expect(reply).toMatchObject({ state: 'cut', text: 'data: 1\n\ndata: {"error":"timeout"}\n\n' })
    expect(transport.last.flow.cancelled).toBe(true)
  })
})

describe('the models of a key', () => {
  const narrow = (models: readonly string[]) =>
    crowd({ keys: createMemoryKeys([{ id: 'tester', secret: 'secret', models }]), aliases: { fast: 'acme/m' } })

  it.each([[['acme/m']], [['acme/*']], [['other/x', 'acme/*']], [['*']]])('may be used: %j', async (models) => {
    const { send, transport } = narrow(models)
    await send('{"model":"fast"}')
    expect(bytesOf(transport.last.call.body).length).toBeGreaterThan(0)
  })
  it.each([[[]], [['acme/other']], [['fast']], [['acm']]])('are all: %j', async (models) => {
    const { send, transport, log } = narrow(models)
    const reply = await send('{"model":"fast"}')
    expect(reply.status).toBe(403)
    expect(parse(reply.text)).toMatchObject({ red: { kind: 'permission', param: 'model' } })
    expect(reply.text).toContain('acme/m')
    expect(transport.calls).toHaveLength(0)
    expect(log.entries).toMatchObject([{ status: 403, caller: 'tester' }])
  })
})
