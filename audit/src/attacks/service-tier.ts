import { dollarsOf } from '../money/nanos.ts'
import type { Scenario } from '../scenario.ts'
import { ask } from '../server/ask.ts'
import type { Spoken } from '../server/providers.ts'
import { recordOf } from '../server/settled.ts'
import { vendors } from '../server/vendors.ts'

const BILLS = { input: 1000, output: 1000 }
/** By hand: 1,000 tokens at 2.50 and 1,000 at 15 dollars per million, OpenAI's list price. */
const GPT = 17_500_000n
/** By hand: 1,000 tokens at 5 and 1,000 at 25 dollars per million, Anthropic's list price. */
const OPUS = 30_000_000n

interface Term {
  readonly title: string
  readonly protocol: Spoken
  readonly model: string
  readonly upstreamModel: string
  readonly asks: object
  readonly answers: object
  readonly usage?: object
  readonly listPrice: bigint
  /** `dearer`: more than the list price, or refused. `listed`: exactly that, because the answer says so. */
  readonly costs: 'dearer' | 'listed'
}

const GPT_CALL = { protocol: 'chat', model: 'openai/gpt-5.4', upstreamModel: 'gpt-5.4', listPrice: GPT } as const
const OPUS_CALL = {
  protocol: 'messages',
  model: 'anthropic/claude-opus-4.8',
  upstreamModel: 'claude-opus-4-8',
  listPrice: OPUS,
} as const
const COUNTED = { input_tokens: BILLS.input, output_tokens: BILLS.output }

const TERMS: readonly Term[] = [
  {
    title: 'priority',
    ...GPT_CALL,
    asks: { service_tier: 'priority' },
    answers: { service_tier: 'priority' },
    costs: 'dearer',
  },
  {
    title: 'priority, answered as default',
    ...GPT_CALL,
    asks: { service_tier: 'priority' },
    answers: { service_tier: 'default' },
    costs: 'listed',
  },
  {
    title: 'an unknown tier',
    ...GPT_CALL,
    asks: { service_tier: 'platinum' },
    answers: { service_tier: 'platinum' },
    costs: 'dearer',
  },
  {
    title: 'fast',
    ...OPUS_CALL,
    asks: { speed: 'fast' },
    answers: {},
    usage: { ...COUNTED, speed: 'fast' },
    costs: 'dearer',
  },
  {
    title: 'in the US',
    ...OPUS_CALL,
    asks: { inference_geo: 'us' },
    answers: {},
    usage: { ...COUNTED, inference_geo: 'us' },
    costs: 'dearer',
  },
]

export const serviceTier: Scenario = {
  name: 'service-tier',
  attack: 'Calls ask for terms that cost more than the list price: service_tier, speed, inference_geo.',
  rule: 'Terms have their own prices, or are refused with a 403 under a budget; the answer decides which terms count. On messages, service_tier never fails a call.',
  before: 'every tier was charged the list price',
  async run({ upstream, start, check }) {
    const server = await start({
      environment: vendors(upstream.url),
      // The double of this provider answers in chat alone.
      config: { providers: { openai: { overrides: { 'gpt-5.4': { protocols: ['chat'] } } } } },
    })
    const { secret } = await server.admin.createKey({ name: 'attacker', budgets: { total: '100' } })
    for (const { title, protocol, model, upstreamModel, asks, answers, usage, listPrice, costs } of TERMS) {
      upstream.plan({ bills: BILLS, more: answers, ...(usage === undefined ? {} : { rawUsage: usage }) }, upstreamModel)
      const { status, text, requestId } = await ask(server.url, secret, protocol, { model, more: asks })
      if (status !== 200) {
        check(`${title} is refused with a 403`, status === 403, `${status} ${text.slice(0, 160)}`)
        continue
      }
      const { nanos } = await recordOf(server, requestId)
      const holds = costs === 'listed' ? nanos === listPrice : nanos > listPrice
      check(
        `${title} costs ${costs === 'listed' ? 'the list price' : 'more than the list price'}`,
        holds,
        `${dollarsOf(nanos)}, list price ${dollarsOf(listPrice)}`,
      )
    }
    upstream.plan({ bills: BILLS }, 'claude-opus-4-8')
    const tolerant = await ask(server.url, secret, 'messages', {
      model: 'anthropic/claude-opus-4.8',
      more: { service_tier: 'priority' },
    })
    check('on messages, an unpriced service_tier does not fail the call', tolerant.status === 200, tolerant.status)
  },
}
