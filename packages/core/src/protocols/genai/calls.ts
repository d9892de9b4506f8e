import { leftover, nest, restore } from '../../ir/extras.ts'
import { createLosses } from '../../ir/loss.ts'
import type { Pairs } from '../../ir/pairs.ts'
import type { Part, SearchHit, Text, ToolCall, ToolOutput, ToolResult } from '../../ir/part.ts'
import { isObject, listOf, parseJson, type JsonObject } from '../../lib/json.ts'
import { createGrowingObject, type GrowingObject } from '../../lib/json-path.ts'
import type { DecodeContext, EncodeContext } from '../protocol.ts'
import { decodeMedia, encodeMedia } from './media.ts'
import { decodeSeal, encodeSeal } from './reasoning.ts'
import { NAME, type WireFunctionResponse, type WirePart } from './schema.ts'

type Sealed = Pick<Part, 'seal'>

export function decodeCall(wire: WirePart, sealed: Sealed, context: DecodeContext): ToolCall {
  const { functionCall, ...rest } = wire
  const { id, name, args, ...inner } = functionCall ?? { name: '' }
  const called = typeof name === 'string' ? name : ''
  return {
    type: 'tool-call',
    ...(typeof id === 'string' ? { id } : {}),
    name: context.names?.back(called) ?? called,
    arguments: isObject(args) ? args : {},
    by: 'client',
    ...sealed,
    ...leftover(NAME, nest(rest, 'functionCall', inner)),
  }
}

/** The losses stand at the part. */
export function encodeCall(part: ToolCall, context: EncodeContext): WirePart | undefined {
  if (part.by === 'server') {
    context.losses.dropped([], 'genai does not show what its upstream calls')
    return undefined
  }
  if (part.custom) context.losses.dropped(['custom'], 'genai functions take JSON')
  const functionCall = {
    ...(part.id === undefined ? {} : { id: part.id }),
    name: context.names?.out(part.name) ?? part.name,
    args: encodeArguments(part, context),
  }
  return restore(NAME, part, { functionCall, ...encodeSeal(part, context) })
}

/** Arguments as an object. What is not one is kept as text inside one. The losses stand at the part. */
function encodeArguments(part: ToolCall, context: EncodeContext): JsonObject {
  if (typeof part.arguments !== 'string') return part.arguments
  const parsed = part.custom ? undefined : part.arguments.trim() === '' ? {} : parseJson(part.arguments)
  if (isObject(parsed)) return parsed
  const kept = { [part.custom ? 'input' : 'text']: part.arguments }
  context.losses.changed(['arguments'], kept, 'genai takes JSON objects as arguments')
  return kept
}

export function decodeResult(
  wire: WirePart,
  sealed: Sealed,
  context: DecodeContext,
  inner: (part: WirePart) => Part,
): ToolResult {
  const { functionResponse, ...rest } = wire
  const { id, name, response, parts, ...others } = functionResponse ?? { name: '' }
  const called = typeof name === 'string' ? name : ''
  return {
    type: 'tool-result',
    ...(typeof id === 'string' ? { callId: id } : {}),
    name: context.names?.back(called) ?? called,
    ...decodeOutput({ response, parts }, inner),
    by: 'client',
    ...sealed,
    ...leftover(NAME, nest(rest, 'functionResponse', others)),
  }
}

/** Names are filled in from the calls. The losses stand at the part. */
export function encodeResult(part: ToolResult, context: EncodeContext, pairs: Pairs): WirePart | undefined {
  const { losses } = context
  if (part.by === 'server') {
    losses.dropped([], 'genai does not show what its upstream found')
    return undefined
  }
  const name = pairs.name(part) ?? part.callId ?? 'unknown'
  if (part.name === undefined) losses.added(['name'], name, 'genai results name their function')
  if (typeof part.failed === 'string') losses.changed(['failed'], true, 'genai results have no error code')
  const functionResponse = {
    ...(part.callId === undefined ? {} : { id: part.callId }),
    name: context.names?.out(name) ?? name,
    ...encodeOutput(part, context),
  }
  return restore(NAME, part, { functionResponse, ...encodeSeal(part, context) })
}

