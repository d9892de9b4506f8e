import type { Json, JsonObject } from '@dragoman/core'
import type { Card } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import { clientOf, clients } from './clients.ts'
import { plainAnswer } from './scripts/scripts-of.ts'
import { canaries, KEYS, modelOf, SUITE_MODEL, type Stage } from './stage.ts'
import type { SeenCall } from './upstream.ts'
import type { ProviderSubject } from './subject.ts'

/** Requests on the wire: their path, their headers, and the effect of the provider's quirks. */
export function describeRequests(subject: ProviderSubject, protocol: string, stage: () => Stage): void {
  describe.each([false, true])('with stream %s', (stream) => {
    it.each(clients.map((client) => client.protocol.name))(
      '[base.model] calls the upstream for a %s client',
      async (from) => {
        const { upstream, provider, ask } = stage()
        upstream.answer(plainAnswer(protocol, stream))
        const { status, headers } = await ask(clientOf(from), { stream })
        expect([status, headers['x-dragoman-provider']]).toEqual([200, provider.name])
        const model = upstreamName(cardOf(stage(), modelOf(subject)))
        mustArrive(upstream.seen.at(-1), subject, pathOf(subject, protocol, model, stream), model)
      },
    )
  })

  const cases = (subject.requests ?? []).filter((each) => each.protocol === protocol)
  it.each(cases)('[base.subset] $title', async (each) => {
    const { upstream, ask, log } = stage()
    upstream.answer(plainAnswer(protocol, each.stream === true))
    const { from = protocol, model, stream, asks } = each
    const { status, text } = await ask(clientOf(from), { model, stream, more: asks })
    expect({ status, text }).toMatchObject({ status: 200 })
    const body = upstream.seen.at(-1)?.body ?? {}
    expect(body).toMatchObject(each.sees ?? {})
    expect((each.lacks ?? []).filter((path) => memberAt(body, path) !== undefined)).toEqual([])
    const losses = log.at(-1)?.losses.map(({ kind, path }) => `${kind} ${path.join('.')}`) ?? []
    expect(losses.filter((loss) => !isUsual(loss))).toEqual(each.losses ?? [])
  })

  it('calls a model that was added in the configuration', async () => {
    const { upstream, ask } = stage()
    upstream.answer(plainAnswer(protocol, false))
    const { status } = await ask(clientOf(protocol), { model: SUITE_MODEL })
    expect(status).toBe(200)
    expect(upstream.seen.at(-1)?.text).toContain('suite-model-1')
  })
}

/** The right path, with one of the provider's keys and no secrets of the caller. */
function mustArrive(seen: SeenCall | undefined, { auth }: ProviderSubject, path: string, model: string): void {
  expect({ ...seen, path: decodeURIComponent(seen?.path ?? '') }).toMatchObject({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
  })
  // Protocols without the model in the path have it in the body.
  expect(seen?.body['model'] ?? model).toBe(model)
  const given = KEYS.map((key) => `${auth?.prefix ?? ''}${key}`)
  const carried = auth === undefined ? given[0] : seen?.headers[auth.header]
  expect(given).toContain(carried)
  expect(canaries(seen?.text ?? '').length).toBe(auth === undefined ? 0 : 1)
}

/** Losses of the response, and defaults that encoders add for every provider. */
function isUsual(loss: string): boolean {
  return /^(added settings\.maxTokens$|\w+ (id|created|model|candidates|usage|blocked)\b)/.test(loss)
}

function cardOf({ provider }: Stage, model: string): Card {
  const card = provider.models.find(({ name }) => name === model)
  if (card === undefined) throw new Error(`the provider does not list ${model}`)
  return card
}

function upstreamName(card: Card): string {
  return card.upstream ?? card.name
}

function pathOf(subject: ProviderSubject, protocol: string, model: string, stream: boolean): string {
  const path = (subject.paths[protocol] ?? '').replace('{model}', model)
  return stream ? path.replace(/:generateContent$/, ':streamGenerateContent?alt=sse') : path
}

function memberAt(body: JsonObject, path: string): Json | undefined {
  let node: Json | undefined = body
  for (const key of path.split('.'))
    node = typeof node === 'object' && node !== null ? (node as { readonly [key: string]: Json })[key] : undefined // lists too
  return node
}
