import { leftover, type Node } from '../../ir/extras.ts'
import type { Path } from '../../ir/loss.ts'
import type { Pairs } from '../../ir/pairs.ts'
import type { Part, Refusal, Text } from '../../ir/part.ts'
import { listOf, stringOf } from '../../lib/json.ts'
import type { DecodeContext, EncodeContext } from '../protocol.ts'
import { decodeCitations, encodeCitations } from './citations.ts'
import { decodeContent, encodePart, encodeText, plain } from './content.ts'
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
  const {
    role,
    content,
    refusal,
    tool_calls,
    function_call,
    reasoning,
    reasoning_content,
    reasoning_details,
    annotations,
    ...rest
  } = wire
  const others: Part[] = decodeContent(content as string | WirePart[] | null, context) // other kinds meet a default
  const citations = listOf(annotations).length === 0 ? undefined : decodeCitations(listOf(annotations))
  const first = others.findIndex((part) => part.type === 'text')
  const text = others[first]
  const cited = citations !== undefined && text?.type === 'text'
  if (cited) others[first] = { ...text, citations }
  if (stringOf(refusal) !== '') others.push({ type: 'refusal', text: stringOf(refusal) })
  for (const call of listOf(tool_calls)) others.push(decodeCall(call, context))
  if (function_call != null) {
    const { name, arguments: text, ...inner } = function_call
    others.push({ type: 'tool-call', name, arguments: text, by: 'client', ...leftover(NAME, inner) })
  }
  const left = cited || annotations == null || annotations.length === 0 ? rest : { ...rest, annotations }
  return { parts: placeReasoning(wire, others, context), ...leftover(NAME, left) }
}

/** One thing of an assistant message, in its order. */
type Token =
  | { readonly kind: 'said'; readonly wires: readonly WirePart[]; readonly part: Part }
  | { readonly kind: 'refused'; readonly text: string }
  | { readonly kind: 'called'; readonly call: WireToolCall }
  | { readonly kind: 'thought'; readonly detail: WireDetail }

const RANK_OF = { thought: 0, said: 0, refused: 1, called: 2 } as const

/**
 * An assistant message: chat says text, then a refusal, then calls; thoughts keep their places by number. `texts` tells whether
 * the text may come in several pieces. Undefined when nothing of it can be said. The losses stand at the root.
 */
export function encodeAssistant(
  parts: readonly Part[],
  owner: Path,
  texts: 'one' | 'many',
  context: EncodeContext,
  pairs: Pairs,
): WireAnswer | undefined {
  const { losses } = context
  const found: { readonly token: Token; readonly index: number }[] = []
  for (const [index, part] of parts.entries()) {
    const at = scope(owner, index)
    for (const [list, place] of at) losses.enter(list, place)
    const token = encodeToken(part, texts, context, pairs)
    for (const _step of at) losses.leave()
    if (token !== undefined) found.push({ token, index })
  }
  if (found.length === 0) return parts.length === 0 ? { content: '' } : undefined
  const ordered = orderTokens(found, owner, context)
  return assemble(ordered, owner, texts, context)
}

function scope(owner: Path, index: number): (readonly [string, number])[] {
  const [list, place] = owner
  return [
    [String(list), Number(place)],
    ['parts', index],
  ]
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

/** Moves what chat says later behind the rest, when it does not stand there already. */
function orderTokens(
  found: readonly { token: Token; index: number }[],
  owner: Path,
  { losses }: EncodeContext,
): { token: Token; index: number }[] {
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
    losses.moved([...owner, 'parts', index], [...owner, 'parts'], 'chat says text first, then a refusal, then calls')
  }
  return [...found.filter(({ token }) => RANK_OF[token.kind] === 0), ...refused, ...called]
}

function assemble(
  ordered: readonly { token: Token; index: number }[],
  owner: Path,
  texts: 'one' | 'many',
  context: EncodeContext,
): WireAnswer {
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
    const path = [...owner, 'parts', index]
    if (token.kind === 'thought') details.push({ ...token.detail, index: place++ })
    else if (token.kind === 'called') {
      calls.push(token.call)
      place++
    } else if (token.kind === 'refused') {
      if (refusal === undefined) place++
      else losses.merged(path, [...owner, 'parts', refusal.index], 'chat refuses once')
      refusal = { text: (refusal?.text ?? '') + token.text, index: refusal?.index ?? index }
    } else if (texts === 'many') {
      for (const [list, at] of scope(owner, index)) losses.enter(list, at)
      content.push(...(token.part.type === 'text' ? encodeText(token.part, context) : token.wires))
      losses.leave()
      losses.leave()
      place++
    } else {
      const text = token.part.type === 'text' ? token.part.text : textOf(token.wires)
      for (const [list, at] of scope(owner, index)) losses.enter(list, at)
      if (token.part.type === 'text')
        annotations.push(...encodeOneText(token.part, joined.length, firstText === undefined, context))
      losses.leave()
      losses.leave()
      if (firstText === undefined) {
        firstText = index
        place++
        const seal = token.part.type === 'text' ? token.part.seal : undefined
        if (seal !== undefined) details.push(carrierOf(seal, place))
      } else losses.merged(path, [...owner, 'parts', firstText], 'chat says one text')
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
