import { leftover, restore } from '../../ir/extras.ts'
import type { Path } from '../../ir/loss.ts'
import type { Citation, CitationSource, Part, Text } from '../../ir/part.ts'
import { equal } from '../../ir/place.ts'
import type { Emit } from '../../ir/stream.ts'
import { reportUnsaid } from '../../ir/unsaid.ts'
import type { Draft } from '../../lib/draft.ts'
import { isObject } from '../../lib/json.ts'
import { decodeMembers, encodeMembers, isString, type Members } from '../../lib/members.ts'
import { createGrown, type Grown } from '../../lib/grown.ts'
import { createOffsets, utf8Length, wholeIndex, type Offsets } from '../../lib/utf8-offset.ts'
import type { EncodeContext } from '../protocol.ts'
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
  const closed: string[] = [] // texts before the open one that are not counted yet
  let waiting: WireCitation[] = []
  let base = 0
  let text: Grown | undefined
  let offsets: Offsets | undefined // of the text so far

  const place = (citation: WireCitation): boolean => {
    if (text === undefined) return false
    for (const before of closed.splice(0)) base += utf8Length(before)
    offsets ??= createOffsets(text.text())
    const decoded = decodeCitation(citation, offsets, base)
    if (decoded !== undefined) emit(decoded)
    return decoded !== undefined
  }
  return {
    openText() {
      text = createGrown()
      offsets = undefined
    },
    grow(more) {
      text?.add(more)
      offsets = undefined
    },
    closeText() {
      if (waiting.length > 0) waiting = waiting.filter((citation) => !place(citation))
      if (text !== undefined) closed.push(text.text())
      text = undefined
    },
    read(citation) {
      if (!place(citation)) waiting.push(citation)
    },
    rest: () => waiting,
  }
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
  /** Goes on with a part that was written: its place in its list, and that of its owner, if there are several. Its citations. */
  add(wire: WirePart, part: Part, index: number, owner?: number): readonly WireCitation[]
  /** Goes on until a part of another kind comes, or a seal; a new turn begins without one. */
  open: Run | undefined
}

export interface Run {
  readonly kind: Part['type']
  readonly index: number
  readonly owner: number
  text: string
  sealed: boolean
}

const NONE: readonly WireCitation[] = []

/** `pathOf` leads to a part from where the losses stand. */
export function createRuns(context: EncodeContext, pathOf: (index: number, owner: number) => Path): Runs {
  const { losses } = context
  let before: string[] = [] // texts before the open one that are not counted yet
  let base = 0

  const joins = (part: Part) => {
    const { open } = runs
    const kind = kindOf(part)
    return open?.kind === kind && !open.sealed && (part.type !== kind || part.extras?.[NAME] === undefined)
  }
  const close = () => {
    if (runs.open?.kind === 'text' && context.toward === 'client') before.push(runs.open.text)
    runs.open = undefined
  }
  /** Most answers cite nothing, and need no count of their bytes. */
  const cite = ({ text, citations = [] }: Text, said: string, at: Path): WireCitation[] => {
    if (citations.length === 0) losses.dropped([...at, 'citations'], 'there are none')
    for (const text of before) base += utf8Length(text)
    before = []
    const place = { base, before: said.length, whole: said + text, offsets: createOffsets(said + text) }
    return citations.flatMap(
      (citation, index) => encodeCitation(citation, place, [...at, 'citations', index], context) ?? [],
    )
  }
  const runs: Runs = {
    open: undefined,
    joins,
    add(wire, part, index, owner = 0) {
      const kind = kindOf(part)
      if (kind !== 'text' && kind !== 'reasoning') {
        close()
        return NONE
      }
      let run = runs.open
      if (run !== undefined && joins(part)) {
        const at = pathOf(index, owner)
        if (part.extras !== undefined) losses.dropped([...at, 'extras'], 'only other protocols have these')
        losses.merged(at, pathOf(run.index, run.owner), 'genai does not tell two texts in a row apart')
      } else {
        close()
        run = runs.open = { kind, index, owner, text: '', sealed: false }
      }
      const said = run.text
      run.text += wire.text ?? ''
      run.sealed ||= wire.thoughtSignature !== undefined
      const cites = part.type === 'text' && part.citations !== undefined && context.toward === 'client'
      return cites ? cite(part, said, pathOf(index, owner)) : NONE
    },
  }
  return runs
}

/** What is said in words is a text. */
function kindOf(part: Part): Part['type'] {
  return part.type === 'refusal' || part.type === 'search-hit' ? 'text' : part.type
}

/** One text as a reader sees it: where it begins in the answer, and how much of it was written before this part. */
interface Place {
  readonly base: number
  readonly before: number
  readonly whole: string
  readonly offsets: Offsets
}

function encodeCitation(
  citation: Citation,
  place: Place,
  at: Path,
  { losses }: EncodeContext,
): WireCitation | undefined {
  const { source, range } = citation
  const read = readRange(range, place)
  if (source.kind !== 'url' || read === undefined) {
    losses.dropped(at, source.kind === 'url' ? 'it is about no part of the text' : `genai cites no ${source.kind}`)
    return undefined
  }
  reportUnsaid(citation, ['quote'], NAME, losses, at)
  reportUnsaid(source, ['seal'], NAME, losses, [...at, 'source'])
  const { uri, ...about } = encodeMembers(source, SOURCE)
  const wire: Draft<WireCitation> = about
  if (uri !== '') wire.uri = source.url
  if (read !== 'all') {
    if (range === undefined) losses.added([...at, 'range'], read, 'genai says which text is cited')
    else if (!equal(range, read)) losses.changed([...at, 'range'], read, 'a place in the text as genai has it')
    wire.startIndex = place.base + place.offsets.byteAt(read[0])
    wire.endIndex = place.base + place.offsets.byteAt(read[1])
  }
  return restore(NAME, citation, wire)
}

/** The range that a reader gets; undefined when there is nothing in it. */
function readRange(
  range: Citation['range'],
  { base, before, whole }: Place,
): readonly [number, number] | 'all' | undefined {
  if (whole.length === before) return undefined
  if (range === undefined && base + before === 0) return 'all'
  const [start, end] = range ?? [0, whole.length]
  const from = wholeIndex(whole, before + start)
  return from < whole.length ? [from, Math.max(from, wholeIndex(whole, before + end))] : undefined
}
