import { leftover, restore } from '../../ir/extras.ts'
import type { Citation, CitationSpan } from '../../ir/part.ts'
import { carry, unwrap } from '../../ir/seal.ts'
import type { DecodeContext, EncodeContext } from '../protocol.ts'
import { NAME, type WireCitation } from './schema.ts'

/** Undefined when there is a kind among them that is not known here: then all of them stay leftovers, whole. */
export function decodeCitations(wire: readonly WireCitation[], context: DecodeContext): Citation[] | undefined {
  const citations: Citation[] = []
  for (const each of wire) {
    const citation = decodeCitation(each, context)
    if (citation === undefined) return undefined
    citations.push(citation)
  }
  return citations
}

export function decodeCitation(wire: WireCitation, context: DecodeContext): Citation | undefined {
  switch (wire.type) {
    case 'char_location': {
      const { start_char_index, end_char_index, ...other } = wire
      return inDocument(other, 'char', start_char_index, end_char_index)
    }
    case 'page_location': {
      const { start_page_number, end_page_number, ...other } = wire
      return inDocument(other, 'page', start_page_number, end_page_number)
    }
    case 'content_block_location': {
      const { start_block_index, end_block_index, ...other } = wire
      return inDocument(other, 'block', start_block_index, end_block_index)
    }
    case 'search_result_location': {
      const { type, cited_text, search_result_index, source, title, start_block_index, end_block_index, ...rest } = wire
      return {
        ...quoteOf(cited_text),
        source: {
          kind: 'search-hit',
          index: search_result_index ?? 0,
          ...(title == null ? {} : { title }),
          ...(source == null ? {} : { source }),
          span: { unit: 'block', start: start_block_index ?? 0, end: end_block_index ?? 0 },
        },
        ...leftover(NAME, rest),
      }
    }
    case 'web_search_result_location': {
      const { type, cited_text, url, title, encrypted_index, ...rest } = wire
      const { seal } = unwrap(encrypted_index ?? '', context.issuer)
      return {
        ...quoteOf(cited_text),
        source: {
          kind: 'url',
          url: url ?? '',
          ...(title == null ? {} : { title }),
          ...(seal === undefined ? {} : { seal }),
        },
        ...leftover(NAME, rest),
      }
    }
    default:
      return undefined
  }
}

function inDocument(
  wire: WireCitation,
  unit: CitationSpan['unit'],
  start: number | undefined,
  end: number | undefined,
): Citation {
  const { type, cited_text, document_index, document_title, ...rest } = wire
  return {
    ...quoteOf(cited_text),
    source: {
      kind: 'document',
      index: document_index ?? 0,
      ...(document_title == null ? {} : { title: document_title }),
      span: { unit, start: start ?? 0, end: end ?? 0 },
    },
    ...leftover(NAME, rest),
  }
}

function quoteOf(text: string | null | undefined): { quote?: string } {
  return text == null ? {} : { quote: text }
}

/** The losses stand at the text part. */
export function encodeCitations(cited: readonly Citation[], context: EncodeContext): WireCitation[] {
  const citations: WireCitation[] = []
  for (const [index, citation] of cited.entries()) {
    context.losses.enter('citations', index)
    const wire = encodeCitation(citation, context)
    if (wire !== undefined) citations.push(restore(NAME, citation, wire))
    context.losses.leave()
  }
  return citations
}

/** The losses stand at the citation. */
export function encodeCitation(citation: Citation, context: EncodeContext): WireCitation | undefined {
  const { losses } = context
  const { source } = citation
  const wire = source.kind === 'url' ? encodeUrl(source, context) : encodePlace(source)
  if (wire === undefined) {
    losses.dropped([], 'messages cannot say where this is cited from')
    return undefined
  }
  if (citation.range !== undefined) losses.dropped(['range'], 'messages cites for whole text blocks')
  if (citation.quote === undefined) losses.added(['quote'], '', 'messages citations have a cited text')
  if (source.kind === 'url') {
    if (source.license !== undefined) losses.dropped(['source', 'license'], 'messages citations have no license')
    if (source.date !== undefined) losses.dropped(['source', 'date'], 'messages citations have no date')
  } else if (source.kind === 'document' && source.source !== undefined) {
    losses.dropped(['source', 'source'], 'messages names a document by index and title')
  }
  return { cited_text: citation.quote ?? '', ...wire }
}

function encodeUrl(
  source: Extract<Citation['source'], { kind: 'url' }>,
  context: EncodeContext,
): WireCitation | undefined {
  const { url, title, seal } = source
  if (context.toward === 'upstream' && seal?.issuer !== context.issuer) return undefined
  const encrypted_index = carry(seal, context.issuer)
  return { type: 'web_search_result_location', url, title: title ?? null, encrypted_index }
}

function encodePlace(source: Exclude<Citation['source'], { kind: 'url' }>): WireCitation | undefined {
  const { index, title = null, span } = source
  if (span === undefined) return undefined
  const { unit, start, end } = span
  if (source.kind === 'search-hit') {
    if (unit !== 'block') return undefined
    const type = 'search_result_location'
    return {
      type,
      search_result_index: index,
      source: source.source ?? null,
      title,
      start_block_index: start,
      end_block_index: end,
    }
  }
  const document = { document_index: index, document_title: title }
  switch (unit) {
    case 'char':
      return { type: 'char_location', ...document, start_char_index: start, end_char_index: end }
    case 'page':
      return { type: 'page_location', ...document, start_page_number: start, end_page_number: end }
    case 'block':
      return { type: 'content_block_location', ...document, start_block_index: start, end_block_index: end }
    default:
      return unit satisfies never
  }
}
