import { leftover, unknownOf, type Node } from '../../ir/extras.ts'
import type { Losses, Path } from '../../ir/loss.ts'
import type { Pairs } from '../../ir/pairs.ts'
import type { Citation, Part, Refusal, Text } from '../../ir/part.ts'
import type { Turn } from '../../ir/turns.ts'
import { listOf, stringOf } from '../../lib/json.ts'
import type { DecodeContext, EncodeContext } from '../protocol.ts'
import { decodeCitations, encodeCitations } from './citations.ts'
import { decodeContent, encodePart, encodeText, plain } from './content.ts'
import { historyDialect } from './dialect.ts'
import { carrierOf, encodeDetail, encodeViews, placeReasoning } from './reasoning.ts'
import {
  NAME,
  type WireAnnotation,
  type WireAnswer,
  type WireDetail,
  type WirePart,
  type WireToolCall,
} from './schema.ts'
import { decodeCall, encodeCall } from './calls.ts'

/** The parts and leftovers of an assistant message, in a history or in an answer. */
export function decodeAssistant(wire: WireAnswer, context: DecodeContext): Node & { readonly parts: Part[] } {
  const { content, refusal, tool_calls, function_call, annotations } = wire
  const parts: Part[] = decodeContent(content, context)
  const said = listOf(annotations)
  const cited = said.length === 0 || takeCitations(decodeCitations(said), parts)
  const rest = unknownOf(wire, cited ? ASSISTANT : UNCITED)
  if (stringOf(refusal) !== '') parts.push({ type: 'refusal', text: stringOf(refusal) })
  for (const call of listOf(tool_calls)) parts.push(decodeCall(call, context))
  if (function_call != null) {
    const { name, arguments: text, ...inner } = function_call
    parts.push({ type: 'tool-call', name, arguments: text, by: 'client', ...leftover(NAME, inner) })
  }
  const placed = placeReasoning(wire, parts, context)
  return rest === undefined ? { parts: placed } : { parts: placed, extras: { [NAME]: rest } }
}

/** What is read of a message whose annotations stay as they are. */
const UNCITED = new Set([
  'role',
  'name',
  'content',
  'refusal',
  'tool_calls',
  'function_call',
  'reasoning',
  'reasoning_content',
  'reasoning_details',
])
const ASSISTANT = new Set([...UNCITED, 'annotations'])

/** Citations belong to the text. False when there is none, or when they are of a kind that is not known here. */
export function takeCitations(citations: readonly Citation[] | undefined, parts: Part[]): boolean {
  const first = parts.findIndex((part) => part.type === 'text')
  const text = parts[first]
  if (citations === undefined || text?.type !== 'text') return false
  if (citations.length > 0) parts[first] = { ...text, citations: [...(text.citations ?? []), ...citations] }
  return true
}

/** Whose parts they are: a message of a request, or a candidate of an answer. */
export interface Owner {
  readonly list: 'messages' | 'candidates'
  readonly index: number
  /** Where the parts of a joined turn stood. */
  readonly origins?: Turn['origins']
}

/** One thing of an assistant message, in its order. */
type Token =
  | { readonly kind: 'said'; readonly wires: readonly WirePart[]; readonly part: Part }
  | { readonly kind: 'refused'; readonly text: string }
  | { readonly kind: 'called'; readonly call: WireToolCall }
  | { readonly kind: 'thought'; readonly detail: WireDetail }

const RANK_OF = { thought: 0, said: 0, refused: 1, called: 2 } as const

interface Found {
  readonly token: Token
  readonly index: number
}

/**
 * An assistant message: chat says text, then a refusal, then calls; thoughts keep their places by number. `texts` tells whether
 * the text may come in several pieces. Undefined when nothing of it can be said. The losses stand at the root.
 */
export function encodeAssistant(
  parts: readonly Part[],
  owner: Owner,
  texts: 'one' | 'many',
  context: EncodeContext,
  pairs: Pairs,
): WireAnswer | undefined {
  const { losses } = context
  const found: Found[] = []
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]
    if (part === undefined) continue
    enterPart(owner, index, losses)
    const token = encodeToken(part, texts, context, pairs)
    leavePart(losses)
    if (token !== undefined) found.push({ token, index })
  }
  if (found.length === 0) return parts.length === 0 ? { content: '' } : undefined
  const first = historyDialect(context) === undefined ? found : thoughtsFirst(found, owner, context)
  return assemble(orderTokens(first, owner, context), owner, texts, context)
}

function enterPart(owner: Owner, index: number, losses: Losses): void {
  const origin = owner.origins?.[index]
  losses.enter(owner.list, origin?.[0] ?? owner.index)
  losses.enter('parts', origin?.[1] ?? index)
}

function partPath(owner: Owner, index: number): Path {
  const origin = owner.origins?.[index]
  return [owner.list, origin?.[0] ?? owner.index, 'parts', origin?.[1] ?? index]
}

function leavePart(losses: Losses): void {
  losses.leave()
  losses.leave()
}

function encodeToken(part: Part, texts: 'one' | 'many', context: EncodeContext, pairs: Pairs): Token | undefined {
  switch (part.type) {
    case 'reasoning': {
      const detail = encodeDetail(part, 0, context)
      return detail === undefined ? undefined : { kind: 'thought', detail }
    }
    case 'tool-call': {
      const call = encodeCall(part, context, pairs)
      return call === undefined ? undefined : { kind: 'called', call }
    }
    case 'refusal':
      if (part.text === '') {
        context.losses.dropped([], 'an empty refusal says nothing')
        return undefined
      }
      reportRefusal(part, context)
      return { kind: 'refused', text: part.text }
    case 'text':
      return part.text === '' ? emptyText(context) : { kind: 'said', wires: [], part }
    case 'media':
      context.losses.dropped([], 'chat assistants say text')
      return undefined
    default: {
      const wires = encodePart(part, context)
      if (texts === 'one' && wires[0] !== undefined && wires[0].type !== 'text') {
        context.losses.dropped([], 'chat answers with one text')
        return undefined
      }
      return wires.length === 0 ? undefined : { kind: 'said', wires, part }
    }
  }
}