type WireOutput = Pick<WireFunctionResponse, 'response' | 'parts'>

/**
 * What a function gave back. `output` alone, a string, is plain text, and `error` alone says that it failed: that is how this
 * protocol tells its users to write them. Any other object stays one.
 */
export function decodeOutput(
  { response, parts }: WireOutput,
  inner: (part: WirePart) => Part,
): Pick<ToolResult, 'output' | 'failed'> {
  const json = isObject(response) ? response : {}
  const media = listOf(parts).map(inner)
  const [key, second] = Object.keys(json)
  const only = second === undefined && (key === 'output' || key === 'error') ? json[key] : undefined
  const failed = key === 'error' && only !== undefined ? { failed: true as const } : {}
  if (typeof only === 'string') {
    const said: Text[] = only === '' ? [] : [{ type: 'text', text: only }]
    return { output: { parts: [...said, ...media] }, ...failed }
  }
  const beside = media.length === 0 ? {} : { parts: media }
  if (key === 'error' && isObject(only)) return { output: { json: only, ...beside }, ...failed }
  return { output: { json, ...beside } }
}

/** The losses stand at the part. */
export function encodeOutput(part: ToolResult, context: EncodeContext): WireOutput {
  const { output, failed } = part
  const outcome = failed === undefined ? 'output' : 'error'
  if ('json' in output) return encodeJson(part, output, context)
  if (isSimple(output.parts)) return encodeSimple(output.parts, outcome, context)
  const { text, media } = sortParts(output.parts, context)
  const read = [...(text === '' ? [] : [{ type: 'text', text } as const]), ...media.map(({ read }) => read)]
  context.losses.changed(['output'], { parts: read }, 'genai results are one text, and media behind it')
  return { response: { [outcome]: text }, ...wiresOf(media) }
}

function encodeJson(
  part: ToolResult,
  output: Extract<ToolOutput, { json: JsonObject }>,
  context: EncodeContext,
): WireOutput {
  const { losses } = context
  const failed = part.failed !== undefined
  const { media, whole } = sortParts(output.parts ?? [], context)
  const wire: WireOutput = { response: failed ? { error: output.json } : output.json, ...wiresOf(media) }
  const parts = media.map(({ read }) => read)
  const read = decodeOutput({ response: wire.response }, () => ({ type: 'text', text: '' }))
  const misread = !('json' in read.output) || (!failed && read.failed !== undefined)
  if (!failed && read.failed !== undefined)
    losses.added(['failed'], true, 'genai results with an error alone have failed')
  if (!misread && whole && (output.parts === undefined || parts.length > 0)) return wire
  const meant =
    'json' in read.output
      ? { json: read.output.json, ...(parts.length === 0 ? {} : { parts }) }
      : { parts: [...read.output.parts, ...parts] }
  losses.changed(['output'], meant, 'genai results are an object, and media beside it')
  return wire
}

/** Whether the media of results goes into the turn beside them, for upstreams whose results hold none. */
export function movesMedia({ dialect, toward }: EncodeContext): boolean {
  return toward === 'upstream' && dialect?.['resultMedia'] === 'turn'
}

/** At most one text, in front of everything else. */
function isSimple(parts: readonly Part[]): boolean {
  return parts.every((part, index) => part.type === 'media' || (part.type === 'text' && index === 0))
}

function encodeSimple(parts: readonly Part[], outcome: string, context: EncodeContext): WireOutput {
  const { losses } = context
  let text = ''
  const wires: WirePart[] = []
  for (const [index, part] of parts.entries()) {
    losses.enterIn('output', 'parts', index)
    if (part.type === 'text') {
      text = part.text
      reportPlain(part, context)
    } else if (part.type === 'media' && !movesMedia(context)) {
      const wire = encodeMedia(part, context)
      if (wire !== undefined) wires.push(wire)
    }
    losses.leave()
  }
  return { response: { [outcome]: text }, ...(wires.length === 0 ? {} : { parts: wires }) }
}

