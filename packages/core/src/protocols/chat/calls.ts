import { keep, keptWord, known, restore, unknownOf, type Known } from '../../ir/extras.ts'
import { NO_LOSSES, type Losses } from '../../ir/loss.ts'
import { lostPart, withoutMedia, textOfPart } from '../../ir/unsupported-part.ts'
import type { Pairs } from '../../ir/pairs.ts'
import type { Media, ToolCall, ToolResult } from '../../ir/part.ts'
import { openId, sealId, type Seal } from '../../ir/seal.ts'
import type { Draft } from '../../lib/members.ts'
import { isEmpty, isObject, objectOf, stringOf, type JsonObject } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { DecodeContext, Encoding } from '../context.ts'
import { mark, takeMark } from './cache.ts'
import { decodeContent, encodePart, plain } from './content.ts'
import { TABLES } from './members.ts'
import { isFunction } from './tools.ts'
import type { WireCallDelta } from './answer-schema.ts'
import {
  customToolCall,
  functionCall,
  functionMessage,
  functionToolCall,
  NAME,
  toolMessage,
  type MessageOf,
  type WirePart,
  type WireToolCall,
} from './schema.ts'

export function decodeCall(wire: WireToolCall, context: DecodeContext): ToolCall {
  const custom = wire.type === 'custom'
  const called: { readonly name?: string; readonly arguments?: string; readonly input?: string } = objectOf(
    custom ? wire.custom : wire.function,
  )
  const name = stringOf(called.name)
  const opened = openId(stringOf(wire.id))
  const call: Draft<ToolCall> = {
    type: 'tool-call',
    name: context.names?.back(name) ?? name,
    arguments: stringOf(custom ? called.input : called.arguments),
    by: 'client',
  }
  if (opened.id !== '') call.id = opened.id // some upstreams send none, and two empty ids would be equal
  if (custom) call.custom = true
  let rest = unknownOf(wire, custom ? CUSTOM_CALL : isFunction(wire.type) ? CALL : OTHER_CALL)
  if (opened.seal !== undefined) call.seal = opened.seal
  else if (rest !== undefined) {
    const seal = signatureOf(rest['extra_content'])
    if (seal !== undefined) {
      call.seal = seal
      const { extra_content: _signature, ...others } = rest
      rest = isEmpty(others) ? undefined : others
    }
  }
  return keep(call, NAME, takeMark(call, rest))
}

/** Clients that gather a stream send its positions back, and the helper of Python also parsed arguments. Both repeat what is read. */
const INDEX = ['index', null] as const
const FUNCTION: Known = new Map([...known(functionCall), ['parsed_arguments', null]])
const CALL: Known = new Map([...known(functionToolCall, { inside: { function: FUNCTION } }), INDEX])
const CUSTOM_CALL: Known = new Map([...known(customToolCall), INDEX])
/** A call of an unknown kind is read like a function, and kept as it came. */
const OTHER_CALL: Known = new Map([['id', null]])

/** The start of a streamed call: its first delta, with empty arguments. */
export function decodeShell({ index, ...wire }: WireCallDelta, context: DecodeContext): ToolCall {
  const type = wire.type === 'custom' ? 'custom' : 'function'
  return { ...decodeCall({ ...wire, type } as WireToolCall, context), arguments: '' } // read leniently
}

/** A signature that did not fit into the id is in the extension of its issuer. */
function signatureOf(extra: unknown): Seal | undefined {
  for (const [issuer, own] of isObject(extra) ? Object.entries(extra) : []) {
    const value = isObject(own) ? own['thought_signature'] : undefined
    if (typeof value === 'string') return { issuer, value }
  }
  return undefined
}

