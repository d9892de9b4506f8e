import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Citation } from '../../ir/part.ts'
import { defined } from '../../lib/members.ts'
import { listOf, objectOf, stringOf, type JsonObject } from '../../lib/json.ts'
import type { Emit, StreamEvent } from '../../ir/stream.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import { TABLES } from './members.ts'
import { annotation, type WireAnnotation, type WireSources } from './answer-schema.ts'
import { NAME } from './schema.ts'
import type { DecodedBlocks, StreamBlock, TextFollower } from './decode-blocks.ts'

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

/** Sources of a streamed answer, which chunks repeat: the last ones count. */
export interface SourceReader {
  read(chunk: WireSources): void
  /** The text is complete, and its sources are emitted with it. */
  settle(): void
  /** Sources that came without a text. */
  rest(): JsonObject | undefined
}

export function createSourceReader(emit: Emit<StreamEvent>): SourceReader {
  let latest: WireSources = {}
  let fresh = false
  let emitted = 0
  return {
    read({ citations, search_results }) {
      if (citations != null) latest = { ...latest, citations }
      if (search_results != null) latest = { ...latest, search_results }
      fresh ||= citations != null || search_results != null
    },
    settle() {
      if (emitted > 0 || !fresh) return
      fresh = false
      const citations = decodeSources(latest)
      emitted = citations.length
      for (const citation of citations) emit({ type: 'block-patch', citation })
    },
    rest: () => (decodeSources(latest).length > emitted ? (latest as JsonObject) : undefined), // parsed JSON
  }
}

/** Citations of a streamed answer, which refer to the whole text and may come before or after it. */
interface CitationReader extends TextFollower {
  cite(annotations: readonly WireAnnotation[]): void
  /** All of them up to the last that could not be emitted; undefined if all were. */
  rest(): readonly WireAnnotation[] | undefined
}

export function createCitationReader(patch: DecodedBlocks['patch']): CitationReader {
  const early: Citation[] = []
  const emitted: WireAnnotation[] = []
  const listed: string[] = [] // the emitted ones
  const texts: { readonly pendingBlock: StreamBlock; readonly start: number }[] = [] // with their offsets in the whole text
  let unreported = 0 // the number of citations when one could not be emitted
  let seen = 0
  /** Belongs to the text in which it begins; without a range, to the last one. */
  const attach = (citation: Citation) => {
    const { range } = citation
    const text = texts[range === undefined ? texts.length - 1 : textAt(range[0])]
    if (text === undefined) return
    const { pendingBlock, start } = text
    const placed = range === undefined || start === 0 ? {} : { range: [range[0] - start, range[1] - start] as const }
    patch(pendingBlock, { citation: { ...citation, ...placed } })
  }
  const textAt = (offset: number): number => {
    let low = 0
    let high = texts.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((texts[middle]?.start ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
  return {
    begin: (pendingBlock) => texts.push({ pendingBlock, start: seen }),
    addText(text) {
      seen += text.length
    },
    settle() {
      if (early.length > 0) early.splice(0).forEach(attach)
    },
    cite(annotations) {
      // Lists that grow from chunk to chunk are emitted once.
      const given = annotations.map((annotation) => JSON.stringify(annotation))
      const grows = given.length >= listed.length && listed.every((text, index) => text === given[index])
      const fresh = grows ? annotations.slice(listed.length) : annotations
      for (const text of grows ? given.slice(listed.length) : given) listed.push(text)
      for (const annotation of fresh) emitted.push(annotation)
      const citations = decodeCitations(fresh)
      if (citations === undefined) unreported = emitted.length
      else if (seen === 0) for (const citation of citations) early.push(citation)
      else citations.forEach(attach)
    },
    rest: () => (unreported === 0 ? (early.length === 0 ? undefined : emitted) : emitted.slice(0, unreported)),
  }
}
