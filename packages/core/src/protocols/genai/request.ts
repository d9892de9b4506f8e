import { leftover, nest, restore } from '../../ir/extras.ts'
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
import { decodePart, encodePart } from './content.ts'
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
    messages: [
      ...decodeInstruction(systemInstruction, context),
      ...contents.map((content) => decodeContent(content, context)),
    ],
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

function decodeContent(wire: WireContent, context: DecodeContext): Message {
  const { role, parts, ...rest } = wire
  return {
    role: role === 'model' ? 'assistant' : 'user',
    parts: parts.map((part) => decodePart(part, context)),
    ...leftover(NAME, rest),
  }
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
  const instructions: WirePart[] = []
  const contents: WireContent[] = []
  let first: Message | undefined // the first instruction that says something: the others join it
  let base = 0
  for (const turn of arrangeTurns(request.messages, losses)) {
    const { message, index } = turn
    const instructs = message.role === 'system' || message.role === 'developer'
    if (message.name !== undefined) losses.dropped(['messages', index, 'name'], 'genai turns have no names')
    const parts = encodeTurn(
      turn,
      context,
      pairs,
      instructs && index < lead ? isText : message.role === 'assistant' ? isOfModel : isOfUser,
    )
    if (parts.length === 0) {
      losses.dropped(['messages', index], 'an empty turn is refused')
      continue
    }
    if (index < lead) {
      if (message.role === 'developer')
        losses.changed(['messages', index, 'role'], 'system', 'genai has one system instruction')
      if (first !== undefined) {
        if (message.extras?.[NAME] !== undefined)
          losses.dropped(['messages', index, 'extras', NAME], 'genai has one system instruction')
        losses.merged(['messages', index], ['messages', base], 'genai has one system instruction')
      } else base = index
      first ??= message
      instructions.push(...parts)
      continue
    }
    if (instructs) losses.changed(['messages', index, 'role'], 'user', 'genai has instructions at the start only')
    contents.push(restore(NAME, message, { role: message.role === 'assistant' ? 'model' : 'user', parts }))
  }
  return {
    ...(first === undefined ? {} : { systemInstruction: restore(NAME, first, { parts: instructions }) }),
    contents,
  }
}

function leadingInstructions(messages: readonly Message[]): number {
  const first = messages.findIndex((message) => message.role !== 'system' && message.role !== 'developer')
  return first < 0 ? messages.length : first
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
  return withPlaceholder(wires, context)
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

function withPlaceholder(parts: WirePart[], { dialect }: EncodeContext): WirePart[] {
  if (dialect?.['signatures'] !== 'required') return parts
  const first = parts.findIndex((part) => part.functionCall !== undefined)
  return parts.map((part, index) =>
    index === first && part.thoughtSignature === undefined ? { ...part, thoughtSignature: PLACEHOLDER } : part,
  )
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
