import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Citation } from '../../ir/part.ts'
import type { Emit, StreamEvent } from '../../ir/stream.ts'
import { defined } from '../../lib/defined.ts'
import { listOf, objectOf, stringOf, type JsonObject } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { Encoding } from '../protocol.ts'
import { TABLES } from './members.ts'
import { NAME, type WireAnnotation, type WireSources } from './schema.ts'

/** Undefined when there is a kind among them that is not known here: then all of them stay leftovers, whole. */
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

const ANNOTATION = known('type', { url_citation: known('url title start_index end_index') })

/** Sources of the whole text, in the order that the numbers in it refer to. */
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

/** Sources of a streamed answer, which chunks repeat: the last ones count. */
export interface SourceReader {
  read(chunk: WireSources): void
  /** The text is complete, and its sources are told with it. */
  settle(): void
  /** What came when no text was there for it. */
  rest(): JsonObject | undefined
}

export function createSourceReader(emit: Emit<StreamEvent>): SourceReader {
  let latest: WireSources = {}
  let fresh = false
  let told = 0
  return {
    read({ citations, search_results }) {
      if (citations != null) latest = { ...latest, citations }
      if (search_results != null) latest = { ...latest, search_results }
      fresh ||= citations != null || search_results != null
    },
    settle() {
      if (told > 0 || !fresh) return
      fresh = false
      const citations = decodeSources(latest)
      told = citations.length
      for (const citation of citations) emit({ type: 'block-patch', citation })
    },
    rest: () => (decodeSources(latest).length > told ? (latest as JsonObject) : undefined), // parsed JSON
  }
}

/** Citations of a streamed answer, which point into all the text there is and may come before it. */
export interface CitationReader {
  /** A text block begins. */
  begin(): void
  /** More text is said in it. */
  said(text: string): void
  /** The text is open: what waited for it is told. */
  settle(): void
  cite(annotations: readonly WireAnnotation[], open: boolean): void
  /** All of them up to the last that could not be told; undefined when all were. */
  rest(): readonly WireAnnotation[] | undefined
}

export function createCitationReader(emit: Emit<StreamEvent>): CitationReader {
  const early: Citation[] = []
  const told: WireAnnotation[] = []
  const texts: string[] = [] // of those that were told
  let untold = 0 // how many there were when one could not be told
  let seen = 0
  let start = 0 // of the open text among all that was said
  const tell = (citation: Citation) => {
    const { range } = citation
    const placed = range === undefined || start === 0 ? {} : { range: [range[0] - start, range[1] - start] as const }
    emit({ type: 'block-patch', citation: { ...citation, ...placed } })
  }
  return {
    begin() {
      start = seen
    },
    said(text) {
      seen += text.length
    },
    settle() {
      if (early.length > 0) early.splice(0).forEach(tell)
    },
    cite(annotations, open) {
      // Lists that grow from chunk to chunk are told once.
      const said = annotations.map((annotation) => JSON.stringify(annotation))
      const grows = said.length >= texts.length && texts.every((text, index) => text === said[index])
      const fresh = grows ? annotations.slice(texts.length) : annotations
      for (const text of grows ? said.slice(texts.length) : said) texts.push(text)
      for (const annotation of fresh) told.push(annotation)
      const citations = decodeCitations(fresh)
      if (citations !== undefined && seen === 0) for (const citation of citations) early.push(citation)
      else if (citations !== undefined && open) citations.forEach(tell)
      else untold = told.length
    },
    rest: () => (untold === 0 ? undefined : told.slice(0, untold)),
  }
}

/** Where a text stands in the one that a reader takes it for, and where that one stands in all that is said. */
export interface Span {
  readonly length: number
  readonly offset: number
  readonly base: number
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
  { length, offset, base }: Span,
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
  const { url, title } = source
  const [from, to] = range ?? [0, length]
  const [start, end] = [from + offset, to + offset]
  if (range === undefined) losses.added(['range'], [start, end], 'chat says which text is cited')
  else if (offset > 0) losses.changed(['range'], [start, end], 'chat has one text per message')
  const url_citation = defined({ url, title, start_index: start + base, end_index: end + base })
  return restore(NAME, citation, { type: 'url_citation', url_citation })
}
