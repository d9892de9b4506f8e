import { leftover, nest, restore } from '../../ir/extras.ts'
import type { Pairs } from '../../ir/pairs.ts'
import type { Part, ToolCall, ToolResult } from '../../ir/part.ts'
import { openId, sealId, type Seal } from '../../ir/seal.ts'
import { isObject, objectOf, stringOf, type JsonObject } from '../../lib/json.ts'
import type { DecodeContext, EncodeContext } from '../protocol.ts'
import { decodeContent, encodeHit, encodeText, plain } from './content.ts'
import { NAME, type MessageOf, type WirePart, type WireToolCall } from './schema.ts'

export function decodeCall(wire: WireToolCall, context: DecodeContext): ToolCall {
  const { id: sealed, extra_content, ...call } = wire
  const { id, seal } = openId(sealed)
  const signed = seal ?? signatureOf(extra_content)
  const shared = { id, by: 'client', ...(signed === undefined ? {} : { seal: signed }) } as const
  const unsigned = signed === undefined || seal !== undefined ? extra_content : undefined
  if (call.type === 'custom') {
    const { type, custom, ...rest } = call
    const { name, input, ...inner } = custom
    const left = nest(nest(rest, 'custom', inner), 'extra_content', unsigned)
    return {
      type: 'tool-call',
      ...shared,
      name: context.names?.back(name) ?? name,
      arguments: input,
      custom: true,
      ...leftover(NAME, left),
    }
  }
  const { type, function: called, ...rest } = call
  const { name: said, arguments: given, ...inner } = objectOf(called)
  const name = stringOf(said)
  const text = stringOf(given)
  const left = nest(nest(rest, 'function', inner), 'extra_content', unsigned)
  return {
    type: 'tool-call',
    ...shared,
    name: context.names?.back(name) ?? name,
    arguments: text,
    ...leftover(NAME, left),
  }
}

/** A signature that did not fit into the id rides as its issuer's own extension. */
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
  return restore(NAME, part, { ...sealed, type: 'function', function: { name, arguments: text === '' ? '{}' : text } })
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
  const { role, tool_call_id, content, name, ...rest } = wire
  return {
    type: 'tool-result',
    callId: openId(tool_call_id).id,
    ...(name === undefined ? {} : { name: context.names?.back(name) ?? name }),
    output: { parts: decodeContent(content, context) },
    by: 'client',
    ...leftover(NAME, rest),
  }
}

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
