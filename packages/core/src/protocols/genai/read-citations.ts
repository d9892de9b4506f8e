import { keepExtras } from '../../ir/extras.ts'
import type { Citation, Part } from '../../ir/part.ts'
import type { Emit } from '../../ir/stream.ts'
import type { Draft } from '../../lib/draft.ts'
import { createHeap } from '../../lib/heap.ts'
import { isObject } from '../../lib/json.ts'
import { decodeMembers } from '../../lib/members.ts'
import { createOffsets, utf8Length, type Offsets } from '../../lib/utf8-offset.ts'
import { SOURCE } from './citations.ts'
import type { WireCitation } from './answer-schema.ts'
import { NAME } from './schema.ts'

/** Finds the text of a citation: positions count bytes over all texts. A citation before its text waits for it. */
export interface CitationReader {
  openText(): void
  grow(text: string): void
  closeText(): void
  read(citation: WireCitation): void
  /** Those without a text that was open when they came. */
  rest(): readonly WireCitation[]
}

export function createCitationReader(emit: Emit<Citation>): CitationReader {
  const lost: Waiting[] = [] // of no text, or of one that is closed
  const waiting = createHeap<Waiting>(({ start }) => start) // of the open text, or a later one
  const closed: string[][] = [] // texts before the open one that are not counted yet, in pieces
  let base = 0
  let count = 0
  let pieces: string[] | undefined // of the open text, not counted yet
  let offsets: Offsets | undefined // of the open text so far

  const open = (): Offsets | undefined => {
    if (pieces === undefined) return undefined
    for (const before of closed.splice(0)) base += utf8Length(before.join(''))
    offsets ??= createOffsets()
    for (const piece of pieces.splice(0)) offsets.add(piece)
    return offsets
  }
  const place = (citation: WireCitation): boolean => {
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
    for (const each of begun.sort(byOrder)) if (!place(each.citation)) lost.push(each)
  }
  return {
    openText() {
      pieces = []
      offsets = undefined
    },
    grow(text) {
      pieces?.push(text)
    },
    closeText() {
      if (pieces === undefined) return
      if (waiting.size > 0) settle()
      if (offsets === undefined) closed.push(pieces)
      else base += open()?.bytes ?? 0
      pieces = undefined
    },
    read(citation) {
      if (place(citation)) return
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
  const placed = parts.map((part) => {
    if (part.type !== 'text') return part
    citations = []
    reader.openText()
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
