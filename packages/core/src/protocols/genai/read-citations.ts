import { keepExtras } from '../../ir/extras.ts'
import { streamedText } from '../../ir/fold.ts'
import type { Citation, Part } from '../../ir/part.ts'
import type { Emit } from '../../ir/stream.ts'
import { defined, decodeMembers, type Draft } from '../../lib/members.ts'
import { createHeap } from '../../lib/queue.ts'
import { isEmpty, isObject, listOf, objectOf } from '../../lib/json.ts'
import { createTextBuffer, type TextBuffer } from '../../lib/streamed-text.ts'
import { createOffsets, utf8Length, type Offsets } from '../../lib/utf8-offset.ts'
import type { DecodeContext } from '../context.ts'
import { SOURCE } from './citations.ts'
import { appendPart, decodePart } from './content.ts'
import type { WireCitation, WireGrounding } from './answer-schema.ts'
import { NAME, type WirePart } from './schema.ts'

/** Finds the text of a citation: positions count bytes over all texts. A citation before its text waits for it. */
export interface CitationReader {
  /** `block` is its position among the parts of the response. */
  openText(block: number): void
  grow(text: string): void
  closeText(): void
  read(citation: WireCitation): void
  /** Those without a text that was open when they came. */
  rest(): readonly WireCitation[]
  /** All texts so far. */
  texts(): readonly PlacedText[]
}

/** A text, and its position among the parts of the response. */
export interface PlacedText {
  readonly block: number
  readonly text: string
}

export function createCitationReader(emit: Emit<Citation>): CitationReader {
  const lost: Waiting[] = [] // of no text, or of one that is closed
  const waiting = createHeap<Waiting>(({ start }) => start) // of the open text, or a later one
  const closed: TextBuffer[] = [] // texts before the open one that are not counted yet
  let base = 0
  let count = 0
  const texts: { readonly block: number; readonly buffer: TextBuffer }[] = []
  let buffer: TextBuffer | undefined // the open text
  let offsets: Offsets | undefined // of the open text so far
  let uncounted = createTextBuffer() // its end that they do not have yet

  const open = (): Offsets | undefined => {
    if (buffer === undefined) return undefined
    for (const before of closed.splice(0)) base += utf8Length(before.text())
    if (offsets === undefined) offsets = createOffsets(buffer.text())
    else offsets.add(uncounted.text())
    uncounted = createTextBuffer()
    return offsets
  }
  const attach = (citation: WireCitation): boolean => {
    const text = open()
    const decoded = text === undefined ? undefined : decodeCitation(citation, text, base)
    if (decoded !== undefined) emit(decoded)
    return decoded !== undefined
  }
  /** Those that begin in this text, in order: each is examined once. */
  const settle = () => {
    const end = base + (open()?.bytes ?? 0)
    const begun: Waiting[] = []
    for (let next = waiting.least(); next !== undefined && next.start < end; next = waiting.least()) {
      waiting.take()
      begun.push(next)
    }
    for (const each of begun.sort(byOrder)) if (!attach(each.citation)) lost.push(each)
  }
  return {
    openText(block) {
      buffer = createTextBuffer()
      offsets = undefined
      texts.push({ block, buffer })
    },
    grow(text) {
      buffer?.add(text)
      if (offsets !== undefined) uncounted.add(text)
    },
    closeText() {
      if (buffer === undefined) return
      if (waiting.size > 0) settle()
      if (offsets === undefined) closed.push(buffer)
      else base += open()?.bytes ?? 0
      buffer = undefined
    },
    read(citation) {
      if (attach(citation)) return
      const { startIndex = 0 }: { readonly startIndex?: unknown } = isObject(citation) ? citation : {}
      const order = count++
      if (typeof startIndex === 'number') waiting.add({ citation, order, start: startIndex })
      else lost.push({ citation, order, start: 0 })
    },
    rest() {
      const rest = [...lost]
      for (let next = waiting.take(); next !== undefined; next = waiting.take()) rest.push(next)
      return rest.sort(byOrder).map(({ citation }) => citation)
    },
    texts: () => texts.map(({ block, buffer: text }) => ({ block, text: text.text() })),
  }
}

interface Waiting {
  readonly citation: WireCitation
  /** Its start, and the number before it. */
  readonly start: number
  readonly order: number
}

function byOrder(one: Waiting, other: Waiting): number {
  return one.order - other.order
}

/** Assigns the citations of a whole response to its texts. Undefined if one has no text: then all stay extras. */
export function placeCitations(parts: readonly Part[], wire: readonly WireCitation[]): Part[] | undefined {
  let citations: Citation[] = []
  const reader = createCitationReader((citation) => citations.push(citation))
  for (const citation of wire) reader.read(citation)
  const placed = parts.map((part, block) => {
    if (part.type !== 'text') return part
    citations = []
    reader.openText(block)
    reader.grow(part.text)
    reader.closeText()
    return citations.length === 0 ? part : { ...part, citations }
  })
  return reader.rest().length === 0 ? placed : undefined
}

/** A citation of the text that begins at the byte `base` of the response; undefined if it belongs to another. */
function decodeCitation(wire: WireCitation, offsets: Offsets, base: number): Citation | undefined {
  const range = isObject(wire) ? decodeRange(wire, offsets, base) : undefined
  if (range === undefined) return undefined
  const { startIndex, endIndex, ...about } = wire
  const { ours, rest } = decodeMembers(about, SOURCE)
  const citation: Draft<Citation> = { source: { kind: 'url', url: '', ...ours }, ...keepExtras(NAME, rest) }
  if (range !== 'all') citation.range = range
  return citation
}

