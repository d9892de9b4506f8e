/** A fault for `npm run plant`: a text of a file, and what is put in its place. The file has the text exactly once. */
export interface Fault {
  readonly kind: Kind
  readonly name: string
  readonly file: string
  readonly text: string
  readonly instead: string
}

/** What the faults are in. There is at least one of each kind. */
export const KINDS = [
  'converter',
  'loss',
  'seal',
  'route',
  'limit',
  'budget',
  'price',
  'redaction',
  'guard',
  'stage',
] as const
export type Kind = (typeof KINDS)[number]

export const FAULTS: readonly Fault[] = [
  {
    kind: 'converter',
    name: 'genai reads a cut answer as a complete one',
    file: 'packages/core/src/protocols/genai/response.ts',
    text: "  MAX_TOKENS: 'length',",
    instead: "  MAX_TOKENS: 'stop',",
  },
  {
    kind: 'converter',
    name: 'messages leaves a text open until the next block',
    file: 'packages/core/src/protocols/messages/decode-blocks.ts',
    text: "if (ending || open !== undefined) emit({ type: 'block-end' })",
    instead: "if (open !== undefined) emit({ type: 'block-end' })",
  },
  {
    kind: 'converter',
    name: 'chat forgets the presence penalty',
    file: 'packages/core/src/protocols/chat/settings.ts',
    text: "    presencePenalty: 'presence_penalty',\n",
    instead: '',
  },
  {
    kind: 'loss',
    name: 'chat drops the fifth stop sequence in silence',
    file: 'packages/core/src/protocols/chat/settings.ts',
    text: "if (index >= 4) losses.dropped(['stop', index], 'chat takes four stop sequences')",
    instead: 'if (index >= 4) continue',
  },
  {
    kind: 'seal',
    name: 'the seal in the id of a call is not opened',
    file: 'packages/core/src/ir/seal.ts',
    text: '  return { id: inner, seal: { issuer, value } }',
    instead: '  return { id: inner }',
  },
  {
    kind: 'route',
    name: 'the next route is not tried after a failure',
    file: 'packages/gateway/src/pipeline/try-routes.ts',
    text: 'return tryNext() || retry(verdict, reason.retryAfter)',
    instead: 'return retry(verdict, reason.retryAfter)',
  },
  {
    kind: 'route',
    name: 'calls in the queue of a provider wait for ever',
    file: 'packages/gateway/src/health/queues.ts',
    text: '      running--\n      runWaiting()',
    instead: '      running--',
  },
  {
    kind: 'limit',
    name: 'one concurrent call too many in memory',
    file: 'packages/accounts/src/memory/memory-calls.ts',
    text: 'openCalls(key) >= limits.concurrent',
    instead: 'openCalls(key) > limits.concurrent',
  },
  {
    kind: 'limit',
    name: 'one concurrent call too many in SQLite',
    file: 'packages/store-sqlite/src/sql/calls.ts',
    text: 'meter.open >= limits.concurrent',
    instead: 'meter.open > limits.concurrent',
  },
  {
    kind: 'limit',
    name: 'one concurrent call too many in PostgreSQL',
    file: 'packages/store-postgres/src/sql/raises.sql',
    text: "where open_calls.key = whose) >= (limits->>'concurrent')",
    instead: "where open_calls.key = whose) > (limits->>'concurrent')",
  },
  {
    kind: 'limit',
    name: 'one concurrent call too many in Redis',
    file: 'packages/store-postgres/src/redis/decide.lua',
    text: 'elseif most_calls and count(key) >= most_calls then',
    instead: 'elseif most_calls and count(key) > most_calls then',
  },
  {
    kind: 'budget',
    name: 'a later attempt gets what it asks for without the budget',
    file: 'packages/store-sqlite/src/sql/calls.ts',
    text: "  if ('refused' in verdict) return verdict\n  opened.put(given)",
    instead: '  opened.put(given)',
  },
  {
    kind: 'price',
    name: 'a price of a card changes without its source',
    file: 'packages/provider-openai/src/models.ts',
    text: '{ prompt: [2, 4], completion: [12, 18],',
    instead: '{ prompt: [2, 4], completion: [11, 18],',
  },
  {
    kind: 'price',
    name: 'an item without a price makes the whole answer free',
    file: 'packages/core/src/provider/cost.ts',
    text: '  return { ...sum, items, ...(unpriced.length === 0 ? {} : { unpriced }) }',
    instead: '  return { ...sum, items }',
  },
  {
    kind: 'redaction',
    name: 'only the first copy of a key is removed from an error',
    file: 'packages/core/src/provider/credentials.ts',
    text: "clean.replaceAll(secret, '[secret]')",
    instead: "clean.replace(secret, '[secret]')",
  },
  {
    kind: 'redaction',
    name: 'keys of one vendor stay in kept bodies',
    file: 'packages/accounts/src/redaction/find-secrets.ts',
    text: String.raw`AIza[\w-]{30,}|`,
    instead: '',
  },
  {
    kind: 'guard',
    name: 'the limit for guesses of keys is not asked',
    file: 'packages/accounts/src/keys/guard-keys.ts',
    text: '!isInUse(secret) && wrong.isFull(address) ? Promise.reject(tooMany()) : keys.find(secret, address)',
    instead: 'keys.find(secret, address)',
  },
  {
    kind: 'stage',
    name: 'a stage that throws at the end of a call is not caught',
    file: 'packages/gateway/src/stages/hooks.ts',
    text: "run: guarded('onSettle', report, stage.onSettle.bind(stage))",
    instead: 'run: stage.onSettle.bind(stage)',
  },
]
