import { leftover, nest, restore, unknownOf } from '../../ir/extras.ts'
import type { Pairs } from '../../ir/pairs.ts'
import type { Part, ToolCall, ToolResult } from '../../ir/part.ts'
import { openId, sealId, type Seal } from '../../ir/seal.ts'
import type { Draft } from '../../lib/draft.ts'
import { isEmpty, isObject, objectOf, stringOf, type JsonObject } from '../../lib/json.ts'
import type { DecodeContext, EncodeContext } from '../protocol.ts'
import { decodeContent, encodeHit, encodeText, plain } from './content.ts'
import { NAME, type MessageOf, type WireCallDelta, type WirePart, type WireToolCall } from './schema.ts'

export function decodeCall(wire: WireToolCall, context: DecodeContext): ToolCall {
  if (wire.type === 'custom') return decodeCustomCall(wire, context)
  const { id, seal } = openId(stringOf(wire.id))
  const { name: said, arguments: given } = objectOf(wire.function)
  const name = stringOf(said)
  const call: Draft<ToolCall> = {
    type: 'tool-call',
    id,
    name: context.names?.back(name) ?? name,
    arguments: stringOf(given),
    by: 'client',
  }
  let rest = unknownOf(wire, CALL)
  const inner = isObject(wire.function) ? unknownOf(wire.function, FUNCTION) : undefined
  if (inner !== undefined) rest = { ...rest, function: inner }
  if (seal !== undefined) call.seal = seal
  else if (rest?.['extra_content'] !== undefined) rest = takeSignature(rest, call)
  if (rest !== undefined) call.extras = { [NAME]: rest }
  return call
}

const CALL = new Set(['id', 'type', 'function'])
const FUNCTION = new Set(['name', 'arguments'])

function decodeCustomCall(wire: Extract<WireToolCall, { type: 'custom' }>, context: DecodeContext): ToolCall {
  const { id: sealed, type, custom, ...rest } = wire
  const { name, input, ...inner } = custom
  const { id, seal } = openId(sealed)
  const call: Draft<ToolCall> = {
    type: 'tool-call',
    id,
    name: context.names?.back(name) ?? name,
    arguments: input,
    by: 'client',
    custom: true,
  }
  let left: object | undefined = nest(rest, 'custom', inner)
  if (seal !== undefined) call.seal = seal
  else left = takeSignature(left as JsonObject, call) // parsed JSON
  return { ...call, ...leftover(NAME, left ?? {}) }
}

/** The shell of a streamed call: what its first delta says, its arguments still empty. */
export function decodeShell(wire: WireCallDelta, context: DecodeContext): ToolCall {
  const { index, id, ...rest } = wire
  const custom = wire.type === 'custom'
  const whole = custom
    ? { ...rest, id: id ?? '', custom: { ...wire.custom, input: '' } }
    : { ...rest, id: id ?? '', type: 'function', function: { ...wire.function, arguments: '' } }
  const part = decodeCall(whole as WireToolCall, context) // its strings are filled in
  if (part.id !== '') return part
  const { id: _none, ...unnamed } = part
  return unnamed
}

/** A signature that did not fit into the id rides as its issuer's own extension. Gives what is left without it. */
function takeSignature(rest: JsonObject, call: Draft<ToolCall>): JsonObject | undefined {
  const { extra_content, ...others } = rest
  const seal = signatureOf(extra_content)
  if (seal === undefined) return rest
  call.seal = seal
  return isEmpty(others) ? undefined : others
}

function signatureOf(extra: unknown): Seal | undefined {
  if (!isObject(extra)) return undefined
  for (const issuer of Object.keys(extra)) {
    const own = extra[issuer]
    if (isObject(own) && typeof own['thought_signature'] === 'string')
      return { issuer, value: own['thought_signature'] }
  }
  return undefined
}

/** The losses stand at the part. */
export function encodeCall(part: ToolCall, context: EncodeContext, pairs: Pairs): WireToolCall | undefined {
  const { losses } = context
  if (part.by === 'server') {
    losses.dropped([], 'chat does not show what its upstream calls')
    return undefined
  }
  const id = pairs.id(part)
  if (part.id === undefined) losses.added(['id'], id, 'chat calls have an id')
  if (part.item !== undefined) losses.dropped(['item'], 'chat has no output items')
  if (part.cache !== undefined) losses.dropped(['cache'], 'chat calls have no cache mark')
  const name = context.names?.out(part.name) ?? part.name
  const text = typeof part.arguments === 'string' ? part.arguments : JSON.stringify(part.arguments)
  const sealed = encodeSeal(part.seal, id, context)
  if (part.custom) return restore(NAME, part, { ...sealed, type: 'custom', custom: { name, input: text } })
  const called = { name, arguments: text === '' ? '{}' : text }
  if (sealed.extra_content === undefined)
    return restore(NAME, part, { id: sealed.id, type: 'function', function: called })
  return restore(NAME, part, { ...sealed, type: 'function', function: called })
}

