import { leftover, nest, restore, unknownOf } from '../../ir/extras.ts'
import { reportForeign } from '../../ir/leftovers.ts'
import type { Message } from '../../ir/message.ts'
import { pairCalls, type Pairs } from '../../ir/pairs.ts'
import type { Path } from '../../ir/loss.ts'
import type { Part, ToolResult } from '../../ir/part.ts'
import type { Delivery, Request } from '../../ir/request.ts'
import { arrangeTurns, eachPart, type Turn } from '../../ir/turns.ts'
import { findProblem } from '../../lib/check.ts'
import { isEmpty, type JsonObject } from '../../lib/json.ts'
import type { DecodeContext, EncodeContext } from '../protocol.ts'
import { movesMedia } from './calls.ts'
import { createRuns, type Runs } from './citations.ts'
import { decodePart, encodePart, joinParts } from './content.ts'
import { encodeMedia } from './media.ts'
import {
  ISSUER,
  NAME,
  safetySetting,
  type GenaiRequest,
  type WireContent,
  type WireInstruction,
  type WirePart,
} from './schema.ts'
import { decodeGeneration, encodeGeneration } from './settings.ts'
import { decodeToolConfig, decodeTools, encodeToolConfig, encodeTools } from './tools.ts'

/** The model, and whether to stream, stand in the path. */
export function decodeRequest(wire: GenaiRequest, context: DecodeContext): Request {
  const { contents, systemInstruction, tools, toolConfig, safetySettings, cachedContent, generationConfig, ...rest } =
    wire
  const choice = decodeToolConfig(toolConfig, context)
  const { rest: generationRest, ...generation } = decodeGeneration(generationConfig ?? {})
  const left = nest(nest(rest, 'toolConfig', choice.rest), 'generationConfig', generationRest)
  return {
    model: context.path?.model ?? '',
    messages: [...decodeInstruction(systemInstruction, context), ...decodeContents(contents, context)],
    ...(tools === undefined ? {} : { tools: tools.flatMap((tool) => decodeTools(tool, context)) }),
    ...(choice.choice === undefined ? {} : { toolChoice: choice.choice }),
    ...generation,
    ...(safetySettings === undefined ? {} : { safety: safetySettings as readonly JsonObject[] }), // parsed JSON
    ...(cachedContent === undefined ? {} : { cachedContent: { issuer: ISSUER, name: cachedContent } }),
    delivery: decodeDelivery(context.path?.stream),
    ...leftover(NAME, left),
  }
}

/** Its streams always end with usage. */
function decodeDelivery(stream: boolean | undefined): Delivery {
  return stream === undefined ? {} : stream ? { stream, usage: true } : { stream }
}

/** Its role says nothing. */
function decodeInstruction(wire: WireInstruction | undefined, context: DecodeContext): Message[] {
  if (wire === undefined || wire.parts.length === 0) return []
  const { role, parts, ...rest } = wire
  return [{ role: 'system', parts: parts.map((part) => decodePart(part, context)), ...leftover(NAME, rest) }]
}

const KNOWN_CONTENT: ReadonlySet<string> = new Set(['role', 'parts'])
const NOTHING = {}

/** Clients keep the chunks of a stream as they came: what the model said in several turns without a break is one. */
function decodeContents(contents: readonly WireContent[], context: DecodeContext): Message[] {
  const messages: Message[] = []
  let open: { readonly parts: Part[]; readonly rest: object } | undefined
  const flush = () => {
    if (open !== undefined)
      messages.push({ role: 'assistant', parts: joinParts(open.parts), ...leftover(NAME, open.rest) })
    open = undefined
  }
  for (const content of contents) {
    const { role } = content
    const rest = unknownOf(content, KNOWN_CONTENT) ?? NOTHING
    const parts = content.parts.map((part) => decodePart(part, context))
    if (role === 'model' && open !== undefined && rest === NOTHING) for (const part of parts) open.parts.push(part)
    else {
      flush()
      if (role === 'model') open = { parts, rest }
      else messages.push({ role: 'user', parts, ...leftover(NAME, rest) })
    }
  }
  flush()
  return messages
}

