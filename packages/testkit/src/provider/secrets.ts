import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { clientOf, clients } from './clients.ts'
import { canaries, createStage, type CallResult, type Stage } from './stage.ts'
import type { ProviderSubject, ScriptedAnswer } from './subject.ts'
import { createScriptedUpstream, type SeenCall } from './upstream.ts'

type Failing = (call: SeenCall) => ScriptedAnswer | 'reset'

/** An error that repeats everything that the upstream received. */
function echo({ text }: SeenCall): string {
  return JSON.stringify({
    error: { message: text, type: text, code: text, status: text },
    message: text,
    type: 'error',
  })
}

const FAILING: { readonly [title: string]: Failing } = {
  ...Object.fromEntries(
    [400, 401, 402, 403, 404, 409, 413, 422, 429, 500, 502, 503, 529].map((status): [string, Failing] => [
      `echoes its request with status ${status}`,
      (call) => ({ status, body: echo(call) }),
    ]),
  ),
  'echoes its request as a page': (call) => ({
    status: 502,
    headers: { 'content-type': 'text/html' },
    body: call.text,
  }),
  'echoes its request as text with status 200': (call) => ({ body: call.text }),
  'echoes its request as JSON where a stream was asked for': (call) => ({ body: echo(call) }),
  'echoes its request in a header': (call) => ({ status: 500, headers: { 'x-echo': encodeURIComponent(call.text) } }),
  'closes the connection': () => 'reset',
}

/** No error, log or loss contains a secret, whatever the upstream does. */
export function describeSecrets(subject: ProviderSubject, protocol: string, stage: () => Stage): void {
  describe('secrets', () => {
    const cases = clients.flatMap(({ protocol: { name } }) => [false, true].map((stream) => ({ from: name, stream })))
    const runs = cases.flatMap((each) => Object.keys(FAILING).map((title) => ({ ...each, title })))
    it.each(runs)(
      'are not exposed when the upstream $title ($from, stream $stream)',
      async ({ from, stream, title }) => {
        const { upstream, ask } = stage()
        upstream.answer(FAILING[title] ?? (() => 'reset'))
        const answer = await ask(clientOf(from), { stream }).catch(unreadable)
        mustHoldNone(answer, stage())
      },
    )

    const others = clients.filter(({ protocol: { name } }) => name !== protocol)
    it.each(others.map((client) => client.protocol.name))(
      'are not sent to a %s client when a stream ends with an echo',
      async (from) => {
        const { upstream, ask } = stage()
        upstream.answer((call) => ({ frames: [`event: error\ndata: ${echo(call)}\n\n`] }))
        mustHoldNone(await ask(clientOf(from), { stream: true }), stage())
      },
    )

    it.each([301, 302, 303, 307, 308])('do not follow a redirect with status %i', async (status) => {
      const elsewhere = await createScriptedUpstream()
      try {
        const { upstream, ask } = stage()
        upstream.answer({ status, headers: { location: `${elsewhere.url}/v1/steal` }, body: '{}' })
        const answer = await ask(clientOf(protocol), {})
        expect(answer.status).toBeGreaterThanOrEqual(400)
        expect(elsewhere.seen).toEqual([])
        mustHoldNone(answer, stage())
      } finally {
        await elsewhere.close()
      }
    })

    it('are not exposed when nothing listens at the address', async () => {
      const gone = await createStage(subject)
      await gone.upstream.close()
      try {
        mustHoldNone(await gone.ask(clientOf(protocol), {}), gone)
      } finally {
        await gone.close().catch(() => undefined)
      }
    })

    it('are not readable in the provider object', () => {
      const { provider } = stage()
      expect(canaries(inspect(provider, { depth: null, showHidden: true }))).toEqual([])
      expect(canaries(JSON.stringify(provider))).toEqual([])
    })
  })
}

function mustHoldNone(answer: CallResult | undefined, { log }: Stage): void {
  const shown = answer === undefined ? '' : `${answer.status} ${answer.text} ${JSON.stringify(answer.headers)}`
  expect(canaries(shown)).toEqual([])
  expect(canaries(inspect(log.at(-1), { depth: null }))).toEqual([])
}

/** The log entry is searched even if the reader of the protocol refuses the body. */
function unreadable(): undefined {
  return undefined
}
