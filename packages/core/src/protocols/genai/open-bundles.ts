import { unwrapBundle, isBundle, type BundledReasoning, type BundleEntry, type Seal } from '../../ir/seal.ts'
import type { Part, Reasoning } from '../../ir/part.ts'
import type { Draft } from '../../lib/members.ts'

/** A part of a turn, with its index before the bundles were opened, and that of the part that carried its seal. */
export interface OpenedPart {
  readonly part: Part
  readonly from: number
  readonly sealedBy?: number
}

/** Joins the seals that a client has sent back in bundles to the reasoning before them: the reverse of `createPartWriter`. */
export function openBundles(parts: readonly Part[]): readonly Part[] {
  return parts.some(isCarrier) ? placeSeals(parts).map(({ part }) => part) : parts
}

/** The same with the origin of each part. */
export function placeSeals(parts: readonly Part[]): OpenedPart[] {
  const opened: OpenedPart[] = []
  let segment: OpenedPart[] = [] // the parts since the previous carrier or call
  const close = () => {
    for (const each of segment) opened.push(each)
    segment = []
  }
  for (const [from, part] of parts.entries()) {
    if (!isCarrier(part)) segment.push({ part, from })
    else {
      const { before, own } = unwrapBundle(part.seal.value)
      const carrier: OpenedPart = { part: withSeal(part, own), from }
      const isEmptyText = part.type === 'text' && part.text === '' && part.extras === undefined && own === undefined
      if (part.type !== 'tool-call' && !isEmptyText) segment.push(carrier)
      segment =
        fitSeals(before, segment, from) ?? placeFirst(before, segment, from) ?? placeUnfit(before, segment, from)
      if (part.type === 'tool-call') segment.push(carrier)
      close()
    }
    if (part.type === 'tool-call') close()
  }
  close()
  return opened
}

function isCarrier(part: Part): part is Part & { readonly seal: Seal } {
  return part.seal !== undefined && isBundle(part.seal.value)
}

function withSeal(part: Part, seal: Seal | undefined): Part {
  const { seal: _bundle, ...rest } = part
  return seal === undefined ? rest : { ...rest, seal }
}

/** The parts as the entries say. Undefined if they do not fit: the client has changed something. */
function fitSeals(entries: readonly BundleEntry[], parts: readonly OpenedPart[], by: number): OpenedPart[] | undefined {
  const placed: OpenedPart[] = []
  let next = 0
  let start = 0 // in the text of the next part
  for (const [index, entry] of entries.entries()) {
    if (typeof entry === 'number') {
      if (start > 0 || entry > parts.length - next) return undefined
      for (let count = 0; count < entry; count++) {
        const other = parts[next++]
        if (other === undefined || other.part.type === 'reasoning') return undefined
        placed.push(other)
      }
    } else if (entry.seal !== undefined && entry.length === 0) placed.push(unwritten(entry, entry.seal, by))
    else {
      const { part, from } = parts[next] ?? {}
      const end = start + entry.length
      if (part?.type !== 'reasoning' || from === undefined || end > part.text.length) return undefined
      const isOver = entry.signed || !isEmptyPiece(entries[index + 1]) || isEmptyPart(part, parts[next + 1]?.part)
      const isLast = end === part.text.length && isOver
      const piece = pieceOf(part, start, end, isLast, entry.seal)
      placed.push(entry.seal === undefined ? { part: piece, from } : { part: piece, from, sealedBy: by })
      start = isLast ? 0 : end
      if (isLast) next++
    }
  }
  return next === parts.length && start === 0 ? placed : undefined
}

/** A signature without text, at the end of a text that goes on. */
function isEmptyPiece(entry: BundleEntry | undefined): boolean {
  return typeof entry === 'object' && entry.seal === undefined && entry.length === 0
}

/** Whether such a signature is a part of its own after another: it has extras. */
function isEmptyPart(before: Reasoning, part: Part | undefined): boolean {
  return before.seal === undefined && part?.type === 'reasoning' && part.text === '' && part.seal !== undefined
}

function pieceOf(whole: Reasoning, start: number, end: number, isLast: boolean, seal: Seal | undefined): Reasoning {
  const text = whole.text.slice(start, end)
  const piece: Draft<Reasoning> = { type: 'reasoning', text }
  if (start === 0 && whole.extras !== undefined) piece.extras = whole.extras
  const own = seal ?? (isLast ? whole.seal : undefined)
  if (own !== undefined) piece.seal = own
  if (text === '' && seal === undefined && own !== undefined) piece.hidden = true
  return piece
}

function unwritten({ hidden }: BundledReasoning, seal: Seal, by: number): OpenedPart {
  const part: Draft<Reasoning> = { type: 'reasoning', text: '', seal }
  if (hidden) part.hidden = true
  return { part, from: by, sealedBy: by }
}

/** A signature of Anthropic contains the whole reasoning, and is the same whether the text is shown or omitted. */
const OMITS_TEXT = 'anthropic'

/**
 * For clients that keep the order of texts and reasoning apart: all of it comes first. Undefined if its text has changed, or is gone, as
 * Gemini CLI leaves it out, and is needed: the seals are for another text, and their issuer would refuse the call.
 */
function placeFirst(
  entries: readonly BundleEntry[],
  parts: readonly OpenedPart[],
  by: number,
): OpenedPart[] | undefined {
  const thoughts = entries.filter((entry) => typeof entry === 'object')
  const texts = parts.flatMap(({ part }) => (part.type === 'reasoning' ? part.text : []))
  const text = texts.join('')
  const length = thoughts.reduce((sum, thought) => sum + thought.length, 0)
  const isOmitted = text === '' && thoughts.every(({ seal }) => (seal?.issuer ?? OMITS_TEXT) === OMITS_TEXT)
  if (text.length !== length && !isOmitted) return undefined
  let end = 0
  const placed = thoughts.flatMap((thought): OpenedPart[] => {
    const { hidden, seal } = thought
    const start = end
    end += thought.length
    const part: Draft<Reasoning> = { type: 'reasoning', text: text.slice(start, end) }
    if (hidden) part.hidden = true
    if (seal !== undefined) part.seal = seal
    return seal === undefined && part.text === '' ? [] : [{ part, from: by, sealedBy: by }]
  })
  return [...placed, ...parts.filter(({ part }) => part.type !== 'reasoning')]
}

/** A seal domain that no card has. */
const NO_ISSUER = 'none'

/** Seals of a text that has changed or is gone, as Rust's genai leaves it out: for no upstream, so that encoders report them as lost. */
function placeUnfit(entries: readonly BundleEntry[], parts: readonly OpenedPart[], by: number): OpenedPart[] {
  const unfit = entries.flatMap((entry) =>
    typeof entry === 'object' && entry.seal !== undefined
      ? unwritten({ length: 0, hidden: true }, { issuer: NO_ISSUER, value: entry.seal.value }, by)
      : [],
  )
  return [...unfit, ...parts]
}
