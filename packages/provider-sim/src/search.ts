import type { Citation, Part, Seal } from '@dragoman/core'
import { digest } from './digest.ts'

const PAGE = { url: 'https://sim.invalid/handbook', title: 'The handbook of the simulator' }
const QUOTE = 'It answers by rule.'

/** Cites a whole text. */
export const CITED: Citation = { quote: QUOTE, source: { kind: 'url', ...PAGE } }

/** A web search by the upstream with its result, or a failed search. */
export function searchParts(query: string, text: string, issuer: string, failed: boolean): readonly Part[] {
  const id = `srvtoolu_${digest(query).slice(0, 24)}`
  const call: Part = { type: 'tool-call', id, name: 'web_search', arguments: JSON.stringify({ query }), by: 'server' }
  const found = { type: 'tool-result', callId: id, by: 'server' } as const
  if (failed) return [call, { ...found, output: { parts: [] }, failed: 'unavailable' }, { type: 'text', text }]
  const seal = sealOf(PAGE.url, issuer)
  const citations: Citation[] = [{ quote: QUOTE, source: { kind: 'url', ...PAGE, seal } }]
  return [
    call,
    { ...found, output: { parts: [{ type: 'search-hit', ...PAGE, seal }] } },
    { type: 'text', text, citations },
  ]
}

/** Whether a search result has the encrypted content that was issued with it. */
export function isOwnHit(part: Part, issuer: string): boolean {
  if (part.type !== 'search-hit' || part.seal === undefined) return true
  return part.seal.issuer === issuer && part.seal.value === sealOf(part.url ?? '', issuer).value
}

function sealOf(url: string, issuer: string): Seal {
  return { issuer, value: `simpage0${digest(`${issuer}\n${url}`)}` }
}