/** What a text inside a result cannot say. The losses stand at it. */
function reportPlain(part: Text, { losses }: EncodeContext): void {
  if (part.text === '') return losses.dropped([], 'an empty text says nothing')
  for (const member of ['citations', 'cache', 'seal', 'item'] as const) {
    if (part[member] !== undefined) losses.dropped([member], `genai results have no ${member}`)
  }
  if (part.extras?.[NAME] !== undefined) losses.dropped(['extras', NAME], 'genai results are plain text')
}

interface Sorted {
  readonly text: string
  readonly media: readonly { readonly wire: WirePart; readonly read: Part }[]
  /** Nothing but media, and nothing of it lost. */
  readonly whole: boolean
}

/** Everything that can be said in words, and the media: each as its wire and as a reader gets it. */
function sortParts(parts: readonly Part[], context: EncodeContext): Sorted {
  const texts: string[] = []
  const media: { wire: WirePart; read: Part }[] = []
  let whole = true
  for (const part of parts) {
    if (part.type === 'media' && movesMedia(context)) whole = false
    else if (part.type === 'media') {
      const losses = createLosses()
      const wire = encodeMedia(part, { ...context, losses })
      const read = wire === undefined ? undefined : readMedia(wire, context)
      if (wire !== undefined && read !== undefined) media.push({ wire, read })
      whole &&=
        losses.entries().length === 0 &&
        (part.extras === undefined || Object.keys(part.extras).every((name) => name === NAME))
    } else {
      whole = false
      const text = part.type === 'text' ? part.text : part.type === 'search-hit' ? hitText(part) : ''
      if (text !== '') texts.push(text)
    }
  }
  return { text: texts.join('\n\n'), media, whole }
}

function wiresOf(media: Sorted['media']): { parts?: WirePart[] } {
  return media.length === 0 ? {} : { parts: media.map(({ wire }) => wire) }
}

/** A media part as a reader of its wire gets it. */
function readMedia(wire: WirePart, context: EncodeContext): Part | undefined {
  const { thoughtSignature, ...bare } = wire
  return decodeMedia(bare, decodeSeal(thoughtSignature, context).seal)
}

/** A search result in words. */
export function hitText(part: SearchHit): string {
  const inner = part.parts?.flatMap((each) => (each.type === 'text' ? each.text : [])) ?? []
  return [part.title, part.url, ...inner].filter((line) => line !== undefined && line !== '').join('\n')
}

type WireCall = NonNullable<WirePart['functionCall']>

/** Collects a call whose arguments come in pieces, one place of them after another. */
export interface CallReader {
  /** The calls that are whole now. */
  read(part: WirePart): WirePart[]
  /** What was still to go on when nothing more came. */
  flush(): WirePart[]
}

export function createCallReader(): CallReader {
  let waiting: { readonly part: WirePart; readonly call: Partial<WireCall>; readonly args: GrowingObject } | undefined

  const flush = (): WirePart[] => {
    if (waiting === undefined) return []
    const { part, call, args } = waiting
    waiting = undefined
    return [{ ...part, functionCall: { name: '', ...call, args: { ...call.args, ...args.value() } } }]
  }
  return {
    flush,
    read(part) {
      const { functionCall, ...beside } = part
      const { partialArgs, willContinue, ...call }: Partial<WireCall> = functionCall ?? {}
      const before = call.name === undefined ? [] : flush() // a name begins a call, whether or not the last one was ended
      if (waiting === undefined && partialArgs === undefined && willContinue !== true) return [...before, part]
      const args = waiting?.args ?? createGrowingObject()
      for (const piece of listOf(partialArgs as readonly unknown[] | undefined)) put(piece, args)
      waiting = { part: { ...waiting?.part, ...beside }, call: { ...waiting?.call, ...call }, args }
      return willContinue === true ? before : [...before, ...flush()]
    },
  }
}

function put(piece: unknown, args: GrowingObject): void {
  if (!isObject(piece) || typeof piece['jsonPath'] !== 'string') return
  const { jsonPath, stringValue, numberValue, boolValue, nullValue } = piece
  if (typeof stringValue === 'string') args.put(jsonPath, stringValue)
  else if (typeof numberValue === 'number') args.put(jsonPath, numberValue)
  else if (typeof boolValue === 'boolean') args.put(jsonPath, boolValue)
  else if (nullValue !== undefined) args.put(jsonPath, null)
}
