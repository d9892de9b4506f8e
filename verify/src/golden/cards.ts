import type { JsonObject, Limits } from '@dragoman/core'
import type { Quirk } from '@dragoman/core/provider'
import type { ProtocolName } from '../fidelity/fact.ts'

/** How an upstream differs from its protocol. These are made up: the real cards change with the catalogue. */
export interface GoldenCard {
  readonly limits: Limits
  readonly dialect: JsonObject
  readonly issuer?: string
  readonly quirks: readonly Quirk[]
}

const QUIRKS: readonly Quirk[] = [
  { verb: 'default', at: 'tools.*.strict', to: true },
  { verb: 'drop', at: ['messages.*.name', 'tools.*.description', 'messages.*.parts.*.cache'] },
  { verb: 'clamp', at: 'settings.stop', max: 1 },
  { verb: 'clamp', at: 'settings.temperature', min: 0.1, max: 0.9, because: 'takes no extremes' },
  { verb: 'exclude', at: ['settings.topP', 'settings.topK'] },
  { verb: 'replace', at: 'reasoning.effort', values: { minimal: 'low', xhigh: 'high' } },
  { verb: 'instruct', at: 'output.schema', text: 'Answer with JSON of this schema: {}' },
]

/** One card for each protocol; together they use every verb and every member of a dialect. */
export const CARD_OF: { readonly [Name in ProtocolName | 'responses']: GoldenCard } = {
  chat: {
    limits: { maxTokens: 4096 },
    dialect: {
      cache: true,
      history: 'reasoning',
      reasoning: 'effort',
      think: 'tags',
      citations: 'citations',
      usage: { at: 'choice', reasoning: 'beside', cached: 'cached' },
      finish: { eos: 'stop' },
    },
    quirks: [...QUIRKS, { verb: 'rename', at: 'max_completion_tokens', to: 'max_tokens' }],
  },
  messages: {
    limits: { maxTokens: 4096, reasoning: { min: 1024, max: 2048 } },
    dialect: { thinking: 'adaptive', systemTurns: true },
    issuer: 'elsewhere',
    quirks: [...QUIRKS, { verb: 'rename', at: 'thinking.type', values: { disabled: 'off' } }],
  },
  genai: {
    limits: { maxTokens: 4096, reasoning: { min: 128, max: 4096 } },
    dialect: { signatures: 'required', resultMedia: 'turn', schema: 'openapi', thinking: 'level', displayName: true },
    quirks: [...QUIRKS, { verb: 'rename', at: 'generationConfig.topK', to: 'generationConfig.top_k' }],
  },
  responses: {
    limits: { maxTokens: 4096 },
    dialect: {},
    quirks: [...QUIRKS, { verb: 'rename', at: 'max_output_tokens', to: 'max_tokens' }],
  },
}
