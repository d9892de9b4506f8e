import type { Citation } from '../../ir/part.ts'
import type { Emit, StreamEvent } from '../../ir/stream.ts'
import type { JsonObject } from '../../lib/json.ts'
import { decodeCitations, decodeSources } from './citations.ts'
import type { DecodedBlocks, StreamBlock, TextFollower } from './decode-blocks.ts'
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

/** Citations of a streamed response, which refer to the whole text and may come before or after it. */
export interface CitationReader extends TextFollower {
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
