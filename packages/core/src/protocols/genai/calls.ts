import { unknownOf } from '../../ir/extras.ts'
import { objectArguments } from '../../ir/tool.ts'
import { NO_LOSSES, type Losses } from '../../ir/loss.ts'
import { lostPart, mediaInside } from '../../ir/unsupported-part.ts'
import type { Pairs } from '../../ir/pairs.ts'
import type { Part, SearchHit, Text, ToolCall, ToolResult } from '../../ir/part.ts'
import type { Draft } from '../../lib/members.ts'
import { isObject, listOf, stringOf } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { DecodeContext, Encoding } from '../context.ts'
import { encodeMedia } from './media.ts'
import { FORMS, TABLES } from './members.ts'
import { decodeBeside, encodeBeside, knownPart } from './reasoning.ts'
import { NAME, type WireFunctionResponse, type WirePart } from './schema.ts'

/** Reads a part inside a part; implemented in `content.ts`. */
type DecodeInner = (wire: WirePart, context: DecodeContext) => Part
export type WireCall = NonNullable<WirePart['functionCall']>

const CALL = knownPart('functionCall')
const RESULT = knownPart('functionResponse')

/** Undefined for a part that is not a call. */
export function decodeCall(wire: WirePart, context: DecodeContext): ToolCall | undefined {
  const { functionCall } = wire
  if (!isObject(functionCall)) return undefined
  const { id, args } = functionCall
  const name = stringOf(functionCall.name)
  const call: Draft<ToolCall> = {
    type: 'tool-call',
    name: context.names?.back(name) ?? name,
    arguments: isObject(args) ? args : {},
    by: 'client',
  }
  if (typeof id === 'string') call.id = id
  return decodeBeside(call, wire, unknownOf(wire, CALL), context)
}

export function encodeCall(part: ToolCall, losses: Losses, context: Encoding): WirePart | undefined {
  if (part.by === 'server') {
    losses.dropped([], 'genai does not show what its upstream calls')
    return undefined
  }
  const functionCall: Draft<WireCall> = {
    name: context.names?.out(part.name) ?? part.name,
    args: objectArguments(part, NAME, losses),
  }
  if (part.id !== undefined) functionCall.id = part.id
  return encodeBeside({ functionCall }, part, TABLES.part['tool-call'], losses, context)
}

/** Undefined for a part that is not a result. */
export function decodeResult(wire: WirePart, context: DecodeContext, inner: DecodeInner): ToolResult | undefined {
  const { functionResponse } = wire
  if (!isObject(functionResponse)) return undefined
  const { id } = functionResponse
  const name = stringOf(functionResponse.name)
  const { output, failed } = decodeOutput(functionResponse, context, inner)
  const result: Draft<ToolResult> = {
    type: 'tool-result',
    name: context.names?.back(name) ?? name,
    output,
    by: 'client',
  }
  if (typeof id === 'string') result.callId = id
  if (failed !== undefined) result.failed = failed
  return decodeBeside(result, wire, unknownOf(wire, RESULT), context)
}

/** Names are taken from the calls. */
export function encodeResult(
  part: ToolResult,
  losses: Losses,
  context: Encoding,
  pairs: Pairs,
  read: DecodeInner,
): WirePart | undefined {
  if (part.by === 'server') {
    losses.dropped([], 'genai does not show what its upstream found')
    return undefined
  }
  const name = pairs.name(part) ?? part.callId ?? 'unknown'
  if (part.name === undefined) losses.added(['name'], name, 'genai results name their function')
  if (typeof part.failed === 'string') losses.changed(['failed'], true, 'genai results have no error code')
  const { response, parts } = encodeOutput(part, losses, context, read)
  const functionResponse: Draft<WireFunctionResponse> = { name: context.names?.out(name) ?? name, response }
  if (parts !== undefined) functionResponse.parts = parts
  if (part.callId !== undefined) functionResponse.id = part.callId
  return encodeBeside({ functionResponse }, part, TABLES.part['tool-result'], losses, context)
}