export function encodeCall(part: ToolCall, losses: Losses, context: Encoding, pairs: Pairs): WireToolCall | undefined {
  if (part.by === 'server') {
    losses.dropped([], 'chat does not show what its upstream calls')
    return undefined
  }
  const id = pairs.id(part)
  if (part.id === undefined) losses.added(['id'], id, 'chat calls have an id')
  reportUnsupported(part, TABLES.part['tool-call'], losses, context)
  const name = context.names?.out(part.name) ?? part.name
  const text = typeof part.arguments === 'string' ? part.arguments : JSON.stringify(part.arguments)
  const isOther = keptWord(part, NAME, 'type') !== undefined // its members are extras
  const call: WireToolCall = isOther
    ? ({ id } as WireToolCall)
    : part.custom
      ? { id, type: 'custom', custom: { name, input: text } }
      : { id, type: 'function', function: { name, arguments: text === '' ? '{}' : text } }
  if (part.seal !== undefined) encodeSeal(call, part.seal, losses, context)
  return restore(NAME, part, mark(call, part, losses, context))
}

/** To a client inside the id, or beside it if it is too long; to its issuer beside the call. */
function encodeSeal(call: WireToolCall, seal: Seal, losses: Losses, { toward, issuer }: Encoding): void {
  const { id } = call
  if (toward === 'client') call.id = sealId(id, seal)
  else if (seal.issuer !== issuer) return losses.dropped(['seal'], 'signed by another issuer')
  if (call.id === id) call['extra_content'] = { [seal.issuer]: { thought_signature: seal.value } }
}

export function decodeResult(wire: MessageOf<'tool' | 'function'>, context: DecodeContext): ToolResult {
  const tool = wire.role === 'tool'
  const result: Draft<ToolResult> = {
    type: 'tool-result',
    output: { parts: decodeContent(wire.content) },
    by: 'client',
  }
  if (tool) result.callId = openId(wire.tool_call_id).id
  if (wire.name !== undefined) result.name = tool ? (context.names?.back(wire.name) ?? wire.name) : wire.name
  return keep(result, NAME, takeMark(result, unknownOf(wire, tool ? RESULT : FUNCTION_RESULT)))
}

const RESULT = known(toolMessage)
const FUNCTION_RESULT = known(functionMessage)

export interface EncodedResult {
  readonly message: MessageOf<'tool'>
  /** Media that a tool message cannot contain; the next user turn contains it. Undefined if it was beside a JSON object. */
  readonly media: readonly { readonly part: Media; readonly index: number | undefined }[]
}

export function encodeResult(part: ToolResult, losses: Losses, context: Encoding, pairs: Pairs): EncodedResult {
  const { output, name } = part
  const id = pairs.id(part)
  if (part.callId === undefined) losses.added(['callId'], id, 'chat results name their call')
  reportUnsupported(part, TABLES.part['tool-result'], losses, context)
  const texts: WirePart[] = []
  const media: { part: Media; index: number | undefined }[] = []
  const lost: number[] = []
  const whole: JsonObject | undefined = 'json' in output ? output.json : undefined
  for (const [index, inner] of output.parts?.entries() ?? []) {
    const inside = losses.at('output').at('parts', index)
    if (inner.type === 'media') {
      media.push({ part: inner, index: whole === undefined ? index : undefined })
      if (whole !== undefined && encodePart(inner, NO_LOSSES, context) === undefined) lost.push(index)
    } else {
      const taken = textOfPart(inner) !== undefined || (inner.type === 'opaque' && inner.protocol === NAME)
      const wire = taken ? encodePart(inner, inside, context) : undefined
      if (wire === undefined) inside.dropped([], lostPart(inner, NAME))
      else if (whole === undefined) texts.push(wire)
    }
  }
  if (whole !== undefined) {
    texts.push({ type: 'text', text: JSON.stringify(whole) })
    losses.changed(['output'], { parts: texts }, withoutMedia('chat results are text', lost))
  }
  const message = { role: 'tool', tool_call_id: id, content: plain(texts) } as Draft<MessageOf<'tool'>> // only texts
  if (name !== undefined) message.name = context.names?.out(name) ?? name
  return { message: restore(NAME, part, mark(message, part, losses, context)), media }
}
