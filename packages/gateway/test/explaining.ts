import { protocols } from '@dragoman/core/protocols'
import { expect } from 'vitest'
import type { Explanation, GatewayOptions } from '../src/index.ts'
import type { KeptReply } from './scripted.ts'
import { KEY, setUp } from './set-up.ts'

export const CHAT = '/api/v1/chat/completions'
export const MESSAGES = '/api/anthropic/v1/messages'
type Headers = Record<string, string>
export const HEADERS: Headers = { ...KEY, 'anthropic-version': '2023-06-01' }

/** A gateway with the protocols of the core, and calls to it: explained, or made. */
export function explaining(options: Partial<GatewayOptions>) {
  // The same id each time, so that two requests can be equal.
  const world = setUp({ protocols, ids: () => 'id', ...options })
  const answered = async (body: object | string, path: string, headers: Headers = HEADERS) => {
    const reply = await world.send(typeof body === 'string' ? body : JSON.stringify(body), path, headers)
    await expect.poll(() => reply.state).not.toBe('open')
    return reply
  }
  /** The answer to a call behind `/explain`. */
  const explainReply = (body: object | string, path: string, headers: Headers = HEADERS): Promise<KeptReply> =>
    answered(body, `/explain${path}`, headers)
  const explain = async (body: object | string, path = CHAT, headers: Headers = HEADERS): Promise<Explanation> => {
    const reply = await explainReply(body, path, headers)
    expect([reply.status, reply.text]).toEqual([200, expect.anything()])
    return JSON.parse(reply.text) as Explanation // its members are what the tests are about
  }
  const call = (body: object | string, path = CHAT, headers: Headers = HEADERS) =>
    world.send(typeof body === 'string' ? body : JSON.stringify(body), path, headers)
  return { ...world, answered, explainReply, explain, call }
}

export function preferences(json: object): Headers {
  return { ...HEADERS, 'x-dragoman-routing': JSON.stringify(json) }
}

export function hostOf(url: string): string {
  return new URL(url).host.split('.')[0] ?? ''
}