type WireOutput = Pick<WireFunctionResponse, 'response' | 'parts'>

/**
 * The result of a function. A single `output` string is plain text, and a single `error` means failure, as the protocol's documentation
 * defines. Any other object stays an object.
 */
function decodeOutput(
  wire: WireOutput,
  context: DecodeContext,
  inner: DecodeInner,
): Pick<ToolResult, 'output' | 'failed'> {
  const response = isObject(wire.response) ? wire.response : {}
  const media = listOf(wire.parts).map((part) => inner(part, context))
  const [key, second] = Object.keys(response)
  const only = second === undefined && (key === 'output' || key === 'error') ? response[key] : undefined
  const failed = key === 'error'
  if (typeof only === 'string') {
    const parts: Part[] = only === '' ? media : [{ type: 'text', text: only }, ...media]
    return failed ? { output: { parts }, failed } : { output: { parts } }
  }
  const fails = failed && isObject(only)
  const json = fails ? only : response
  const output = media.length === 0 ? { json } : { json, parts: media }
  return fails ? { output, failed } : { output }
}

/** One text and the media after it, or one object and the media beside it. */
function encodeOutput(part: ToolResult, losses: Losses, context: Encoding, read: DecodeInner): WireOutput {
  const { output, failed } = part
  const texts: string[] = []
  const media: WirePart[] = []
  let fits = true
  for (const [index, inner] of output.parts?.entries() ?? []) {
    const at = losses.at('output').at('parts', index)
    if (inner.type === 'media') {
      if (movesMedia(context)) continue
      const wire = encodeMedia(inner, at, context)
      if (wire !== undefined) media.push(wire)
      for (const each of mediaInside(inner)) {
        const inside = encodeMedia(each, NO_LOSSES, context)
        if (inside !== undefined) media.push(inside)
        fits = false
      }
    } else if (inner.type === 'opaque') {
      if (inner.protocol === NAME) media.push(inner.value) // one of our own parts, of an unknown kind
      else if (inner.words === undefined) at.dropped([], lostPart(inner, NAME))
      else {
        texts.push(inner.words)
        fits = false
      }
    } else {
      const text = inner.type === 'text' ? inner.text : inner.type === 'search-hit' ? hitText(inner) : ''
      if (text !== '') texts.push(text)
      if (inner.type === 'text' && index === 0 && !('json' in output)) reportPlain(inner, at, context)
      else fits = false
    }
  }
  const json = 'json' in output ? output.json : undefined
  const outcome = failed === undefined ? 'output' : 'error'
  const response =
    json === undefined ? { [outcome]: texts.join('\n\n') } : failed === undefined ? json : { error: json }
  const wire = media.length === 0 ? { response } : { response, parts: media }
  if (fits && json === undefined) return wire
  const understood = decodeOutput(wire, context, read)
  const fails = understood.failed !== undefined && failed === undefined
  const emptied = output.parts !== undefined && media.length === 0
  if (fails) losses.added(['failed'], true, 'a genai result that is an error alone has failed')
  if (!fits || fails || emptied || !('json' in understood.output))
    losses.changed(['output'], understood.output, 'genai results are one text or one object, and media')
  return wire
}

/** Whether the media of results goes into the turn beside them, for upstreams whose results cannot contain any. */
export function movesMedia({ dialect, toward }: Encoding): boolean {
  return toward === 'upstream' && dialect?.['resultMedia'] === 'turn'
}

/** Reports what a text inside a result cannot express. */
function reportPlain(part: Text, losses: Losses, context: Encoding): void {
  if (part.text === '') return losses.dropped([], 'an empty text is not sent')
  reportUnsupported(part, FORMS.resultText, losses, context)
}

/** A search result as text. */
export function hitText({ title = '', url = '', parts = [] }: SearchHit): string {
  const inner = parts.map((part) => (part.type === 'text' ? part.text : ''))
  return [title, url, ...inner].filter((line) => line !== '').join('\n')
}
