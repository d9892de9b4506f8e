import { restore } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Pairs } from '../../ir/pairs.ts'
import type { Opaque, Part, Reasoning, Refusal, Text } from '../../ir/part.ts'
import type { Seal } from '../../ir/seal.ts'
import { defined, type Draft } from '../../lib/members.ts'
import { isObject, optionalString, type Json } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import { NUMBERED } from './assistant.ts'
import { OWN_IDS } from './calls.ts'
import { encodeCitations } from './citations.ts'
import { EMPTY_TEXT } from './content.ts'
import { FORMS, TABLES } from './members.ts'
import type { TokenShares } from './logprobs.ts'
import { phaseBefore, phaseExtras, reportPhase, showsRefusals, type Phase } from './item-facts.ts'
import { carriedSeal, encodeSeal, isRaw } from './reasoning.ts'
import { NAME, type Item, type ItemOf, type WireMessage, type WirePart } from './schema.ts'

/** What the writer of a part needs: the losses of its path, and the calls around it. */
export interface Writing {
  readonly context: Encoding
  readonly pairs: Pairs
  /** The log probabilities of the texts. */
  readonly shares?: TokenShares | undefined
}

/** An item that takes parts: text, or reasoning. */
export interface OpenItem {
  readonly kind: 'message' | 'reasoning'
  readonly wire: Draft<WireMessage> | Draft<ItemOf<'reasoning'>>
  /** The id that its parts name. */
  readonly given: string | undefined
  /** Of a stream, with the position of its part. */
  readonly thoughts: { readonly part: Reasoning; readonly losses: Losses; readonly position?: number }[]
  /** The last part has one: no other part joins. */
  seal: Seal | undefined
  /** A message of a model of another protocol: its texts are one message, and it gets a phase. */
  readonly isForeign: boolean
  /** Reports the phase. The first part of the item has it. */
  report?: (phase: Phase) => void
}

/** Parts of one item name its id. */
export function joins(open: OpenItem, part: Part, context: Encoding): boolean {
  if (part.item !== open.given || open.seal !== undefined || part.extras?.[NAME]?.['item'] !== undefined) return false
  if (part.item === undefined) return open.isForeign && isMessagePart(part)
  if (!isWritable(part.item, PREFIX_OF[open.kind], context)) return false
  if (part.type === 'reasoning') return open.kind === 'reasoning' && !part.hidden && !open.thoughts[0]?.part.hidden
  return open.kind === 'message' && isMessagePart(part)
}

/** A part of a message item. Content of an unknown kind has an item; without one, it is an item itself. */
export function isMessagePart(part: Part): part is Text | Refusal | Opaque {
  return part.type === 'text' || part.type === 'refusal' || (part.type === 'opaque' && part.item !== undefined)
}

/** Whether nothing of it can be written. */
export function isHollow(part: Text | Refusal | Opaque): boolean {
  return part.type === 'opaque' ? part.protocol !== NAME : part.text === ''
}

const PREFIX_OF = { message: 'msg', reasoning: 'rs' } as const

function isWritable(id: string, prefix: string, { toward }: Encoding): boolean {
  return id.startsWith(NUMBERED) || toward === 'client' || id.startsWith(`${prefix}_`)
}

/** The id of an item: that of its part unless the item before has it, or a new one for a client. */
export function itemId(
  { item }: Part,
  prefix: string,
  taken: string | undefined,
  losses: Losses,
  context: Encoding,
): string | undefined {
  const isNumbered = item?.startsWith(NUMBERED) === true
  if (item !== undefined && item !== taken && !isNumbered && isWritable(item, prefix, context)) return item
  if (context.toward === 'upstream') {
    if (item !== undefined && !isNumbered) losses.dropped(['item'], OWN_IDS)
    return undefined
  }
  const id = `${prefix}_${context.id()}`
  if (item === undefined) losses.added(['item'], id, EACH_HAS_ID)
  else losses.changed(['item'], id, EACH_HAS_ID)
  return id
}

