import { leftover } from '../../ir/extras.ts'
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

/** Finds the text that a citation is about: their places count bytes over all texts. One that comes before its text waits for it. */
export interface CitationReader {
  openText(): void
  grow(text: string): void
  closeText(): void
  read(citation: WireCitation): void
  /** Those that are about no text that was open when they came. */
  rest(): readonly WireCitation[]
}

export function createCitationReader(emit: Emit<Citation>): CitationReader {
  const lost: Waiting[] = [] // about no text at all, or about one that is over
  const waiting = createHeap<Waiting>(({ start }) => start) // about the open text, or one to come
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
  /** Those that begin in this text, in the order they came: each is looked at once. */
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
  /** Where it begins, and how many came before it. */
  readonly start: number
  readonly order: number
}

function byOrder(one: Waiting, other: Waiting): number {
  return one.order - other.order
}

/** Puts the citations of a whole answer to its texts. Undefined when one cannot be placed: then all stay leftovers, whole. */
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

/** A citation of the text that begins at the byte `base` of the answer; undefined when it is about another. */
function decodeCitation(wire: WireCitation, offsets: Offsets, base: number): Citation | undefined {
  const range = isObject(wire) ? decodeRange(wire, offsets, base) : undefined
  if (range === undefined) return undefined
  const { startIndex, endIndex, ...about } = wire
  const { ours, rest } = decodeMembers(about, SOURCE)
  const citation: Draft<Citation> = { source: { kind: 'url', url: '', ...ours }, ...leftover(NAME, rest) }
  if (range !== 'all') citation.range = range
  return citation
}

/** Without a place it is about the first text. Zeros are left out on this wire. */
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
