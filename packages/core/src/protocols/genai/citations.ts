import { restore } from '../../ir/extras.ts'
import type { Losses, Path } from '../../ir/loss.ts'
import type { Citation, CitationSource, Part, Text } from '../../ir/part.ts'
import { equal } from '../../ir/values.ts'
import { encodeMembers, isString, type Draft, type Members } from '../../lib/members.ts'
import { isObject } from '../../lib/json.ts'
import { createOffsets, type Offsets } from '../../lib/utf8-offset.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import { TABLES } from './members.ts'
import type { WireCitation } from './answer-schema.ts'
import { NAME, type WirePart } from './schema.ts'

type UrlSource = Extract<CitationSource, { kind: 'url' }>

/** The members of a citation that are members of its source. */
export const SOURCE: Members<WireCitation, UrlSource> = {
  uri: ['url', isString],
  title: ['title', isString],
  license: ['license', isString],
  publicationDate: ['date', isObject],
}

/** A text of the model as a reader sees it, and its position in the response. */
export interface Runs {
  /** Whether a reader sees this part as a continuation of the previous one. */
  joins(part: Part): boolean
  /** Continues with a part that was written: its index in its list, and that of its owner, if there are several. Its citations. */
  add(wire: WirePart, part: Part, losses: Losses, index: number, owner?: number): readonly WireCitation[]
  /** The next part of this kind does not continue the previous one. */
  end(kind: Part['type']): void
  /** Continues until a part of another kind or a seal comes; a new turn begins without one. */
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
  /** Most responses have no citations and need no byte counts. */
  const cite = ({ citations = [] }: Text, run: Run, start: number, at: Losses): WireCitation[] => {
    if (citations.length === 0) at.dropped(['citations'], 'there are none')
    for (const run of before) base += offsetsOf(run).bytes
    before = []
    const position = { base, before: start, offsets: offsetsOf(run) }
    const wires = citations.map((citation, index) =>
      citation.grounded ? undefined : encodeCitation(citation, position, at.at('citations', index), context),
    )
    return wires.filter((wire) => wire !== undefined)
  }
  const runs: Runs = {
    open: undefined,
    joins,
    end: (kind) => void (runs.open?.kind === kind && close()),
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
        losses.merged(pathOf(index, owner), first, 'genai joins two texts in a row')
      } else {
        close()
        run = runs.open = { kind, index, owner, sealed: false, length: 0, pieces: [] }
      }
      const start = run.length
      const { text = '' } = wire
      run.pieces.push(text)
      run.length += text.length
      run.sealed ||= wire.thoughtSignature !== undefined
      const cites = part.type === 'text' && part.citations !== undefined && context.toward === 'client'
      return cites ? cite(part, run, start, at) : NONE
    },
  }
  return runs
}

function offsetsOf(run: Run): Offsets {
  run.offsets ??= createOffsets()
  for (const piece of run.pieces.splice(0)) run.offsets.add(piece)
  return run.offsets
}

/** Parts that are written as text count as text. */
function kindOf(part: Part): Part['type'] {
  return part.type === 'refusal' || part.type === 'search-hit' ? 'text' : part.type
}

/** One text as a reader sees it: its start in the response, and how much of it was written before this part. */
interface Position {
  readonly base: number
  readonly before: number
  readonly offsets: Offsets
}

function encodeCitation(
  citation: Citation,
  position: Position,
  losses: Losses,
  context: Encoding,
): WireCitation | undefined {
  const { source, range } = citation
  const read = readRange(range, position)
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
    if (range === undefined) losses.added(['range'], read, 'genai names the cited range')
    else if (!equal(range, read)) losses.changed(['range'], read, 'a range of the text as genai has it')
    wire.startIndex = position.base + position.offsets.byteAt(read[0])
    wire.endIndex = position.base + position.offsets.byteAt(read[1])
  }
  return restore(NAME, citation, wire)
}

/** The range for a reader; undefined if it is empty. */
function readRange(
  range: Citation['range'],
  { base, before, offsets }: Position,
): readonly [number, number] | 'all' | undefined {
  const { length } = offsets
  if (length === before) return undefined
  if (range === undefined && base + before === 0) return 'all'
  const [start, end] = range ?? [0, length]
  const from = offsets.wholeIndex(before + start)
  return from < length ? [from, Math.max(from, offsets.wholeIndex(before + end))] : undefined
}
