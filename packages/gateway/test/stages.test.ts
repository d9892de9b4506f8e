import { DragomanError, type Protocol } from '@dragoman/core'
import { chat, protocols } from '@dragoman/core/protocols'
import type { Bytes } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import { createFetchHandler, createFetchTransport, type CallEnd, type Stage } from '../src/index.ts'
import { parse } from './fake-protocol.ts'
import { nearOffload } from './near-offload.ts'
import { fakeProvider, head, keptReply } from './scripted.ts'
import { get, KEY, setUp, SSE } from './set-up.ts'

const refused = () => new DragomanError('permission', 'Not here.', { code: 'not_here' })
const later = () => Promise.withResolvers<void>()
const decode = (piece: Bytes): string => (typeof piece === 'string' ? piece : new TextDecoder().decode(piece))
const WHOLE = '{"model":"acme/m"}'
const STREAM = '{"model":"acme/m","stream":true}'

/** A stage that records which of its hooks ran. */
function noting(name: string, notes: string[]): Stage {
  return {
    afterAdmission: () => void notes.push(`${name} afterAdmission`),
    beforeRoute: () => void notes.push(`${name} beforeRoute`),
    beforeCall: () => void notes.push(`${name} beforeCall`),
    onAttempt: () => void notes.push(`${name} onAttempt`),
    aroundAnswer: () => void notes.push(`${name} aroundAnswer`),
    onSettle: () => void notes.push(`${name} onSettle`),
  }
}

