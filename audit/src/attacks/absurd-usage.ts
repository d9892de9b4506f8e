import type { Scenario } from '../scenario.ts'
import { ask } from '../server/ask.ts'
import { PROTOCOLS, PROVIDER_OF, type Spoken } from '../server/providers.ts'
import { settled } from '../server/settled.ts'
import { literal } from '../upstream/answers.ts'

/** Everything that JSON can hold in the place of a count. */
const COUNTS = [
  '1e308',
  '1e300',
  '1e999',
  '-1',
  '-1e300',
  '9007199254740993',
  '1000000001',
  '0.5',
  '"12"',
  'null',
  'true',
  '[]',
  '{}',
]
/** A bucket has at most 10^9 tokens; by hand, at 2 and 10 dollars per million tokens. */
const MOST = 1_000_000_000n * 2000n + 1_000_000_000n * 10_000n

const USAGE_OF: Readonly<Record<Spoken, (count: string) => object>> = {
  chat: (count) => ({ prompt_tokens: count, completion_tokens: count, total_tokens: count }),
  messages: (count) => ({ input_tokens: count, output_tokens: count }),
  genai: (count) => ({ promptTokenCount: count, candidatesTokenCount: count, totalTokenCount: count }),
  responses: (count) => ({ input_tokens: count, output_tokens: count, total_tokens: count }),
}

export const absurdUsage: Scenario = {
  name: 'absurd-usage',
  attack:
    'The upstream reports absurd counts: 1e308, 1e300, -1, texts, lists, in all protocols, whole and streamed, with metrics on.',
  rule: 'Counts are clamped and marked; every call has its record; the process, the usage API and the headers stay well.',
  before: '1e308 ended the process, 1e300 made the usage API a 503, and -1 with metrics lost record and charge',
  async run({ upstream, start, check }) {
    const server = await start({ environment: { DRAGOMAN_METRICS_PORT: '0' } })
    const { secret } = await server.admin.createKey({ name: 'caller', budgets: { total: '9000000' } })
    const calls = COUNTS.flatMap((count, index) =>
      PROTOCOLS.flatMap((protocol) =>
        [true, false].map((stream) => ({ count, protocol, stream, name: `m-${protocol}-${stream}-${index}` })),
      ),
    )
    const malformed: string[] = []
    for (const { count, protocol, stream, name } of calls) {
      upstream.plan({ bills: { input: 0, output: 0 }, rawUsage: USAGE_OF[protocol](literal(count)) }, name)
      const { headers } = await ask(server.url, secret, protocol, { model: `${PROVIDER_OF[protocol]}/${name}`, stream })
      const cost = headers.get('x-dragoman-cost')
      if (cost !== null && !/^\d+\.\d{9}$/.test(cost)) malformed.push(`${count}: ${cost}`)
      if (server.ended() !== null) break
    }
    check('the process lives', server.ended() === null, server.ended() ?? '')
    if (server.ended() !== null) return
    check('the cost header is well-formed', malformed.length === 0, malformed.slice(0, 3))
    const { status } = await server.admin.ask('GET', '/usage?by=model')
    check('the usage API answers', status === 200, status)
    const records = await settled(server, calls.length).catch(() => server.admin.records())
    check('each call has a record', records.length === calls.length, `${records.length} of ${calls.length}`)
    const outside = records.filter(({ nanos }) => nanos < 0n || nanos > MOST)
    check(
      'no cost is above that of 10^9 tokens, or below zero',
      outside.length === 0,
      outside.slice(0, 3).map(({ asked, nanos }) => `${asked}: ${nanos}`),
    )
  },
}
