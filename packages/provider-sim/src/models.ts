import type { Protocol } from '@dragoman/core'
import { usd, type Card } from '@dragoman/core/provider'

/** One model per protocol, which is called only in that protocol, so that every pair of protocols can be tested. */
export function createCards(protocols: readonly Protocol[]): readonly Card[] {
  return protocols.map(({ name }) => ({
    name: `${name}-1`,
    display: `Simulated ${name} 1`,
    description: `Answers by rule, in the ${name} protocol, without any network.`,
    owner: 'dragoman',
    context: 128_000,
    maxOutput: 32_000,
    input: ['text', 'image', 'file'],
    output: ['text'],
    quality: 1,
    reasoning: { min: 1024, max: 16_000 },
    protocols: [name],
    prices: usd({ prompt: 0, completion: 0 }),
    extensions: { messages: { systemTurns: true } },
  }))
}
