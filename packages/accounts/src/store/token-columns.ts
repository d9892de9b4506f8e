import type { TokenCounts } from './call-record.ts'

type TokenColumn = 'input' | 'output' | 'cache_read' | 'cache_write_5m' | 'cache_write_1h' | 'reasoning'

/** The counts of tokens, by the names of their columns. */
export function readTokens<Count>(count: (column: TokenColumn) => Count): {
  readonly [Name in keyof TokenCounts]: Count
} {
  return {
    input: count('input'),
    output: count('output'),
    cacheRead: count('cache_read'),
    cacheWrite5m: count('cache_write_5m'),
    cacheWrite1h: count('cache_write_1h'),
    reasoning: count('reasoning'),
  }
}
