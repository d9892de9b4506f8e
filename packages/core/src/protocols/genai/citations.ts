import { leftover, restore } from '../../ir/extras.ts'
import type { Path } from '../../ir/loss.ts'
import type { Citation, Part, Text } from '../../ir/part.ts'
import type { Emit } from '../../ir/stream.ts'
import { isObject, type Json } from '../../lib/json.ts'
import { createOffsets, utf8Length, wholeIndex, type Offsets } from '../../lib/utf8-offset.ts'
import type { EncodeContext } from '../protocol.ts'
import { NAME, type WireCitation, type WirePart } from './schema.ts'

/**
 * Puts the citations of an answer to the texts that they are about: their places count bytes over all its texts. Undefined when
 * one of them cannot be placed: then all of them stay leftovers, whole.
 */
export function placeCitations(parts: readonly Part[], wire: readonly WireCitation[]): Part[] | undefined {
  const texts: { readonly part: Part; readonly offsets: Offsets; readonly base: number; readonly found: Citation[] }[] =
    []
  let base = 0
  for (const part of parts) {
    if (part.type !== 'text' || part.text === '') continue
    const offsets = createOffsets(part.text)
    texts.push({ part, offsets, base, found: [] })
    base += offsets.bytes
  }
  for (const citation of wire) {
    const start = isObject(citation) && typeof citation.startIndex === 'number' ? citation.startIndex : 0
    const text = texts.findLast((each) => each.base <= start)
    const decoded = text === undefined ? undefined : decodeCitation(citation, text.offsets, text.base)
    if (text === undefined || decoded === undefined) return undefined
    text.found.push(decoded)
  }
  const citationsOf = new Map(texts.map(({ part, found }) => [part, found]))
  return parts.map((part) => {
    const citations = citationsOf.get(part) ?? []
    return citations.length === 0 ? part : ({ ...part, citations } as Part) // a text
  })
}

/** A citation of the text that begins at the byte `base` of the answer; undefined when it is about another. */
export function decodeCitation(wire: WireCitation, offsets: Offsets, base: number): Citation | undefined {
  if (!isObject(wire)) return undefined
  const { startIndex, endIndex, uri, title, license, publicationDate, ...rest } = wire
  const range = decodeRange(startIndex, endIndex, offsets, base)
  if (range === undefined || !isWord(uri) || !isWord(title) || !isWord(license)) return undefined
  if (publicationDate !== undefined && !isObject(publicationDate)) return undefined
  return {
    ...(range === 'all' ? {} : { range }),
    source: {
      kind: 'url',
      url: uri ?? '',
      ...(title === undefined ? {} : { title }),
      ...(license === undefined ? {} : { license }),
      ...(publicationDate === undefined ? {} : { date: publicationDate }),
    },
    ...leftover(NAME, rest),
  }
}

function isWord(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string'
}

/** Without a place it is about the first text. Zeros are left out on this wire. */
function decodeRange(
  start: unknown,
  end: unknown,
  offsets: Offsets,
  base: number,
): readonly [number, number] | 'all' | undefined {
  if (start === undefined && end === undefined) return base === 0 && offsets.bytes > 0 ? 'all' : undefined
  if (typeof end !== 'number' || (start !== undefined && typeof start !== 'number')) return undefined
  const first = (start ?? 0) - base
  if (first < 0 || first >= offsets.bytes || end - base < first) return undefined
  const from = offsets.indexAt(first)
  const to = offsets.indexAt(end - base)
  return from === undefined || to === undefined ? undefined : [from, to]
}

/** One text as a reader sees it: where it begins in the answer, and what of it was written before this part. */
export interface Run {
  readonly base: number
  readonly before: string
}

/** The losses stand at the text part. */
export function encodeCitations(part: Text, run: Run, context: EncodeContext): WireCitation[] {
  const citations: WireCitation[] = []
  const whole = run.before + part.text
  const offsets = createOffsets(whole)
  for (const [index, citation] of part.citations?.entries() ?? []) {
    context.losses.enter('citations', index)
    const wire = encodeCitation(citation, encodeRange(citation.range, whole, offsets, run), context)
    if (wire !== undefined) citations.push(restore(NAME, citation, wire))
    context.losses.leave()
  }
  return citations
}

function encodeCitation(
  citation: Citation,
  place: Place | undefined,
  { losses }: EncodeContext,
): WireCitation | undefined {
  const { source, quote, range } = citation
  if (source.kind !== 'url') {
    losses.dropped([], `genai cites no ${source.kind}`)
    return undefined
  }
  if (place === undefined) {
    losses.dropped([], 'it is about no part of the text')
    return undefined
  }
  if (quote !== undefined) losses.dropped(['quote'], 'genai citations quote nothing')
  if (source.seal !== undefined) losses.dropped(['source', 'seal'], 'encrypted search content does not cross protocols')
  if (place.read !== undefined && range === undefined)
    losses.added(['range'], place.read, 'genai says which text is cited')
  else if (place.read !== undefined && (range?.[0] !== place.read[0] || range[1] !== place.read[1])) {
    losses.changed(['range'], place.read, 'a place in the text as genai has it')
  }
  return {
    ...place.wire,
    ...(source.url === '' ? {} : { uri: source.url }),
    ...(source.title === undefined ? {} : { title: source.title }),
    ...(source.license === undefined ? {} : { license: source.license }),
    ...(source.date === undefined ? {} : { publicationDate: source.date }),
  }
}

