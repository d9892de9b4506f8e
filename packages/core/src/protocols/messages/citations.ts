import { keep, restore, unknownOf, type Known } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Citation, CitationSource, CitationSpan } from '../../ir/part.ts'
import { carry, unwrap } from '../../ir/seal.ts'
import { defined } from '../../lib/members.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { DecodeContext, Encoding } from '../context.ts'
import { TABLES } from './members.ts'
import type { MemberName } from '../../lib/grammar/members.ts'
import { NAME, type citation, type WireCitation } from './schema.ts'
import type { Emit, StreamEvent } from '../../ir/stream.ts'
import type { Json } from '../../lib/json.ts'

/** Undefined if one of them is of an unknown kind: then all of them stay extras. */
export function decodeCitations(wire: readonly WireCitation[], context: DecodeContext): Citation[] | undefined {
  const citations = wire.flatMap((each) => decodeCitation(each, context) ?? [])
  return citations.length === wire.length ? citations : undefined
}

/** A location in a document or in a search result: its unit, and its members. */
const LOCATIONS = {
  char_location: ['document', 'char', 'start_char_index', 'end_char_index'],
  page_location: ['document', 'page', 'start_page_number', 'end_page_number'],
  content_block_location: ['document', 'block', 'start_block_index', 'end_block_index'],
  search_result_location: ['search-hit', 'block', 'start_block_index', 'end_block_index'],
} as const satisfies {
  [type: string]: readonly ['document' | 'search-hit', CitationSpan['unit'], keyof WireCitation, keyof WireCitation]
}
const INDEX_OF = { document: 'document_index', 'search-hit': 'search_result_index' } as const
const TITLE_OF = { document: 'document_title', 'search-hit': 'title' } as const

export function decodeCitation(wire: WireCitation, context: DecodeContext): Citation | undefined {
  const source = decodeSource(wire, context)
  const read = KNOWN_OF[wire.type]
  if (source === undefined || read === undefined) return undefined
  return keep(defined({ quote: wire.cited_text, source }), NAME, unknownOf(wire, read))
}

/** A citation is one object for all types: each reads some members of it. */
function readOf(members: readonly MemberName<typeof citation>[]): Known {
  return new Map(['type', 'cited_text', ...members].map((name) => [name, null]))
}

/** The members of a citation that are read, by its type. */
const KNOWN_OF: { readonly [type: string]: Known | undefined } = {
  web_search_result_location: readOf(['url', 'title', 'encrypted_index']),
  ...Object.fromEntries(
    Object.entries(LOCATIONS).map(([type, [kind, , start, end]]) => {
      const members = [INDEX_OF[kind], TITLE_OF[kind], start, end]
      return [type, readOf(kind === 'document' ? members : [...members, 'source'])]
    }),
  ),
}

function decodeSource(wire: WireCitation, context: DecodeContext): CitationSource | undefined {
  if (wire.type === 'web_search_result_location') {
    const { url = '', title, encrypted_index } = wire
    const { seal } = unwrap(encrypted_index ?? '', context.issuer)
    return defined({ kind: 'url' as const, url, title, seal })
  }
  if (!isLocation(wire.type)) return undefined
  const [kind, unit, start, end] = LOCATIONS[wire.type]
  return defined({
    kind,
    index: wire[INDEX_OF[kind]] ?? 0,
    title: wire[TITLE_OF[kind]],
    source: kind === 'document' ? undefined : wire.source,
    span: { unit, start: wire[start] ?? 0, end: wire[end] ?? 0 },
  })
}

function isLocation(type: string): type is keyof typeof LOCATIONS {
  return Object.hasOwn(LOCATIONS, type)
}

/** The losses are those of the text. */
export function encodeCitations(cited: readonly Citation[], losses: Losses, context: Encoding): WireCitation[] {
  const citations: WireCitation[] = []
  for (const [index, citation] of cited.entries()) {
    const wire = encodeCitation(citation, losses.at('citations', index), context)
    if (wire !== undefined) citations.push(wire)
  }
  return citations
}

function encodeCitation(citation: Citation, losses: Losses, context: Encoding): WireCitation | undefined {
  const { source, quote } = citation
  const wire = encodeSource(source, context)
  if (wire === undefined || source.kind === 'file') {
    losses.dropped([], 'messages has no such source of a citation')
    return undefined
  }
  reportUnsupported(citation, TABLES.citation, losses, context)
  if (quote === undefined) losses.added(['quote'], '', 'messages citations have a cited text')
  if (source.kind === 'url') reportUnsupported(source, TABLES.cited.url, losses.at('source'), context)
  else reportUnsupported(source, TABLES.cited[source.kind], losses.at('source'), context)
  return restore(NAME, citation, { cited_text: quote ?? '', ...wire })
}

function encodeSource(source: CitationSource, context: Encoding): WireCitation | undefined {
  if (source.kind === 'file') return undefined
  return source.kind === 'url' ? encodeUrl(source, context) : encodeLocation(source)
}

function encodeUrl(
  { url, title, seal }: Extract<CitationSource, { kind: 'url' }>,
  { toward, issuer }: Encoding,
): WireCitation | undefined {
  if (toward === 'upstream' && seal?.issuer !== issuer) return undefined
  return { type: 'web_search_result_location', url, title: title ?? null, encrypted_index: carry(seal, issuer) }
}

function encodeLocation(source: Exclude<CitationSource, { kind: 'url' | 'file' }>): WireCitation | undefined {
  const { kind, index, title = null, span } = source
  for (const [type, [of, unit, start, end]] of Object.entries(LOCATIONS)) {
    if (of !== kind || unit !== span?.unit) continue
    const cited = kind === 'document' ? {} : { source: source.source ?? null }
    return { type, [INDEX_OF[kind]]: index, ...cited, [TITLE_OF[kind]]: title, [start]: span.start, [end]: span.end }
  }
  return undefined
}

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
