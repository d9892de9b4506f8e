import { createManualClock } from '../src/ports/manual-clock.ts'
import type { Call } from '@dragoman/core/provider'
import { expect } from 'vitest'
import {
  createGateway,
  createMemoryKeys,
  createMemoryLedger,
  createMemoryLog,
  type GatewayOptions,
} from '../src/index.ts'
import { card, fakeProtocol } from './fake-protocol.ts'
import { fakeProvider, head, keptReply, scriptedTransport, type KeptReply } from './scripted.ts'

const red = fakeProtocol('red', '/red')
const blue = fakeProtocol('blue', '/red/blue')
export const KEY = { authorization: 'Bearer secret', 'content-type': 'application/json' }
export const SSE = { 'content-type': 'text/event-stream; charset=utf-8' }

export function setUp(options: Partial<GatewayOptions> = {}) {
  const transport = scriptedTransport()
  const log = createMemoryLog()
  const ledger = createMemoryLedger()
  const clock = createManualClock()
  let count = 0
  const gateway = createGateway({
    providers: [fakeProvider('acme', ['red'], [card('m', { upstream: 'm-1' })])],
    protocols: [red, blue],
    keys: createMemoryKeys([{ id: 'tester', secret: 'secret' }]),
    transport,
    log,
    ledger,
    clock,
    // The wait for usage has tests of its own, in `charges.test.ts`.
    usageMs: 0,
    ids: () => `id${++count}`,
    ...options,
  })
  const send = async (body: string, target = '/red/gen', headers: Record<string, string> = KEY): Promise<KeptReply> => {
    const reply = keptReply()
    const pending = await gateway.open(head('POST', target, headers), reply)
    pending?.proceed(new TextEncoder().encode(body))
    return reply
  }
  return { gateway, transport, log, ledger, clock, send }
}

export function bytesOf(body: Call['body']): Uint8Array {
  return body instanceof Uint8Array ? body : expect.fail('not the bytes')
}

export async function get(
  options: Partial<GatewayOptions>,
  method: string,
  target: string,
  headers = {},
): Promise<KeptReply> {
  const reply = keptReply()
  await setUp(options).gateway.open(head(method, target, headers), reply)
  return reply
}