/** Without a position it belongs to the first text. Zeros are left out on this wire. */
function decodeRange(
  { startIndex: start = 0, endIndex: end }: WireCitation,
  offsets: Offsets,
  base: number,
): readonly [number, number] | 'all' | undefined {
  if (start === 0 && end === undefined) return base === 0 && offsets.bytes > 0 ? 'all' : undefined
  if (typeof end !== 'number' || typeof start !== 'number') return undefined
  const first = start - base
  if (first < 0 || first >= offsets.bytes || end < start) return undefined
  const from = offsets.indexAt(first)
  const to = offsets.indexAt(end - base)
  return from === undefined || to === undefined ? undefined : [from, to]
}

/** A citation from the grounding, and the position of its text among the parts of the response. */
interface Grounded {
  readonly block: number
  readonly citation: Citation
}

/** Where a part of the wire is in the response: in which text, and after how much of it. */
interface Position {
  readonly block: number
  readonly start: number
}

/**
 * The sources of a grounded response as citations. Segments count bytes in their part of the wire; a stream has no parts, and each text
 * is one. Without supports, all sources are of the first text.
 */
export function groundedCitations(
  { groundingSupports, groundingChunks }: WireGrounding,
  texts: readonly PlacedText[],
  positions: readonly Position[] = [],
): Grounded[] {
  const [first] = texts
  const sources = listOf(groundingChunks).map(groundingSource)
  if (first === undefined || sources.length === 0) return []
  const supports = listOf(groundingSupports).map((support) => objectOf(support))
  const citations: Grounded[] = []
  const cite = (source: Citation['source'] | undefined, block: number, range: Citation['range']) => {
    if (source !== undefined) citations.push({ block, citation: defined({ range, source, grounded: true as const }) })
  }
  if (supports.length === 0) for (const source of sources) cite(source, first.block, undefined)
  const locate = createSegments(texts, positions)
  for (const { segment, groundingChunkIndices } of supports) {
    const { block, range } = locate(objectOf(segment)) ?? { block: first.block, range: undefined }
    for (const index of listOf(groundingChunkIndices)) cite(sources[index], block, range)
  }
  return citations
}

type Segment = NonNullable<NonNullable<WireGrounding['groundingSupports']>[number]['segment']>

function createSegments(texts: readonly PlacedText[], positions: readonly Position[]) {
  const textOf = new Map(texts.map(({ block, text }) => [block, text]))
  const offsetsOf = new Map<number, Offsets>()
  const [first] = texts
  return ({ partIndex = 0, startIndex = 0, endIndex, text: quoted }: Segment) => {
    const named = positions[partIndex] ?? { block: partIndex, start: 0 }
    const { block, start } = textOf.has(named.block) ? named : { block: first?.block ?? 0, start: 0 } // thoughts may not be counted
    const text = textOf.get(block)
    if (text === undefined || typeof endIndex !== 'number') return undefined
    let offsets = offsetsOf.get(block)
    if (offsets === undefined) offsetsOf.set(block, (offsets = createOffsets(text)))
    const base = offsets.byteAt(start)
    const from = offsets.indexAt(base + startIndex)
    const to = offsets.indexAt(base + endIndex)
    if (from === undefined || to === undefined || from > to) return undefined
    if (typeof quoted === 'string' && quoted !== '' && text.slice(from, to) !== quoted) return undefined
    return { block, range: [from, to] as const }
  }
}

/** The web, a document or a place: each has a URI. */
function groundingSource(chunk: unknown): Citation['source'] | undefined {
  for (const about of Object.values(objectOf(chunk as object | undefined))) {
    const { uri, title }: { readonly uri?: unknown; readonly title?: unknown } = isObject(about) ? about : {}
    if (typeof uri === 'string' && uri !== '')
      return defined({ kind: 'url' as const, url: uri, title: typeof title === 'string' ? title : undefined })
  }
  return undefined
}

/** The parts of a whole response with the citations that its grounding contains. */
export function groundParts(
  parts: Part[],
  wires: readonly WirePart[],
  grounding: unknown,
  context: DecodeContext,
): Part[] {
  if (!isObject(grounding)) return parts
  const texts = parts.flatMap((part, block) => (part.type === 'text' ? [{ block, text: part.text }] : []))
  const added = new Map<number, Citation[]>(texts.map(({ block }) => [block, []]))
  for (const { block, citation } of groundedCitations(grounding, texts, positionsOf(wires, context)))
    added.get(block)?.push(citation)
  return parts.map((part, block) => {
    const citations = added.get(block) ?? []
    if (citations.length === 0 || part.type !== 'text') return part
    return { ...part, citations: [...(part.citations ?? []), ...citations] }
  })
}

/** Where each part of the wire is in the response: pieces of one text are joined. */
function positionsOf(wires: readonly WirePart[], context: DecodeContext): Position[] {
  const joined: Part[] = []
  return wires.map((wire) => {
    const before = joined.length
    const last = joined.at(-1)
    if (!isEmpty(wire)) appendPart(joined, decodePart(wire, context))
    const continued = joined.length === before && last !== undefined
    return { block: joined.length - 1, start: continued ? streamedText(last).length : 0 }
  })
}
