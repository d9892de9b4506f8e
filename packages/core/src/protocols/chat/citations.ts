import { leftover, nest, restore } from '../../ir/extras.ts'
import type { Citation, Text } from '../../ir/part.ts'
import type { Emit, StreamEvent } from '../../ir/stream.ts'
import { listOf, objectOf, stringOf, type Json, type JsonObject } from '../../lib/json.ts'
import type { EncodeContext } from '../protocol.ts'
import { NAME, type WireAnnotation, type WireSearchResult, type WireSources } from './schema.ts'

/** Undefined when there is a kind among them that is not known here: then all of them stay leftovers, whole. */
export function decodeCitations(wire: readonly WireAnnotation[]): Citation[] | undefined {
  const citations: Citation[] = []
  for (const { type, url_citation, ...rest } of wire) {
    if (type !== 'url_citation' || url_citation === undefined) return undefined
    const { url = '', title, start_index, end_index, ...inner } = url_citation
    citations.push({
      ...(typeof start_index === 'number' && typeof end_index === 'number'
        ? { range: [start_index, end_index] as const }
        : {}),
      source: { kind: 'url', url, ...(title === undefined ? {} : { title }) },
      ...leftover(NAME, nest(rest, 'url_citation', inner)),
    })
  }
  return citations
}

/** Sources of the whole text, in the order that the numbers in it refer to. */
export function decodeSources({ citations, search_results }: WireSources): Citation[] {
  const results = new Map(listOf(search_results).map((result) => [stringOf(objectOf(result).url), result]))
  const urls = new Set([...listOf(citations).map(stringOf), ...results.keys()])
  urls.delete('')
  return [...urls].map((url) => decodeSource(url, results.get(url)))
}

function decodeSource(cited: string, result: WireSearchResult | undefined): Citation {
  const { url, title, ...rest } = objectOf(result)
  return {
    source: { kind: 'url', url: cited, ...(typeof title === 'string' ? { title } : {}) },
    ...leftover(NAME, nest({}, 'url_citation', rest)),
  }
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
  let told = 0
  return {
    read({ citations, search_results }) {
      if (citations != null) latest = { ...latest, citations }
      if (search_results != null) latest = { ...latest, search_results }
    },
    settle() {
      if (told > 0) return
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
}

export function createCitationReader(emit: Emit<StreamEvent>): CitationReader {
  const early: Citation[] = []
  let told: readonly WireAnnotation[] = []
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
      const grows = told.length > 0 && JSON.stringify(annotations.slice(0, told.length)) === JSON.stringify(told)
      const fresh = grows ? annotations.slice(told.length) : annotations
      told = grows ? annotations : [...told, ...fresh]
      const citations = decodeCitations(fresh)
      if (citations !== undefined && seen === 0) early.push(...citations)
      else if (citations !== undefined && open) citations.forEach(tell)
      else
        emit({
          type: 'extras',
          of: 'candidate',
          extras: { [NAME]: { message: { annotations: told as readonly Json[] } } },
        }) // parsed JSON
    },
  }
}

/** Annotations of one text; `offset` is where the text starts in the message. The losses stand at the part. */
export function encodeCitations(part: Text, offset: number, context: EncodeContext): WireAnnotation[] {
  const annotations: WireAnnotation[] = []
  for (const [index, citation] of part.citations?.entries() ?? []) {
    context.losses.enter('citations', index)
    const annotation = encodeCitation(citation, part.text.length, offset, context)
    if (annotation !== undefined) annotations.push(annotation)
    context.losses.leave()
  }
  return annotations
}

/** The losses stand at the citation. */
export function encodeCitation(
  citation: Citation,
  length: number,
  offset: number,
  context: EncodeContext,
): WireAnnotation | undefined {
  const { losses } = context
  const { source, quote, range } = citation
  if (source.kind !== 'url' || context.toward === 'upstream') {
    losses.dropped([], context.toward === 'upstream' ? 'chat takes no citations back' : `chat cites no ${source.kind}`)
    return undefined
  }
  if (quote !== undefined) losses.dropped(['quote'], 'chat citations quote nothing')
  if (source.seal !== undefined) losses.dropped(['source', 'seal'], 'encrypted search content does not cross protocols')
  if (source.license !== undefined) losses.dropped(['source', 'license'], 'chat citations have no license')
  if (source.date !== undefined) losses.dropped(['source', 'date'], 'chat citations have no date')
  const [start, end] = range ?? [0, length]
  const place = [start + offset, end + offset]
  if (range === undefined) losses.added(['range'], place, 'chat says which text is cited')
  else if (offset > 0) losses.changed(['range'], place, 'chat has one text per message')
  const url_citation = {
    url: source.url,
    ...(source.title === undefined ? {} : { title: source.title }),
    start_index: start + offset,
    end_index: end + offset,
  }
  return restore(NAME, citation, { type: 'url_citation', url_citation })
}