/** Through a client in the id, or beside it when too long; to its issuer beside the call. The losses stand at the part. */
function encodeSeal(
  seal: Seal | undefined,
  id: string,
  context: EncodeContext,
): { id: string; extra_content?: JsonObject } {
  if (seal === undefined) return { id }
  const beside = { id, extra_content: { [seal.issuer]: { thought_signature: seal.value } } }
  if (context.toward === 'upstream') {
    if (seal.issuer === context.issuer) return beside
    context.losses.dropped(['seal'], 'signed by another issuer')
    return { id }
  }
  const sealed = sealId(id, seal)
  return sealed === id ? beside : { id: sealed }
}

export function decodeResult(wire: MessageOf<'tool' | 'function'>, context: DecodeContext): ToolResult {
  if (wire.role === 'function') {
    const { role, name, content, ...rest } = wire
    return {
      type: 'tool-result',
      name,
      output: { parts: decodeContent(content, context) },
      by: 'client',
      ...leftover(NAME, rest),
    }
  }
  const result: Draft<ToolResult> = {
    type: 'tool-result',
    callId: openId(wire.tool_call_id).id,
    output: { parts: decodeContent(wire.content, context) },
    by: 'client',
  }
  if (wire.name !== undefined) result.name = context.names?.back(wire.name) ?? wire.name
  const rest = unknownOf(wire, RESULT)
  if (rest !== undefined) result.extras = { [NAME]: rest }
  return result
}

const RESULT = new Set(['role', 'tool_call_id', 'content', 'name'])

export interface EncodedResult {
  readonly message: MessageOf<'tool'>
  /** Media that a tool message cannot hold; the user turn that follows takes it. Undefined: it stood beside a JSON object. */
  readonly media: readonly { readonly part: Part; readonly index: number | undefined }[]
}

/** The losses stand at the part; `into` is the list that its media moves to, from the root. */
export function encodeResult(part: ToolResult, context: EncodeContext, pairs: Pairs): EncodedResult {
  const { losses } = context
  const id = pairs.id(part)
  if (part.callId === undefined) losses.added(['callId'], id, 'chat results name their call')
  if (part.failed !== undefined) losses.dropped(['failed'], 'chat results cannot say that the tool failed')
  if (part.cache !== undefined) losses.dropped(['cache'], 'chat results have no cache mark')
  if (part.seal !== undefined) losses.dropped(['seal'], 'chat results have no seal')
  if (part.item !== undefined) losses.dropped(['item'], 'chat has no output items')
  const { texts, media } = encodeOutput(part, context)
  const name = part.name === undefined ? {} : { name: context.names?.out(part.name) ?? part.name }
  return {
    message: restore(NAME, part, {
      role: 'tool',
      tool_call_id: id,
      content: plain(texts),
      ...name,
    }) as MessageOf<'tool'>,
    media,
  } // texts alone
}

function encodeOutput(part: ToolResult, context: EncodeContext): { texts: WirePart[]; media: EncodedResult['media'] } {
  const { losses } = context
  const { output } = part
  if ('json' in output) {
    const said = { type: 'text' as const, text: JSON.stringify(output.json) }
    const media = (output.parts ?? []).flatMap((inner) =>
      inner.type === 'media' ? [{ part: inner, index: undefined }] : [],
    )
    losses.changed(['output'], { parts: [said] }, 'chat results are text')
    return { texts: [said], media }
  }
  const texts: WirePart[] = []
  const media: { part: Part; index: number }[] = []
  for (const [index, inner] of output.parts.entries()) {
    losses.enterIn('output', 'parts', index)
    if (inner.type === 'text') texts.push(...encodeText(inner, context))
    else if (inner.type === 'media') media.push({ part: inner, index })
    else if (inner.type === 'search-hit') texts.push(...encodeHit(inner, context))
    else losses.dropped([], `chat results hold no ${inner.type}`)
    losses.leave()
  }
  return { texts, media }
}
