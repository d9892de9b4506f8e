import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Citation } from '../../ir/part.ts'
import { defined } from '../../lib/members.ts'
import { listOf, objectOf, stringOf } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import { TABLES } from './members.ts'
import { annotation, type WireAnnotation, type WireSources } from './answer-schema.ts'
import { NAME } from './schema.ts'

/** Undefined if one of them is of an unknown kind: then all of them stay extras. */
export function decodeCitations(wire: readonly WireAnnotation[]): Citation[] | undefined {
  const citations = wire.flatMap(decodeCitation)
  return citations.length === wire.length ? citations : undefined
}

function decodeCitation(wire: WireAnnotation): Citation[] {
  if (wire.type !== 'url_citation' || wire.url_citation === undefined) return []
  const { url = '', title, start_index: start, end_index: end } = wire.url_citation
  const range = typeof start === 'number' && typeof end === 'number' ? ([start, end] as const) : undefined
  const source = defined({ kind: 'url' as const, url, title })
  return [keep(defined({ range, source }), NAME, unknownOf(wire, ANNOTATION))]
}

const ANNOTATION = known(annotation)

/** Sources of the whole text, in the order of the numbers in it. */
export function decodeSources({ citations, search_results }: WireSources): Citation[] {
  const results = new Map(listOf(search_results).map((result) => [stringOf(objectOf(result).url), result]))
  const urls = new Set([...listOf(citations).map(stringOf), ...results.keys()])
  urls.delete('')
  return [...urls]
    .map((url) => {
      const url_citation = { ...objectOf(results.get(url)), url }
      return decodeCitation({ type: 'url_citation', url_citation })
    })
    .flat()
}

/** The position of a text in the text that a reader sees, and the position of that one in the whole text. */
export interface Span {
  readonly length: number
  readonly offset: number
  readonly base: number
  /** The last offset that still belongs to that one, if another text follows. */
  readonly last?: number | undefined
}

/** Annotations of one text. The losses are those of the text. */
export function encodeCitations(
  cited: readonly Citation[],
  span: Span,
  losses: Losses,
  context: Encoding,
): WireAnnotation[] {
  const annotations: WireAnnotation[] = []
  for (const [index, citation] of cited.entries()) {
    const annotation = encodeCitation(citation, span, losses.at('citations', index), context)
    if (annotation !== undefined) annotations.push(annotation)
  }
  return annotations
}

function encodeCitation(
  citation: Citation,
  { length, offset, base, last = Number.MAX_SAFE_INTEGER }: Span,
  losses: Losses,
  context: Encoding,
): WireAnnotation | undefined {
  const { source, range } = citation
  if (source.kind !== 'url') {
    losses.dropped([], `chat cites no ${source.kind}`)
    return undefined
  }
  reportUnsupported(citation, TABLES.citation, losses, context)
  reportUnsupported(source, TABLES.cited.url, losses.at('source'), context)
  const { url, title = url } = source
  if (source.title === undefined) losses.added(['source', 'title'], url, 'chat citations have a title')
  const [from, to] = range ?? [0, length]
  const start = Math.min(from + offset, last)
  const end = to + offset
  if (range === undefined) losses.added(['range'], [start, end], 'chat names the cited range')
  else if (start !== from || end !== to) losses.changed(['range'], [start, end], 'chat has one text per message')
  const url_citation = { url, title, start_index: start + base, end_index: end + base }
  return restore(NAME, citation, { type: 'url_citation', url_citation })
}
