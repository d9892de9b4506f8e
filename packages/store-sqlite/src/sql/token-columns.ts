/** The counts of tokens, by the names of their columns. */
export function readTokens<Count>(count: (column: string) => Count) {
  return {
    input: count('input'),
    output: count('output'),
    cacheRead: count('cache_read'),
    cacheWrite5m: count('cache_write_5m'),
    cacheWrite1h: count('cache_write_1h'),
    reasoning: count('reasoning'),
  }
}