describe('the hooks of stages', () => {
  it('run in order, each kind at its time', async () => {
    const notes: string[] = []
    const { send, transport } = setUp({ stages: [noting('a', notes), noting('b', notes)] })
    await send(WHOLE)
    expect(notes.splice(0)).toEqual([
      'a afterAdmission',
      'b afterAdmission',
      'a beforeRoute',
      'b beforeRoute',
      'a beforeCall',
      'b beforeCall',
    ])
    transport.last.head(200)
    transport.last.chunk('{}')
    expect(notes).toEqual([])
    transport.last.end()
    expect(notes).toEqual([
      'a aroundAnswer',
      'b aroundAnswer',
      'a onAttempt',
      'b onAttempt',
      'a onSettle',
      'b onSettle',
    ])
  })

  it.each(['afterAdmission', 'beforeRoute', 'beforeCall'] as const)(
    'that throw a RangeError in %s are faults of the gateway, not of the body',
    async (hook) => {
      const { send, transport } = setUp({ stages: [{ [hook]: () => void 'x'.repeat(-1) }] })
      const reply = await send(WHOLE)
      expect(reply.status).toBe(500)
      expect(parse(reply.text)).toMatchObject({ red: { kind: 'internal' } })
      expect(transport.calls).toHaveLength(0)
    },
  )

  it('see who asks, for what and from where, and no key', async () => {
    const seen: unknown[] = []
    const { send, transport } = setUp({
      stages: [
        {
          beforeCall(call) {
            const { requestId, method, path, protocol, operation, caller, model, stream, route } = call
            seen.push({ requestId, method, path, protocol, operation, caller, model, stream, route })
            seen.push(['authorization', 'x-api-key', 'x-goog-api-key', 'cookie', 'x-other'].map(call.header))
          },
        },
      ],
    })
    const headers = { ...KEY, 'x-api-key': 'a', 'x-goog-api-key': 'b', cookie: 'c', 'x-other': 'shown' }
    await send(STREAM, '/red/gen?key=secret', headers)
    expect(transport.calls).toHaveLength(1)
    expect(seen).toEqual([
      {
        requestId: 'req_id1',
        method: 'POST',
        path: '/red/gen',
        protocol: 'red',
        operation: 'generate',
        caller: { id: 'tester', owner: expect.stringMatching(/^[0-9a-f]{32}$/) as string, models: undefined },
        model: 'acme/m',
        stream: true,
        route: { provider: 'acme', model: 'acme/m', upstreamModel: 'm-1', protocol: 'red', mode: 'relay' },
      },
      [undefined, undefined, undefined, undefined, 'shown'],
    ])
  })

  it('get no key by another spelling of its header', async () => {
    const seen: (string | undefined)[] = []
    const { gateway } = setUp({
      stages: [{ afterAdmission: ({ header }) => void seen.push(header('Authorization'), header('X-Other')) }],
    })
    const headers = { ...KEY, 'x-other': 'shown' }
    await createFetchHandler(gateway)(
      new Request('http://gateway/red/gen', { method: 'POST', headers, body: 'nothing' }),
    )
    expect(seen).toEqual([undefined, 'shown'])
  })

  it.each(['afterAdmission', 'beforeRoute', 'beforeCall'] as const)(
    'refuse in the shape of the protocol: %s',
    async (hook) => {
      for (const refuse of [
        () => {
          throw refused()
        },
        async () => {
          await Promise.resolve()
          throw refused()
        },
      ]) {
        const { send, transport, log } = setUp({ stages: [{ [hook]: refuse }] })
        const reply = await send(WHOLE)
        await expect.poll(() => reply.status).toBe(403)
        expect(parse(reply.text)).toMatchObject({ red: { kind: 'permission', message: 'Not here.' } })
        expect(transport.calls).toEqual([])
        expect(log.entries).toMatchObject([{ status: 403, caller: 'tester' }])
      }
    },
  )

  it('refuse an answer that has not begun, and are not asked about their own refusal', async () => {
    let asked = 0
    const aroundAnswer = (): void => {
      asked++
      throw refused()
    }
    for (const body of [WHOLE, STREAM]) {
      const { send, transport } = setUp({ stages: [{ aroundAnswer }] })
      const reply = await send(body)
      transport.last.head(200, body === STREAM ? SSE : undefined)
      transport.last.chunk(body === STREAM ? 'data: end\n\n' : '{}')
      if (body === WHOLE) transport.last.end()
      expect(reply).toMatchObject({ status: 403, state: 'whole' })
    }
    expect(asked).toBe(2)
  })

  it('refuse an answer that begins with a keep-alive', async () => {
    const aroundAnswer = (): void => {
      throw refused()
    }
    const { send, transport, clock } = setUp({ stages: [{ aroundAnswer }], keepAliveMs: 10_000 })
    const reply = await send(STREAM)
    transport.last.head(200, SSE)
    clock.advance(10_000)
    expect(reply).toMatchObject({ status: 403, state: 'whole' })
    expect(transport.last.flow.cancelled).toBe(true)
  })

  it('turn any other fault into a native error', async () => {
    const { send } = setUp({
      stages: [
        {
          beforeRoute() {
            throw new TypeError('undefined is not a prompt')
          },
        },
      ],
    })
    const reply = await send(WHOLE)
    expect(reply.status).toBe(500)
    expect(reply.text).not.toContain('prompt')
  })

  it('add headers to the answer, also to an error, and to the call', async () => {
    const stages: readonly Stage[] = [
      {
        afterAdmission: (call) => call.addHeaders({ 'X-Early': '1' }),
        beforeCall: (call) => call.addUpstreamHeaders({ 'X-Tenant': 'acme', 'Accept-Encoding': 'br' }),
        aroundAnswer: (call, { status, streamed, error }) =>
          call.addHeaders({ 'x-late': `${status} ${streamed} ${error}` }),
      },
    ]
    const { send, transport } = setUp({ stages })
    const good = await send(STREAM)
    expect(transport.last.call.headers).toMatchObject({ 'x-tenant': 'acme', 'accept-encoding': 'br' })
    transport.last.head(200, SSE)
    transport.last.chunk('data: end\n\n')
    expect(good.headers).toMatchObject({ 'x-early': '1', 'x-late': '200 true undefined' })
    const bad = await send('{')
    expect(bad.headers).toMatchObject({ 'x-early': '1', 'x-late': '400 false invalid-request' })
  })

  it('see every piece of an answer', async () => {
    const pieces: string[] = []
    const { send, transport } = setUp({ stages: [{ aroundAnswer: () => (piece) => void pieces.push(decode(piece)) }] })
    await send(STREAM)
    transport.last.head(200, SSE)
    transport.last.chunk('data: 1\n\n')
    transport.last.chunk('data: end\n\n')
    transport.last.end()
    await send('{')
    expect(pieces).toEqual(['data: 1\n\n', 'data: end\n\n', expect.stringContaining('not valid JSON')])
  })

  it('see the pieces of a stream that would pass untouched', async () => {
    const pieces: string[] = []
    const upstream = () => Promise.resolve(new Response('data: 1\n\ndata: end\n\n', { headers: SSE }))
    const { gateway } = setUp({
      transport: createFetchTransport({ fetch: upstream }),
      relayedStreams: 'untouched',
      stages: [{ aroundAnswer: () => (piece) => void pieces.push(decode(piece)) }],
    })
    const request = new Request('http://gateway/red/gen', { method: 'POST', headers: KEY, body: STREAM })
    expect(await (await createFetchHandler(gateway)(request)).text()).toBe('data: 1\n\ndata: end\n\n')
    expect(pieces.join('')).toBe('data: 1\n\ndata: end\n\n')
  })

  it('run for operations without a key or a body, as far as they have that step', async () => {
    const notes: string[] = []
    const callers: unknown[] = []
    const stages = [noting('a', notes), { afterAdmission: ({ caller }) => void callers.push(caller) } satisfies Stage]
    expect((await get({ stages }, 'GET', '/red/models')).status).toBe(200)
    expect(notes).toEqual(['a afterAdmission', 'a aroundAnswer', 'a onSettle'])
    expect(callers).toEqual([undefined])
  })

  it('do not run for a call that is not admitted', async () => {
    const notes: string[] = []
    expect((await get({ stages: [noting('a', notes)] }, 'POST', '/red/gen')).status).toBe(401)
    expect(notes).toEqual([])
  })
})