/** A part without an item gets that of the open one, which it joins. */
export function reportJoined({ wire }: OpenItem, part: Part, losses: Losses): void {
  if (part.item === undefined) losses.added(['item'], idOf(wire), EACH_HAS_ID)
}

const EACH_HAS_ID = 'each item of responses has its own id'

/** Begins an item, with what its first part says about it. `before` is the item before it. */
export function openItem(
  kind: OpenItem['kind'],
  part: Part,
  before: OpenItem | undefined,
  losses: Losses,
  context: Encoding,
): OpenItem {
  const taken = before?.kind === kind ? before.given : undefined
  const id = itemId(part, PREFIX_OF[kind], taken, losses, context)
  const status = context.toward === 'client' ? 'completed' : undefined
  const base =
    kind === 'message'
      ? defined({ type: 'message', id, status, role: 'assistant', content: [] })
      : defined({ type: 'reasoning', id, summary: [] })
  const known = part.extras?.[NAME]?.['item']
  const wire = isObject(known) ? { ...base, ...known } : base
  const given = part.item === taken ? undefined : part.item
  const isForeign = kind === 'message' && context.toward === 'client' && part.item === undefined && known === undefined
  return { kind, wire: wire as OpenItem['wire'], given, thoughts: [], seal: undefined, isForeign } // of its kind
}

/** A text, a refusal, or content of an unknown kind. Undefined and reported if it is empty. */
export function encodeMessagePart(part: Part, losses: Losses, { context, shares }: Writing): WirePart | undefined {
  if (part.type === 'opaque') {
    reportUnsupported(part, FORMS.content, losses, context)
    reportOwnExtras(part, 'it is complete', losses)
    return part.value as WirePart // one of our own, of an unknown kind
  }
  if (part.type !== 'text' && part.type !== 'refusal') return undefined
  if (part.text === '') {
    losses.dropped([], EMPTY_TEXT)
    return undefined
  }
  if (part.type === 'refusal') {
    reportUnsupported(part, TABLES.part.refusal, losses, context)
    if (showsRefusals(context)) return restored(part, { type: 'refusal', refusal: part.text })
    losses.changed(['type'], 'text', 'this client shows no refusals')
    const words: WirePart = { type: 'output_text', text: part.text, annotations: [], logprobs: [] }
    return restored(part, words)
  }
  reportUnsupported(part, TABLES.part.text, losses, context)
  const { citations } = part
  if (citations?.length === 0) losses.dropped(['citations'], 'there are none')
  const annotations = encodeCitations(citations ?? [], part.text.length, losses, context)
  const logprobs = shares?.next(part.text)
  const isShown = context.toward === 'client' || annotations.length > 0
  const wire: Draft<Extract<WirePart, { type: 'output_text' }>> = { type: 'output_text', text: part.text }
  if (isShown) wire.annotations = annotations
  if (logprobs !== undefined && (logprobs.length > 0 || context.toward === 'client')) wire.logprobs = logprobs
  return restored(part, wire)
}

/** The unknown members of a part, without those of its item. */
export function restored<const T extends object>(part: Part, wire: T): T {
  const own = part.extras?.[NAME]
  if (own?.['item'] === undefined) return restore(NAME, part, wire)
  const { item: _item, ...rest } = own
  return restore(NAME, { extras: { [NAME]: rest } }, wire)
}

/** Unknown members of a part that cannot have them; those of its item can be written. */
function reportOwnExtras(part: Part, reason: string, losses: Losses): void {
  for (const member of Object.keys(part.extras?.[NAME] ?? {}))
    if (member !== 'item') losses.dropped(['extras', NAME, member], reason)
}

/** Adds a part to an open item. */
export function extend(open: OpenItem, part: Part, losses: Losses, writing: Writing): void {
  const { context } = writing
  if (part.type === 'reasoning') {
    open.seal = part.seal
    open.thoughts.push({ part, losses })
    return
  }
  const known = encodeMessagePart(part, losses, writing)
  if (known !== undefined) addMessagePart(open, part, known, losses, context)
}

