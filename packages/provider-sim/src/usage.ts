import type { Part, ModelRequest, ToolOutput, Usage } from '@dragoman/core'

const CHARACTERS_PER_TOKEN = 4
const TOKENS_PER_MEDIA = 256

/** Four characters are a token, rounded up. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN)
}

/** The longest prefix of a text with at most this many tokens. */
export function firstTokens(text: string, tokens: number): string {
  const cut = text.slice(0, tokens * CHARACTERS_PER_TOKEN)
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut
}

/** Estimates the usage: the messages and tools of the request, and the parts of the response. */
export function countUsage(request: ModelRequest, answer: readonly Part[]): Usage {
  const input = request.messages.flatMap(({ parts }) => parts)
  const reasoning = answer.filter(({ type }) => type === 'reasoning')
  return {
    input: sumOf(input) + (request.tools === undefined ? 0 : tokensOf(JSON.stringify(request.tools))),
    output: sumOf(answer),
    ...countCache(input),
    reasoning: sumOf(reasoning),
    searches: answer.filter((part) => part.type === 'tool-call' && part.by === 'server').length,
  }
}

/** Everything before a cache mark is written to the cache every time, because the simulator keeps nothing. */
function countCache(input: readonly Part[]): Pick<Usage, 'cacheRead' | 'cacheWrite5m' | 'cacheWrite1h'> {
  const written = { '5m': 0, '1h': 0 }
  let waiting = 0
  for (const part of input) {
    waiting += tokensOfPart(part)
    if (part.cache === undefined) continue
    written[part.cache.ttl ?? '5m'] += waiting
    waiting = 0
  }
  return { cacheRead: 0, cacheWrite5m: written['5m'], cacheWrite1h: written['1h'] }
}

export function tokensOfPart(part: Part): number {
  switch (part.type) {
    case 'media':
      return TOKENS_PER_MEDIA
    case 'tool-call':
      return (
        tokensOf(part.name) +
        tokensOf(typeof part.arguments === 'string' ? part.arguments : JSON.stringify(part.arguments))
      )
    case 'tool-result':
      return tokensOfOutput(part.output)
    default:
      return 'text' in part ? tokensOf(part.text) : 0
  }
}

function tokensOfOutput(output: ToolOutput): number {
  return sumOf(output.parts ?? []) + ('json' in output ? tokensOf(JSON.stringify(output.json)) : 0)
}

function sumOf(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + tokensOfPart(part), 0)
}