describe('the request in the IR', () => {
  const BODY = JSON.stringify({ model: 'acme/m', messages: [{ role: 'user', content: 'Tell me a secret' }] })
  const serve = (stages: readonly Stage[], offload = nearOffload()) =>
    setUp({ protocols, providers: [fakeProvider('acme', ['chat'])], stages, offload })

  it.each([
    ['this thread', nearOffload(Number.POSITIVE_INFINITY)],
    ['another thread', nearOffload()],
  ])('is decoded by %s when a stage asks for it', async (_where, offload) => {
    const texts: string[] = []
    const read: Stage = {
      async beforeRoute(call) {
        const [request, again] = await Promise.all([call.request(), call.request()])
        expect(again).toBe(request)
        texts.push(...(request?.messages ?? []).flatMap(({ parts }) => parts.map((part) => JSON.stringify(part))))
      },
    }
    const { send, transport } = serve([read], offload)
    await send(BODY, '/api/v1/chat/completions')
    await expect.poll(() => transport.calls).toHaveLength(1)
    expect(texts).toEqual([expect.stringContaining('Tell me a secret')])
  })

  it('is not decoded unless a stage asks for it', async () => {
    let decoded = 0
    const counting: Protocol = {
      ...chat,
      request: {
        ...chat.request,
        decode: (body, context) => {
          decoded++
          return chat.request.decode(body, context)
        },
      },
    }
    const { send, transport } = setUp({
      protocols: [counting],
      providers: [fakeProvider('acme', ['chat'])],
      stages: [noting('a', [])],
    })
    await send(BODY, '/api/v1/chat/completions')
    expect([transport.calls.length, decoded]).toEqual([1, 0])
  })
})