export function encodeRequest(request: Request, context: EncodeContext): GenaiRequest {
  const { losses } = context
  const { settings, reasoning, output, delivery } = request
  const tools = request.tools === undefined ? undefined : encodeTools(request.tools, context)
  const callable = tools?.some((tool) => tool.functionDeclarations !== undefined) ?? false
  const toolConfig =
    request.toolChoice === undefined || !callable ? undefined : encodeToolConfig(request.toolChoice, context)
  if (request.toolChoice !== undefined && !callable) losses.dropped(['toolChoice'], 'there are no functions')
  const wished = {
    settings,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(output === undefined ? {} : { output }),
  }
  const generationConfig = encodeGeneration({ ...wished, stream: delivery.stream === true }, context)
  const safetySettings = encodeSafety(request, context)
  const wire: GenaiRequest = {
    ...encodeMessages(request, context),
    ...(tools === undefined || (tools.length === 0 && request.tools?.length !== 0) ? {} : { tools }),
    ...(toolConfig === undefined ? {} : { toolConfig }),
    ...(safetySettings === undefined ? {} : { safetySettings }),
    ...encodeCached(request, context),
    ...(isEmpty(generationConfig) ? {} : { generationConfig }),
  }
  reportUnsaid(request, context)
  reportForeign(request, NAME, losses)
  return restore(NAME, request, wire)
}

/** Leading instructions are the system instruction; later ones stay in place, as the user's words. */
function encodeMessages(
  request: Request,
  context: EncodeContext,
): Pick<GenaiRequest, 'contents' | 'systemInstruction'> {
  const { losses } = context
  const pairs = pairCalls(request.messages)
  const lead = leadingInstructions(request.messages)
  const instruction = createInstruction(context)
  const contents: Turned[] = []
  let open: { readonly parts: WirePart[]; readonly index: number; readonly runs: Runs } | undefined // the model's last words
  for (const turn of arrangeTurns(request.messages, losses)) {
    const { message, index } = turn
    if (message.name !== undefined) losses.dropped(['messages', index, 'name'], 'genai turns have no names')
    const models = message.role === 'assistant'
    const goesOn = models && open !== undefined && message.extras?.[NAME] === undefined ? open : undefined
    const runs = !models ? undefined : (goesOn?.runs ?? createRuns(context, pathOfPart))
    const allowed = index < lead ? isText : isOfUser
    const parts =
      runs === undefined ? encodeTurn(turn, context, pairs, allowed) : encodeModelTurn(turn, runs, context, pairs)
    if (parts.length === 0) losses.dropped(['messages', index], 'an empty turn is refused')
    else if (index < lead) instruction.add(message, index, parts)
    else if (goesOn !== undefined) {
      if (message.extras !== undefined) losses.dropped(['messages', index, 'extras'], 'only other protocols have these')
      losses.merged(['messages', index], ['messages', goesOn.index], 'the model speaks in one turn')
      for (const part of parts) goesOn.parts.push(part)
    } else {
      if (message.role === 'system' || message.role === 'developer') {
        losses.changed(['messages', index, 'role'], 'user', 'genai has instructions at the start only')
      }
      contents.push(restore(NAME, message, { role: models ? 'model' : 'user', parts }))
      open = runs === undefined ? undefined : { parts, index, runs }
    }
  }
  return { ...instruction.wire(), contents: withPlaceholders(contents, context) }
}

/** Gathers the leading instructions: the first one that says something is joined by the others. */
function createInstruction({ losses }: EncodeContext): {
  add(message: Message, index: number, parts: readonly WirePart[]): void
  wire(): Pick<GenaiRequest, 'systemInstruction'>
} {
  const gathered: WirePart[] = []
  let first: { readonly message: Message; readonly index: number } | undefined
  return {
    add(message, index, parts) {
      const reason = 'genai has one system instruction'
      if (message.role === 'developer') losses.changed(['messages', index, 'role'], 'system', reason)
      if (first !== undefined) {
        if (message.extras?.[NAME] !== undefined) losses.dropped(['messages', index, 'extras', NAME], reason)
        losses.merged(['messages', index], ['messages', first.index], reason)
      }
      first ??= { message, index }
      gathered.push(...parts)
    },
    wire: () => (first === undefined ? {} : { systemInstruction: restore(NAME, first.message, { parts: gathered }) }),
  }
}

function leadingInstructions(messages: readonly Message[]): number {
  const first = messages.findIndex((message) => message.role !== 'system' && message.role !== 'developer')
  return first < 0 ? messages.length : first
}

/** The parts of the model, where a reader sees pieces in a row as one. */
function encodeModelTurn({ parts, index }: Turn, runs: Runs, context: EncodeContext, pairs: Pairs): WirePart[] {
  const { losses } = context
  const wires: WirePart[] = []
  for (let place = 0; place < parts.length; place++) {
    const part = parts[place]
    if (part === undefined) break
    losses.enter('messages', index)
    losses.enter('parts', place)
    const allowed = isOfModel(part)
    const wire = allowed ? encodePart(part, runs.joins(part), context, pairs) : undefined
    if (!allowed) losses.dropped([], `genai has no ${part.type} in a turn of the model`)
    losses.leave()
    losses.leave()
    if (wire === undefined) continue
    runs.add(wire, part, place, index)
    wires.push(wire)
  }
  return wires
}

