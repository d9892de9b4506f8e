import { protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import type { Attempt, GatewayOptions, Stage } from '../src/index.ts'
import { fakeProvider } from './scripted.ts'
import { setUp, SSE } from './set-up.ts'

const WHOLE = '{"model":"acme/m"}'
const STREAM = '{"model":"acme/m","stream":true}'
const ROUTE = { provider: 'acme', model: 'acme/m', protocol: 'red', origin: 'https://acme.test' }

/** A gateway that keeps its attempts. */
function watched(options: Partial<GatewayOptions> = {}) {
  const attempts: Attempt[] = []
  const stage: Stage = { onAttempt: (_call, attempt) => void attempts.push(attempt) }
  return { attempts, ...setUp({ ...options, stages: [stage, ...(options.stages ?? [])] }) }
}

describe('an attempt', () => {
  it('has its route, its times and what the upstream reported', async () => {
    const { attempts, send, transport, clock } = watched()
    await send(WHOLE)
    clock.advance(100)
    transport.last.head(200)
    clock.advance(50)
    transport.last.chunk('{')
    clock.advance(25)
    transport.last.chunk('}')
    expect(attempts).toEqual([])
    transport.last.end()
    expect(attempts).toEqual([
      {
        ...ROUTE,
        stream: false,
        startedAt: 1_000_000,
        ms: 175,
        firstByteMs: 150,
        status: 200,
        failure: undefined,
        outcome: 'complete',
        error: undefined,
        usage: { input: 2 },
      },
    ])
  })

  it('is shown with its call and route', async () => {
    const routes: unknown[] = []
    const stage: Stage = { onAttempt: ({ requestId, route }) => void routes.push([requestId, route]) }
    const { send, transport } = setUp({ stages: [stage] })
    await send(WHOLE)
    transport.last.fail('reset')
    const { origin: _, ...route } = ROUTE
    expect(routes).toEqual([['req_id1', { ...route, upstreamModel: 'm-1', mode: 'relay' }]])
  })

  it('that the upstream refuses has its status and the kind of its error', async () => {
    const { attempts, send, transport } = watched()
    await send(WHOLE)
    transport.last.head(429)
    transport.last.chunk('{}')
    transport.last.end()
    expect(attempts).toMatchObject([{ ...ROUTE, status: 429, outcome: 'failed', failure: undefined }])
    expect(attempts[0]?.error).toBeDefined()
  })

  it('is interrupted if the connection breaks inside a stream', async () => {
    const { attempts, send, transport } = watched()
    await send(STREAM)
    transport.last.head(200, SSE)
    transport.last.chunk('data: 1\n\n')
    transport.last.fail('reset')
    expect(attempts).toMatchObject([
      { stream: true, status: 200, outcome: 'interrupted', failure: 'reset', error: 'interrupted' },
    ])
  })

  it('is aborted if the client leaves', async () => {
    const { attempts, send, transport, clock } = watched()
    const reply = await send(STREAM)
    transport.last.head(200, SSE)
    transport.last.chunk('data: 1\n\n')
    clock.advance(10)
    reply.onGone?.()
    expect(attempts).toMatchObject([{ status: 200, outcome: 'aborted', failure: undefined, ms: 10 }])
  })

  it('is over before the next one begins', async () => {
    const order: string[] = []
    const note: Stage = {
      beforeCall: ({ route }) => void order.push(`begin ${route.protocol}`),
      onAttempt: (_call, { protocol, failure, outcome }) => void order.push(`end ${protocol} ${failure ?? outcome}`),
      onSettle: () => void order.push('settle'),
    }
    const providers = [fakeProvider('acme', ['chat', 'messages'])]
    const { attempts, send, transport, clock } = watched({ protocols, providers, stages: [note] })
    await send('{"model":"acme/m","messages":[{"role":"user","content":"Hi"}]}', '/api/v1/chat/completions')
    clock.advance(5)
    transport.last.fail('refused')
    clock.advance(7)
    transport.last.fail('timeout')
    expect(order).toEqual(['begin chat', 'end chat refused', 'begin messages', 'end messages timeout', 'settle'])
    expect(attempts).toMatchObject([
      { startedAt: 1_000_000, ms: 5, outcome: 'failed', error: 'upstream' },
      { startedAt: 1_000_005, ms: 7, outcome: 'failed', error: 'timeout' },
    ])
    expect(attempts.map(({ status }) => status)).toEqual([undefined, undefined])
  })

  it('is not reported for a call that no upstream was called for', async () => {
    const { attempts, send } = watched()
    expect((await send('{')).status).toBe(400)
    expect(attempts).toEqual([])
  })
})