/** What a refusal's plain text cannot say. The losses stand at the part. */
export function reportRefusal(part: Refusal, { losses }: EncodeContext): void {
  for (const member of ['cache', 'seal', 'item'] as const) {
    if (part[member] !== undefined) losses.dropped([member], `chat refusals have no ${member}`)
  }
  if (part.extras?.[NAME] !== undefined) losses.dropped(['extras', NAME], 'chat refusals are plain text')
}

function emptyText(context: EncodeContext): undefined {
  context.losses.dropped([], 'an empty text is refused')
}

/** Thoughts as plain text have no places: they are one, in front of all the rest. */
function thoughtsFirst(found: readonly Found[], owner: Owner, { losses }: EncodeContext): readonly Found[] {
  const thoughts = found.filter(({ token }) => token.kind === 'thought')
  const others = found.filter(({ token }) => token.kind !== 'thought')
  const [first, ...more] = thoughts
  if (first === undefined) return found
  for (const { index } of more)
    losses.merged(partPath(owner, index), partPath(owner, first.index), 'this upstream takes thoughts back as one text')
  if (others.length === 0 || found[0] === first) return [...thoughts, ...others]
  for (const { index } of others)
    losses.moved(partPath(owner, index), [owner.list, owner.index, 'parts'], 'this upstream takes thoughts back first')
  return [...thoughts, ...others]
}

/** Moves what chat says later behind the rest, when it does not stand there already. */
function orderTokens(found: readonly Found[], owner: Owner, { losses }: EncodeContext): Found[] {
  let rank = 0
  const sorted = found.every(({ token }) => {
    if (token.kind === 'thought') return true
    const ok = RANK_OF[token.kind] >= rank
    rank = RANK_OF[token.kind]
    return ok
  })
  if (sorted) return [...found]
  const refused = found.filter(({ token }) => token.kind === 'refused')
  const called = found.filter(({ token }) => token.kind === 'called')
  for (const { index } of [...refused, ...called]) {
    losses.moved(
      partPath(owner, index),
      [owner.list, owner.index, 'parts'],
      'chat says text first, then a refusal, then calls',
    )
  }
  return [...found.filter(({ token }) => RANK_OF[token.kind] === 0), ...refused, ...called]
}

function assemble(ordered: readonly Found[], owner: Owner, texts: 'one' | 'many', context: EncodeContext): WireAnswer {
  const { losses } = context
  const details: WireDetail[] = []
  const content: WirePart[] = []
  const annotations: WireAnnotation[] = []
  const calls: WireToolCall[] = []
  let joined = ''
  let firstText: number | undefined
  let refusal: { text: string; index: number } | undefined
  let place = 0
  for (const { token, index } of ordered) {
    if (token.kind === 'thought') details.push({ ...token.detail, index: place++ })
    else if (token.kind === 'called') {
      calls.push(token.call)
      place++
    } else if (token.kind === 'refused') {
      if (refusal === undefined) place++
      else losses.merged(partPath(owner, index), partPath(owner, refusal.index), 'chat refuses once')
      refusal = { text: (refusal?.text ?? '') + token.text, index: refusal?.index ?? index }
    } else if (texts === 'many') {
      enterPart(owner, index, losses)
      content.push(...(token.part.type === 'text' ? encodeText(token.part, context) : token.wires))
      leavePart(losses)
      place++
    } else {
      const text = token.part.type === 'text' ? token.part.text : textOf(token.wires)
      enterPart(owner, index, losses)
      if (token.part.type === 'text')
        annotations.push(...encodeOneText(token.part, joined.length, firstText === undefined, context))
      leavePart(losses)
      if (firstText === undefined) {
        firstText = index
        place++
        const seal = token.part.type === 'text' ? token.part.seal : undefined
        if (seal !== undefined) details.push(carrierOf(seal, place))
      } else losses.merged(partPath(owner, index), partPath(owner, firstText), 'chat says one text')
      joined += text
    }
  }
  const said = texts === 'one' ? (joined === '' ? null : joined) : content.length === 0 ? undefined : plain(content)
  return {
    content: said === undefined ? (calls.length === 0 && refusal === undefined ? '' : null) : said,
    ...(refusal === undefined ? {} : { refusal: refusal.text }),
    ...(annotations.length === 0 ? {} : { annotations }),
    ...encodeViews(details, context),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
}

function textOf(wires: readonly WirePart[]): string {
  return wires.map((wire) => (wire.type === 'text' ? wire.text : '')).join('')
}

/** What an answer's one text cannot say of this part of it; its annotations. The losses stand at the part. */
export function encodeOneText(part: Text, offset: number, first: boolean, context: EncodeContext): WireAnnotation[] {
  const { losses } = context
  if (part.cache !== undefined) losses.dropped(['cache'], 'answers have no cache marks')
  if (part.item !== undefined) losses.dropped(['item'], 'chat has no output items')
  if (part.seal !== undefined && !first) losses.dropped(['seal'], 'chat says one text')
  if (part.extras?.[NAME] !== undefined) losses.dropped(['extras', NAME], 'chat says one text')
  if (part.citations?.length === 0) losses.dropped(['citations'], 'there are none')
  return encodeCitations(part, offset, context)
}