describe('a client that leaves while a stage takes its time', () => {
  const limits = { concurrency: 1 }

  it.each(['afterAdmission', 'beforeRoute', 'beforeCall'] as const)('leaves nothing behind: %s', async (hook) => {
    const [reached, waiting] = [later(), later()]
    const ends: CallEnd[] = []
    const wait = (): Promise<void> => {
      reached.resolve()
      return waiting.promise
    }
    const slow: Stage = { [hook]: wait, onSettle: (_call, end) => void ends.push(end) }
    const { gateway, transport, log } = setUp({ limits, stages: [slow] })
    const reply = keptReply()
    const opening = gateway.open(head('POST', '/red/gen', KEY), reply)
    if (hook !== 'afterAdmission') (await opening)?.proceed(new TextEncoder().encode(WHOLE))
    await reached.promise
    reply.onGone?.()
    waiting.resolve()
    await opening
    expect(await gateway.open(head('POST', '/red/gen', KEY), keptReply())).toBeDefined()
    expect(transport.calls).toEqual([])
    expect(ends.filter(({ outcome }) => outcome === 'aborted')).toMatchObject([{ status: 499 }])
    expect(log.entries.filter(({ outcome }) => outcome === 'aborted')).toHaveLength(1)
  })

  it('frees its slot at once', async () => {
    const [reached, waiting] = [later(), later()]
    const slow: Stage = {
      async afterAdmission({ header }) {
        if (header('x-slow') === undefined) return
        reached.resolve()
        await waiting.promise
      },
    }
    const { gateway } = setUp({ limits, stages: [slow] })
    const reply = keptReply()
    const opening = gateway.open(head('POST', '/red/gen', { ...KEY, 'x-slow': '1' }), reply)
    await reached.promise
    reply.onGone?.()
    expect(await gateway.open(head('POST', '/red/gen', KEY), keptReply())).toBeDefined()
    waiting.resolve()
    expect(await opening).toBeUndefined()
    const third = keptReply()
    expect(await gateway.open(head('POST', '/red/gen', KEY), third)).toBeUndefined()
    expect(third.status).toBe(503)
  })
})

describe('the end of a call', () => {
  it('is told to the stages that have admitted it, and to no other', async () => {
    const notes: string[] = []
    const refuse: Stage = {
      afterAdmission() {
        throw refused()
      },
      onSettle: () => void notes.push('refusing onSettle'),
    }
    const { send } = setUp({ stages: [noting('a', notes), refuse, noting('b', notes)] })
    expect((await send(WHOLE)).status).toBe(403)
    expect(notes).toEqual(['a afterAdmission', 'a aroundAnswer', 'a onSettle'])
  })

  it('comes with what is known of it', async () => {
    const ends: CallEnd[] = []
    const { send, transport, clock } = setUp({ stages: [{ onSettle: (_call, end) => void ends.push(end) }] })
    await send(WHOLE)
    clock.advance(250)
    transport.last.head(200)
    transport.last.chunk('{}')
    transport.last.end()
    await send('{')
    expect(ends).toMatchObject([
      { status: 200, outcome: 'complete', usage: { input: 2 }, ms: 250 },
      { status: 400, outcome: 'failed', error: 'invalid-request' },
    ])
  })

  it('frees the slot of a call although a stage throws at its end', async () => {
    const onSettle = (): void => {
      throw new Error('the stage is broken')
    }
    const { gateway } = setUp({ limits: { concurrency: 1 }, stages: [{ onSettle }] })
    const first = await gateway.open(head('POST', '/red/gen', KEY), keptReply())
    first?.refuse('malformed')
    expect(await gateway.open(head('POST', '/red/gen', KEY), keptReply())).toBeDefined()
  })

  it('comes by a deadline where a stage never answers', async () => {
    const { send, clock } = setUp({
      deadlines: { total: 1000 },
      stages: [{ beforeRoute: () => new Promise<void>(() => {}) }],
    })
    const reply = await send(WHOLE)
    clock.advance(1000)
    expect(reply).toMatchObject({ status: 504, state: 'whole' })
  })

  it('comes by a deadline where a stage never answers before a second attempt', async () => {
    let attempts = 0
    const { send, transport, clock } = setUp({
      protocols,
      providers: [fakeProvider('acme', ['chat', 'messages'])],
      deadlines: { total: 1000 },
      stages: [{ beforeCall: () => (attempts++ === 0 ? undefined : new Promise<void>(() => {})) }],
    })
    const body = '{"model":"acme/m","messages":[{"role":"user","content":"Hi"}]}'
    const reply = await send(body, '/api/v1/chat/completions')
    transport.last.fail('refused')
    expect([attempts, transport.calls.length, reply.state]).toEqual([2, 1, 'open'])
    clock.advance(1000)
    expect(reply).toMatchObject({ status: 504, state: 'whole' })
  })
})