function pathOfPart(index: number, owner: number): Path {
  return ['messages', owner, 'parts', index]
}

function encodeTurn(turn: Turn, context: EncodeContext, pairs: Pairs, allowed: (part: Part) => boolean): WirePart[] {
  const wires: WirePart[] = []
  const moved: Moved[] = []
  eachPart(turn, context.losses, (part, place) => {
    const wire = allowed(part) ? encodePart(part, false, context, pairs) : undefined
    if (wire !== undefined) wires.push(wire)
    else if (!allowed(part)) context.losses.dropped([], `genai has no ${part.type} in a ${turn.message.role} turn`)
    if (part.type === 'tool-result' && movesMedia(context)) moved.push(...encodeMoved(part, turn, place, context))
  })
  for (const { wire, from } of moved) {
    wires.push(wire)
    context.losses.moved(from, ['messages', turn.index, 'parts'], 'the results of this upstream hold no media')
  }
  return wires
}

interface Moved {
  readonly wire: WirePart
  readonly from: Path
}

/** The media of a result, for the turn that it stands in. The losses stand at the result. */
function encodeMoved(part: ToolResult, turn: Turn, place: number, context: EncodeContext): Moved[] {
  const [message, at] = turn.origins?.[place] ?? [turn.index, place]
  return (part.output.parts ?? []).flatMap((inner, index) => {
    if (inner.type !== 'media') return []
    context.losses.enterIn('output', 'parts', index)
    const wire = encodeMedia(inner, context)
    context.losses.leave()
    return wire === undefined ? [] : [{ wire, from: ['messages', message, 'parts', at, 'output', 'parts', index] }]
  })
}

const isText = (part: Part) => part.type === 'text'
const isOfUser = (part: Part) => part.type !== 'tool-call' && part.type !== 'reasoning'
const isOfModel = (part: Part) => part.type !== 'tool-result' && part.type !== 'search-hit'

/** What the issuer documents for calls whose signature was lost: without one, it refuses the first call of a turn. */
const PLACEHOLDER = 'skip_thought_signature_validator'

type Turned = {
  readonly role: 'user' | 'model'
  readonly parts: WirePart[]
}

function withPlaceholders(contents: Turned[], { dialect }: EncodeContext): WireContent[] {
  if (dialect?.['signatures'] !== 'required') return contents
  return contents.map((content) => {
    const first = content.parts.findIndex((part) => part.functionCall !== undefined)
    const signed = (part: WirePart, index: number) =>
      index === first && part.thoughtSignature === undefined ? { ...part, thoughtSignature: PLACEHOLDER } : part
    return { ...content, parts: content.parts.map(signed) }
  })
}

function encodeSafety(request: Request, { losses }: EncodeContext): GenaiRequest['safetySettings'] {
  if (request.safety === undefined) return undefined
  const settings = request.safety.filter((setting, index) => {
    if (findProblem(safetySetting, setting) === undefined) return true
    losses.dropped(['safety', index], 'genai has no such safety setting')
    return false
  })
  const kept = settings as NonNullable<GenaiRequest['safetySettings']> // they fit the schema
  return kept.length === 0 && request.safety.length > 0 ? undefined : kept
}

function encodeCached({ cachedContent }: Request, { losses }: EncodeContext): { cachedContent?: string } {
  if (cachedContent === undefined) return {}
  if (cachedContent.issuer === ISSUER) return { cachedContent: cachedContent.name }
  losses.dropped(['cachedContent'], 'cached by another issuer')
  return {}
}

function reportUnsaid(request: Request, { losses }: EncodeContext): void {
  for (const key of ['metadata', 'routing'] as const)
    if (request[key] !== undefined) losses.dropped([key], `genai has no ${key}`)
  const { stream, usage, hideReasoning } = request.delivery
  if (hideReasoning !== undefined) losses.dropped(['delivery', 'hideReasoning'], 'genai shows what it is asked to show')
  if (stream && usage === undefined) losses.added(['delivery', 'usage'], true, 'genai streams end with usage')
  else if (stream && !usage) losses.changed(['delivery', 'usage'], true, 'genai streams end with usage')
  else if (!stream && usage !== undefined)
    losses.dropped(['delivery', 'usage'], 'only streams have a choice about usage')
}
