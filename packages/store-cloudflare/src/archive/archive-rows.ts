import { readTokens, type CallRecord } from '@dragoman/accounts/store'

type Row = { readonly [column: string]: unknown }

/** Where each column is in the JSON of a record. Members are objects or lists where the column is JSON too. */
const PATH_OF: { readonly [column: string]: string } = {
  id: 'id',
  at: 'at',
  key: 'key',
  owner: 'owner',
  conversation: 'conversation',
  operation: 'operation',
  asked: 'asked',
  model: 'model',
  provider: 'provider',
  protocol: 'protocol',
  mode: 'mode',
  stream: 'stream',
  outcome: 'outcome',
  status: 'status',
  attempts: 'attempts',
  input: 'tokens.input',
  output: 'tokens.output',
  cache_read: 'tokens.cacheRead',
  cache_write_5m: 'tokens.cacheWrite5m',
  cache_write_1h: 'tokens.cacheWrite1h',
  reasoning: 'tokens.reasoning',
  cost_nanos: 'cost',
  items: 'items',
  prices: 'prices',
  estimated: 'estimated',
  losses: 'losses',
  first_byte_ms: 'firstByteMs',
  ms: 'ms',
}

/** Adds records that are not there yet. Its values are the object and a JSON list of records. */
export const INSERT_RECORDS = `INSERT OR IGNORE INTO dragoman_records (object, ${Object.keys(PATH_OF).join(', ')})
  SELECT ?, ${Object.values(PATH_OF)
    .map((path) => `json_extract(value, '$.${path}')`)
    .join(', ')} FROM json_each(?)`

export function archivedRecord(row: Row): CallRecord {
  const number = (column: string): number => Number(row[column])
  const text = (column: string): string => String(row[column])
  return {
    id: text('id'),
    at: number('at'),
    key: text('key'),
    owner: text('owner'),
    conversation: text('conversation'),
    operation: text('operation'),
    asked: text('asked'),
    model: text('model'),
    provider: text('provider'),
    protocol: text('protocol'),
    mode: text('mode') === 'translate' ? 'translate' : 'relay',
    stream: row['stream'] === 1,
    outcome: text('outcome') as CallRecord['outcome'], // as it was written
    status: number('status'),
    attempts: number('attempts'),
    tokens: readTokens(number),
    cost: number('cost_nanos'),
    items: JSON.parse(text('items')) as CallRecord['items'], // as it was written
    prices: text('prices'),
    estimated: row['estimated'] === 1,
    losses: JSON.parse(text('losses')) as CallRecord['losses'], // as it was written
    firstByteMs: row['first_byte_ms'] === null ? undefined : number('first_byte_ms'),
    ms: number('ms'),
  }
}
