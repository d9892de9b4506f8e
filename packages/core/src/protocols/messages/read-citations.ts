import type { Emit, StreamEvent } from '../../ir/stream.ts'
import type { Json } from '../../lib/json.ts'
import type { DecodeContext } from '../context.ts'
import { decodeCitation } from './citations.ts'
import { NAME, type WireCitation } from './schema.ts'

/** The citations of the open text. */
export interface CitationReader {
  read(citation: WireCitation | undefined): void
  /** The text is over: citations of unknown kinds are its extras. */
  settle(): void
}

export function createCitationReader(emit: Emit<StreamEvent>, context: DecodeContext): CitationReader {
  let unknown: Json[] = []
  return {
    read(wire) {
      const citation = wire === undefined ? undefined : decodeCitation(wire, context)
      if (citation !== undefined) emit({ type: 'block-patch', citation })
      else unknown.push((wire ?? null) as Json) // parsed JSON, or none at all
    },
    settle() {
      if (unknown.length === 0) return
      const citations = unknown
      unknown = []
      emit({ type: 'block-patch', extras: { [NAME]: { citations } } })
    },
  }
}
