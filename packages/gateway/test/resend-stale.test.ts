import type { Failure } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import { resendStale } from '../src/modes/resend-stale.ts'
import { scriptedTransport } from './scripted.ts'

const CALL = {
  url: 'http://x/',
  method: 'GET',
  headers: {},
  deadlines: { connect: 1, head: 1, idle: 1, total: 1 },
} as const

function send() {
  const transport = scriptedTransport()
  const seen: (number | string)[] = []
  const flow = resendStale(transport, () => undefined).send(CALL, {
    onHead: (status) => (seen.push(status), 'chunks'),
    onChunk: () => undefined,
    onEnd: () => void seen.push('end'),
    onFail: ({ kind }: Failure) => void seen.push(kind),
  })
  return { transport, seen, flow }
}

describe('a call on a connection that was closed while it was idle', () => {
  it('is sent once more, and only once', () => {
    const { transport, seen } = send()
    transport.last.fail('reset', { stale: true })
    expect([transport.calls.length, seen]).toEqual([2, []])
    transport.last.fail('reset', { stale: true })
    expect([transport.calls.length, seen]).toEqual([2, ['reset']])
  })

  it('is answered by the second one, which is the one that is cancelled', () => {
    const { transport, seen, flow } = send()
    transport.last.fail('reset', { stale: true })
    flow.pause()
    expect(transport.calls.map((call) => call.flow.paused)).toEqual([false, true])
    transport.last.head(200)
    transport.last.end()
    expect(seen).toEqual([200, 'end'])
  })

  it('is not repeated after any other failure', () => {
    const { transport, seen } = send()
    transport.last.fail('reset')
    expect([transport.calls.length, seen]).toEqual([1, ['reset']])
  })
})
