import { leftover, restore } from '../../ir/extras.ts'
import type { Losses, Path } from '../../ir/loss.ts'
import type { Citation, CitationSource, Part, Text } from '../../ir/part.ts'
import { equal } from '../../ir/place.ts'
import type { Emit } from '../../ir/stream.ts'
import type { Draft } from '../../lib/draft.ts'
import { isObject } from '../../lib/json.ts'
import { decodeMembers, encodeMembers, isString, type Members } from '../../lib/members.ts'
import { createHeap } from '../../lib/heap.ts'
import { createOffsets, utf8Length, type Offsets } from '../../lib/utf8-offset.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { Encoding } from '../protocol.ts'
import { TABLES } from './members.ts'
import { NAME, type WireCitation, type WirePart } from './schema.ts'

type UrlSource = Extract<CitationSource, { kind: 'url' }>

const SOURCE: Members<WireCitation, UrlSource> = {
  uri: ['url', isString],
  title: ['title', isString],
  license: ['license', isString],
  publicationDate: ['date', isObject],
}

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

/** What a reader sees as one text of the model, and where in an answer it stands. */
export interface Runs {
  /** Whether a reader takes this part for more of the one before it. */
  joins(part: Part): boolean
  /** Goes on with a part that was written: its index in its list, and that of its owner, if there are several. Its citations. */
  add(wire: WirePart, part: Part, losses: Losses, index: number, owner?: number): readonly WireCitation[]
  /** Goes on until a part of another kind comes, or a seal; a new turn begins without one. */
  open: Run | undefined
}

export interface Run {
  readonly kind: Part['type']
  readonly index: number
  readonly owner: number
  sealed: boolean
  /** UTF-16 units of its text; the pieces that are not counted yet; the others, counted. */
  length: number
  readonly pieces: string[]
  offsets?: Offsets
}

const NONE: readonly WireCitation[] = []

/** `pathOf` leads to a part from the node of the losses. */
export function createRuns(losses: Losses, context: Encoding, pathOf: (index: number, owner: number) => Path): Runs {
  let before: Run[] = [] // texts before the open one that are not counted yet
  let base = 0

  const joins = (part: Part) => {
    const { open } = runs
    const kind = kindOf(part)
    return open?.kind === kind && !open.sealed && (part.type !== kind || part.extras?.[NAME] === undefined)
  }
  const close = () => {
    if (runs.open?.kind === 'text' && context.toward === 'client') before.push(runs.open)
    runs.open = undefined
  }
  /** Most answers cite nothing, and need no count of their bytes. */
  const cite = ({ citations = [] }: Text, run: Run, said: number, at: Losses): WireCitation[] => {
    if (citations.length === 0) at.dropped(['citations'], 'there are none')
    for (const run of before) base += offsetsOf(run).bytes
    before = []
    const place = { base, before: said, offsets: offsetsOf(run) }
    return citations.flatMap(
      (citation, index) => encodeCitation(citation, place, at.at('citations', index), context) ?? [],
    )
  }
  const runs: Runs = {
    open: undefined,
    joins,
    add(wire, part, at, index, owner = 0) {
      const kind = kindOf(part)
      if (kind !== 'text' && kind !== 'reasoning') {
        close()
        return NONE
      }
      let run = runs.open
      if (run !== undefined && joins(part)) {
        if (part.extras !== undefined) at.dropped(['extras'], 'only other protocols have these')
        const first = pathOf(run.index, run.owner)
        losses.merged(pathOf(index, owner), first, 'genai does not tell two texts in a row apart')
      } else {
        close()
        run = runs.open = { kind, index, owner, sealed: false, length: 0, pieces: [] }
      }
      const said = run.length
      const { text = '' } = wire
      run.pieces.push(text)
      run.length += text.length
      run.sealed ||= wire.thoughtSignature !== undefined
      const cites = part.type === 'text' && part.citations !== undefined && context.toward === 'client'
      return cites ? cite(part, run, said, at) : NONE
    },
  }
  return runs
}

function offsetsOf(run: Run): Offsets {
  run.offsets ??= createOffsets()
  for (const piece of run.pieces.splice(0)) run.offsets.add(piece)
  return run.offsets
}

/** What is said in words is a text. */
function kindOf(part: Part): Part['type'] {
  return part.type === 'refusal' || part.type === 'search-hit' ? 'text' : part.type
}

/** One text as a reader sees it: where it begins in the answer, and how much of it was written before this part. */
interface Place {
  readonly base: number
  readonly before: number
  readonly offsets: Offsets
}

function encodeCitation(citation: Citation, place: Place, losses: Losses, context: Encoding): WireCitation | undefined {
  const { source, range } = citation
  const read = readRange(range, place)
  if (source.kind !== 'url' || read === undefined) {
    losses.dropped([], source.kind === 'url' ? 'it is about no part of the text' : `genai cites no ${source.kind}`)
    return undefined
  }
  reportUnsupported(citation, TABLES.citation, losses, context)
  reportUnsupported(source, TABLES.cited.url, losses.at('source'), context)
  const { uri, ...about } = encodeMembers(source, SOURCE)
  const wire: Draft<WireCitation> = about
  if (uri !== '') wire.uri = source.url
  if (read !== 'all') {
    if (range === undefined) losses.added(['range'], read, 'genai says which text is cited')
    else if (!equal(range, read)) losses.changed(['range'], read, 'a place in the text as genai has it')
    wire.startIndex = place.base + place.offsets.byteAt(read[0])
    wire.endIndex = place.base + place.offsets.byteAt(read[1])
  }
  return restore(NAME, citation, wire)
}

/** The range that a reader gets; undefined when there is nothing in it. */
function readRange(
  range: Citation['range'],
  { base, before, offsets }: Place,
): readonly [number, number] | 'all' | undefined {
  const { length } = offsets
  if (length === before) return undefined
  if (range === undefined && base + before === 0) return 'all'
  const [start, end] = range ?? [0, length]
  const from = offsets.wholeIndex(before + start)
  return from < length ? [from, Math.max(from, offsets.wholeIndex(before + end))] : undefined
}