interface Place {
  readonly wire: { readonly startIndex?: number; readonly endIndex?: number }
  /** What a reader gets. */
  readonly read?: readonly [number, number]
}

function encodeRange(
  range: Citation['range'],
  whole: string,
  offsets: Offsets,
  { base, before }: Run,
): Place | undefined {
  const { length } = whole
  if (length === before.length) return undefined
  if (range === undefined && base === 0 && before === '') return { wire: {} }
  const [start, end] = range ?? [0, length]
  const from = wholeIndex(whole, before.length + start)
  const to = Math.max(from, wholeIndex(whole, before.length + end))
  if (from >= length) return undefined
  return { wire: { startIndex: base + offsets.byteAt(from), endIndex: base + offsets.byteAt(to) }, read: [from, to] }
}

/** What a reader sees as one text of the model, and where in an answer it stands. */
export interface Runs {
  /** Whether a reader takes this part for more of the one before it. */
  joins(part: Part): boolean
  /** Goes on with a part that was written: its place in its list, and that of its owner, if there are several. Its citations. */
  add(wire: WirePart, part: Part, index: number, owner?: number): WireCitation[]
}

interface OpenRun {
  readonly kind: 'text' | 'reasoning'
  readonly index: number
  readonly owner: number
  text: string
  sealed: boolean
}

/** `pathOf` leads to a part from where the losses stand. */
export function createRuns(context: EncodeContext, pathOf: (index: number, owner: number) => Path): Runs {
  const { losses } = context
  let run: OpenRun | undefined
  let before: string[] = [] // texts before the open one that are not counted yet
  let counted = 0

  /** Bytes of the texts before the open one: most answers cite nothing, and need no count. */
  const countBase = (): number => {
    for (const text of before) counted += utf8Length(text)
    before = []
    return counted
  }
  const joins = (part: Part) => {
    const plain = (part.type !== 'text' && part.type !== 'reasoning') || part.extras?.[NAME] === undefined
    return run !== undefined && run.kind === kindOf(part) && !run.sealed && plain
  }
  const close = () => {
    if (run?.kind === 'text' && context.toward === 'client') before.push(run.text)
    run = undefined
  }
  const cite = (part: Text, index: number, said: string): WireCitation[] => {
    losses.enter('parts', index)
    if (part.citations?.length === 0) losses.dropped(['citations'], 'there are none')
    const citations = encodeCitations(part, { base: countBase(), before: said }, context)
    losses.leave()
    return citations
  }
  return {
    joins,
    add(wire, part, index, owner = 0) {
      const kind = kindOf(part)
      if (kind !== 'text' && kind !== 'reasoning') {
        close()
        return []
      }
      if (run !== undefined && joins(part)) {
        const at = pathOf(index, owner)
        if (part.extras !== undefined) losses.dropped([...at, 'extras'], 'only other protocols have these')
        losses.merged(at, pathOf(run.index, run.owner), 'genai does not tell two texts in a row apart')
      } else {
        close()
        run = { kind, index, owner, text: '', sealed: false }
      }
      const said = run.text
      run.text += wire.text ?? ''
      run.sealed ||= wire.thoughtSignature !== undefined
      return part.type === 'text' && part.citations !== undefined && context.toward === 'client'
        ? cite(part, index, said)
        : []
    },
  }
}

/** What is said in words is a text. */
function kindOf(part: Part): Part['type'] {
  return part.type === 'refusal' || part.type === 'search-hit' ? 'text' : part.type
}

/** Finds the open text that a streamed citation is about; one that comes before its text waits for it. */
export interface CitationReader {
  openText(): void
  grow(text: string): void
  closeText(): void
  read(citation: WireCitation): void
  /** Those that are about no text that was open when they came. */
  readonly rest: readonly Json[]
}

export function createCitationReader(emit: Emit<Citation>): CitationReader {
  const seen = new Set<string>()
  const closed: string[] = [] // texts before the open one that are not counted yet
  let waiting: WireCitation[] = []
  let base = 0
  let text: string | undefined
  let offsets: Offsets | undefined // of the text so far

  const place = (citation: WireCitation): boolean => {
    if (text === undefined) return false
    for (const before of closed.splice(0)) base += utf8Length(before)
    offsets ??= createOffsets(text)
    const decoded = decodeCitation(citation, offsets, base)
    if (decoded !== undefined) emit(decoded)
    return decoded !== undefined
  }
  return {
    openText() {
      text = ''
      offsets = undefined
    },
    grow(more) {
      text += more
      offsets = undefined
    },
    closeText() {
      if (waiting.length > 0) waiting = waiting.filter((citation) => !place(citation))
      if (text !== undefined) closed.push(text)
      text = undefined
    },
    read(citation) {
      const key = JSON.stringify(citation)
      if (seen.has(key)) return // some upstreams repeat what they said
      seen.add(key)
      if (!place(citation)) waiting.push(citation)
    },
    get rest() {
      return waiting as readonly object[] as readonly Json[] // parsed JSON
    },
  }
}