/** Adds a part to an open message. */
export function addMessagePart(open: OpenItem, part: Part, known: WirePart, losses: Losses, context: Encoding): void {
  open.report ??= (phase) => reportPhase(part, phase, losses)
  open.seal = carriedSeal(part, context)
  contentOf(open).push(known)
}

/** The parts of an open message. */
export function contentOf({ wire }: OpenItem): WirePart[] {
  return (wire as { content: WirePart[] }).content // a message
}

/** Reports what was read of the part that was added last: with the phase of its item if it is the first part. */
export function reportRead(open: OpenItem, part: Text | Refusal, report: (read: Part) => void): void {
  const read: Part = defined({ ...part, item: idOf(open.wire) })
  if (!open.isForeign || contentOf(open).length > 1) report(read)
  else open.report = (phase) => report({ ...read, extras: phaseExtras(phase) })
}

/** An item of reasoning, and the seal that needs an item of its own. */
interface ClosedThoughts {
  readonly item: ItemOf<'reasoning'>
  readonly carried?: Seal | undefined
}

interface WireText {
  readonly type: string
  readonly text: string
}

const SUMMED = 'only summaries come back from clients of other protocols'

/**
 * The texts of reasoning, and its encrypted content. Upstreams refuse thoughts as the content of an item that had a summary. Most clients
 * of other protocols cannot say which it was, and models with encrypted content show only summaries.
 */
function closeThoughts({ wire, given, thoughts, seal }: OpenItem, context: Encoding): ClosedThoughts {
  const [first] = thoughts
  const isUpstream = context.toward === 'upstream'
  const isNamed = idOf(wire) !== undefined || given?.startsWith(NUMBERED) === true
  const summary: WireText[] = []
  const content: WireText[] = []
  for (const { part, losses } of thoughts) {
    const isThought = isUpstream && !part.summary && !part.hidden
    if (isThought && !isNamed) losses.added(['summary'], true, SUMMED)
    reportUnsupported(part, part.hidden ? FORMS.hidden : TABLES.part.reasoning, losses, context)
    if (part.hidden) {
      if (part.text !== '') losses.changed(['text'], '', 'hidden reasoning has no text')
      reportOwnExtras(part, 'hidden reasoning has no texts', losses)
    } else if (isUpstream ? isThought && isNamed : isRaw(part))
      content.push(restored(part, { type: 'reasoning_text', text: part.text }))
    else summary.push(restored(part, { type: 'summary_text', text: part.text }))
  }
  const { encrypted_content, carried } = first === undefined ? {} : encodeSeal(seal, first.part, context)
  const { id, type, summary: _none, ...known } = wire as ItemOf<'reasoning'> & { readonly [member: string]: Json }
  const base = defined({
    type,
    id,
    summary,
    content: content.length > 0 ? content : undefined,
    encrypted_content,
  })
  const item = { ...base, ...known } as ItemOf<'reasoning'> // of this kind
  return { item, carried }
}

/** An item that takes no more parts. `next` is the part behind it, if there is one. */
export function closeItem(
  open: OpenItem,
  next: Part | undefined,
  context: Encoding,
): { readonly item: Item; readonly carried?: Seal | undefined } {
  if (open.kind === 'reasoning') return closeThoughts(open, context)
  const { wire, seal: carried } = open
  if (!open.isForeign) return { item: wire, carried } // a message
  const phase = phaseBefore(next)
  open.report?.(phase)
  return { item: { ...wire, phase }, carried } // a message
}

/** The id of an item; undefined if it has none. */
export function idOf(item: object | undefined): string | undefined {
  return item !== undefined && 'id' in item ? optionalString(item.id) : undefined
}

/** An item that ends in the middle, if its kind has a word for it. */
export function cutItem<I extends Item>(item: I): I {
  return 'status' in item && !UNCUT.has(item.type) ? { ...item, status: 'incomplete' } : item
}

/** Kinds whose status is never incomplete. */
const UNCUT: ReadonlySet<string | undefined> = new Set(['web_search_call', 'image_generation_call', 'apply_patch_call'])
