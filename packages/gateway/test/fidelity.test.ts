import { protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { createMemoryKeys, type GatewayOptions } from '../src/index.ts'
import { fakeProvider, type ScriptedCall } from './scripted.ts'
import { KEY, setUp } from './set-up.ts'

const MESSAGES = '/api/anthropic/v1/messages'
const HEADERS = { ...KEY, 'anthropic-version': '2023-06-01' }
const MARKED = [{ type: 'text', text: 'Long rules.', cache_control: { type: 'ephemeral' } }]
/** The first provider takes no cache marks and no top_k. */
const providers = [fakeProvider('plain', ['chat']), fakeProvider('native', ['messages'])]

function serve(options: Partial<GatewayOptions> = {}) {
  const pool = { routes: ['plain/m', 'native/m'] }
  const world = setUp({ protocols, providers, aliases: { pool }, ...options })
  const ask = (more: object = {}, headers: Record<string, string> = {}, model = 'pool') => {
    const body = { model, max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }], ...more }
    return world.send(JSON.stringify(body), MESSAGES, { ...HEADERS, ...headers })
  }
  return { ...world, ask, hosts: () => world.transport.calls.map(({ call }) => new URL(call.url).host.split('.')[0]) }
}

const preferences = (json: object) => ({ 'x-dragoman-routing': JSON.stringify(json) })
const errorOf = (reply: { readonly text: string }): string => JSON.parse(reply.text).error.message
const refuse = (call: ScriptedCall): void => {
  call.head(500)
  call.chunk('{"error":{"message":"broken","type":"server_error"}}')
  call.end()
}

describe('a route that would lose something', () => {
  it('is used if losses are allowed', async () => {
    const { ask, hosts } = serve()
    await ask({ system: MARKED })
    await ask({ system: MARKED }, preferences({ on_loss: 'allow', keep: ['cache'] }))
    expect(hosts()).toEqual(['plain', 'plain'])
  })

  it.each([
    ['cache', { system: MARKED }],
    ['sampling', { top_k: 5 }],
    [
      'signatures',
      {
        messages: [
          { role: 'user', content: 'Hi' },
          {
            role: 'assistant',
            content: [
              { type: 'redacted_thinking', data: 'x' },
              { type: 'text', text: 'a' },
            ],
          },
          { role: 'user', content: 'b' },
        ],
      },
    ],
  ])('is skipped with reroute if it must keep %s, and not if it must keep something else', async (feature, more) => {
    const { ask, hosts } = serve()
    await ask(more, preferences({ on_loss: 'reroute', keep: [feature] }))
    await ask(more, { ...preferences({ on_loss: 'reroute', keep: ['images'] }), 'session-id': 'another' })
    expect(hosts()).toEqual(['native', 'plain'])
  })

  it('is skipped whatever it loses if nothing is named', async () => {
    const { ask, hosts } = serve()
    await ask({ top_k: 5 }, preferences({ on_loss: 'reroute' }))
    await ask({}, preferences({ on_loss: 'reroute' }))
    expect(hosts()).toEqual(['native', 'plain'])
  })

  it('is refused before any call, with the member and the reason', async () => {
    const { ask, hosts } = serve()
    const reply = await ask({ system: MARKED }, preferences({ on_loss: 'refuse', keep: ['cache'] }))
    expect([reply.status, hosts()]).toEqual([400, []])
    expect(errorOf(reply)).toMatch(/system\.0\.cache_control|system\[0\]\.cache_control/)
    expect(errorOf(reply)).toContain('(cache)')
  })

  it('and that no other replaces is refused with the reason of each', async () => {
    const { ask, hosts } = serve({
      aliases: { pool: { routes: ['plain/m', 'other/m'] } },
      providers: [...providers, fakeProvider('other', ['genai'])],
    })
    const reply = await ask({ system: MARKED }, preferences({ on_loss: 'reroute', keep: ['cache'] }))
    expect([reply.status, hosts()]).toEqual([400, []])
    expect(errorOf(reply)).toMatch(/plain\/m: .*cache.*other\/m: .*cache/s)
  })

  it('is skipped by the policy of an alias and of a key; the call has the last word', async () => {
    const policy = { onLoss: 'reroute', keep: ['cache'] } as const
    const byAlias = serve({ aliases: { pool: { routes: ['plain/m', 'native/m'], ...policy } } })
    await byAlias.ask({ system: MARKED })
    await byAlias.ask({ system: MARKED }, preferences({ on_loss: 'allow' }))
    expect(byAlias.hosts()).toEqual(['native', 'plain'])
    const byKey = serve({ keys: createMemoryKeys([{ id: 'tester', secret: 'secret', routing: policy }]) })
    await byKey.ask({ system: MARKED })
    expect(byKey.hosts()).toEqual(['native'])
  })

  it('is not used after another has failed: the error of that one is the answer', async () => {
    const { ask, transport, hosts } = serve({ aliases: { pool: { routes: ['native/m', 'plain/m'] } } })
    const reply = await ask({ system: MARKED }, preferences({ on_loss: 'reroute', keep: ['cache'] }))
    refuse(transport.last)
    expect([reply.status, hosts(), errorOf(reply)]).toEqual([500, ['native'], 'broken'])
  })

  it('an unknown feature is a native 400', async () => {
    const reply = await serve().ask({}, preferences({ on_loss: 'reroute', keep: ['cash'] }))
    expect([reply.status, errorOf(reply)]).toEqual([
      400,
      expect.stringContaining('x-dragoman-routing.keep names "cash"'),
    ])
  })
})
