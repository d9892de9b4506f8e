import type { Citation } from '../../ir/part.ts'
import type { Emit, StreamEvent } from '../../ir/stream.ts'
import type { JsonObject } from '../../lib/json.ts'
import { decodeCitations, decodeSources } from './citations.ts'
import type { WireAnnotation, WireSources } from './answer-schema.ts'

/** Sources of a streamed response, which chunks repeat: the last ones count. */
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

/** Citations of a streamed response, which refer to the whole text and may come before it. */
export interface CitationReader {
  /** A text block begins. */
  begin(): void
  /** Text was added to it. */
  addText(text: string): void
  /** The text is open: waiting citations are emitted. */
  settle(): void
  cite(annotations: readonly WireAnnotation[], open: boolean): void
  /** All of them up to the last that could not be emitted; undefined if all were. */
  rest(): readonly WireAnnotation[] | undefined
}

export function createCitationReader(emit: Emit<StreamEvent>): CitationReader {
  const early: Citation[] = []
  const emitted: WireAnnotation[] = []
  const texts: string[] = [] // the emitted ones
  let unreported = 0 // the number of citations when one could not be emitted
  let seen = 0
  let start = 0 // the offset of the open text in the whole text
  const tell = (citation: Citation) => {
    const { range } = citation
    const placed = range === undefined || start === 0 ? {} : { range: [range[0] - start, range[1] - start] as const }
    emit({ type: 'block-patch', citation: { ...citation, ...placed } })
  }
  return {
    begin() {
      start = seen
    },
    addText(text) {
      seen += text.length
    },
    settle() {
      if (early.length > 0) early.splice(0).forEach(tell)
    },
    cite(annotations, open) {
      // Lists that grow from chunk to chunk are emitted once.
      const listed = annotations.map((annotation) => JSON.stringify(annotation))
      const grows = listed.length >= texts.length && texts.every((text, index) => text === listed[index])
      const fresh = grows ? annotations.slice(texts.length) : annotations
      for (const text of grows ? listed.slice(texts.length) : listed) texts.push(text)
      for (const annotation of fresh) emitted.push(annotation)
      const citations = decodeCitations(fresh)
      if (citations !== undefined && seen === 0) for (const citation of citations) early.push(citation)
      else if (citations !== undefined && open) citations.forEach(tell)
      else unreported = emitted.length
    },
    rest: () => (unreported === 0 ? undefined : emitted.slice(0, unreported)),
  }
}
