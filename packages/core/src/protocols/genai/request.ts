import { keep, keepExtras, keptWord, known, nest, restore, unknownOf, withoutMember } from '../../ir/extras.ts'
import { reportForeign } from '../../ir/foreign-extras.ts'
import { groupSeals } from '../../ir/reasoning.ts'
import { guessRole, reportStreamUsage, type Message, type Delivery, type ModelRequest } from '../../ir/request.ts'
import { pairCalls, type Pairs } from '../../ir/pairs.ts'
import { NO_LOSSES, type Losses, type Path } from '../../ir/loss.ts'
import { mediaInside } from '../../ir/unsupported-part.ts'
import type { Part, ToolResult } from '../../ir/part.ts'
import { arrangeTurns, encodeBeside, leadingInstructions, plainTextOf, type Beside, type Turn } from '../../ir/turns.ts'
import { createReader } from '../../lib/grammar/reader.ts'
import type { Draft } from '../../lib/members.ts'
import { isEmpty, type JsonObject } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { DecodeContext, EncodeContext, Encoding } from '../context.ts'
import { movesMedia } from './calls.ts'
import { createRuns, type Runs } from './citations.ts'
import { appendPart, decodePart, decodeParts, encodePart, joinParts } from './content.ts'
import { encodeMedia } from './media.ts'
import { TABLES } from './members.ts'
import { openBundles } from './open-bundles.ts'
import { encodePlaceholder, FOREIGN, isForeign } from './reasoning.ts'
import {
  content as wireContent,
  genaiRequest,
  ISSUER,
  NAME,
  safetySetting,
  type GenaiRequest,
  type WireContent,
  type WirePart,
} from './schema.ts'
import { decodeGeneration, encodeGeneration } from './settings.ts'
import { encodeTier } from '../tier-words.ts'
import { TIERS } from './usage.ts'
import { decodeToolConfig, decodeTools, encodeToolConfig, encodeTools } from './tools.ts'

/** The model, and whether to stream, are in the path. */
export function decodeRequest(wire: GenaiRequest, context: DecodeContext): ModelRequest {
  const { contents, systemInstruction, tools, toolConfig, safetySettings, cachedContent, generationConfig } = wire
  const { choice, rest: configRest } = decodeToolConfig(toolConfig, context)
  const { settings, reasoning, output, rest: generationRest } = decodeGeneration(generationConfig ?? {})
  const messages = decodeContents(contents, context)
  const parts = decodeParts(systemInstruction?.parts ?? [], context)
  if (systemInstruction !== undefined && parts.length > 0)
    messages.unshift(keep({ role: 'system', parts }, NAME, unknownOf(systemInstruction, CONTENT))) // its role has no meaning
  const request: Draft<ModelRequest> = {
    model: context.path?.model ?? '',
    messages,
    settings,
    delivery: decodeDelivery(context.path?.stream),
  }
  if (tools !== undefined && tools.length > 0) request.tools = decodeTools(tools, context)
  if (choice !== undefined) request.toolChoice = choice
  if (reasoning !== undefined) request.reasoning = reasoning
  if (output !== undefined) request.output = output
  if (safetySettings !== undefined) request.safety = safetySettings as readonly JsonObject[] // parsed JSON
  if (cachedContent !== undefined) request.cachedContent = { issuer: ISSUER, name: cachedContent }
  const rest = unknownOf(wire, REQUEST)
  const tier = TIERS.get(rest?.['serviceTier']) // one with an unknown word stays with the other unknown members
  if (tier !== undefined) request.serviceTier = tier
  const others = withoutMember(rest, tier && 'serviceTier') ?? {}
  const left = nest(nest(others, 'toolConfig', configRest), 'generationConfig', generationRest)
  return Object.assign(request, keepExtras(NAME, left))
}

const REQUEST = known(genaiRequest, { apart: ['systemInstruction', 'toolConfig', 'generationConfig'] })

/** Its streams always end with usage. */
function decodeDelivery(stream: boolean | undefined): Delivery {
  return stream === undefined ? {} : stream ? { stream, usage: true } : { stream }
}

export const CONTENT = known(wireContent)

/** Clients keep the chunks of a stream separately: consecutive turns of the model are one. */
function decodeContents(contents: readonly WireContent[], context: DecodeContext): Message[] {
  const messages: Message[] = []
  let open: Part[] | undefined // the last turn of the model
  for (const content of contents) {
    const parts = decodeParts(content.parts, context)
    const { role = 'user' } = content
    const isKnown = ROLES.has(role)
    const others = unknownOf(content, CONTENT)
    const rest = isKnown ? others : { ...others, role }
    const models = isKnown ? role === 'model' : guessRole(role, parts.some(NOT_ALLOWED.user)) === 'assistant'
    if (parts.length === 0 && rest === undefined) continue
    if (models && rest === undefined && open !== undefined) {
      for (const part of parts) appendPart(open, part)
      continue
    }
    open = models ? joinParts(parts) : undefined
    const message: Draft<Message> = { role: models ? 'assistant' : 'user', parts: open ?? parts }
    if (rest !== undefined) message.extras = { [NAME]: rest }
    messages.push(message)
  }
  return messages.map(withOwnSeals)
}

const ROLES: ReadonlySet<string> = new Set(['user', 'model', 'function'])

/** A turn of the model with its seals where they belong. */
function withOwnSeals(message: Message): Message {
  if (message.role !== 'assistant') return message
  const parts = openBundles(message.parts)
  return parts === message.parts ? message : { ...message, parts }
}

export function encodeRequest(request: ModelRequest, context: EncodeContext): GenaiRequest {
  const { losses } = context
  const { tools, toolChoice, cachedContent } = request
  const wire: Draft<GenaiRequest> = encodeMessages(request, losses, context)
  const declared = tools === undefined ? [] : encodeTools(tools, losses, context)
  if (declared.length > 0) wire.tools = declared
  if (toolChoice !== undefined) {
    const callable = declared.some((tool) => tool.functionDeclarations !== undefined)
    const toolConfig = callable ? encodeToolConfig(toolChoice, losses.at('toolChoice'), context) : undefined
    if (!callable) losses.dropped(['toolChoice'], 'there are no functions')
    if (toolConfig !== undefined) wire.toolConfig = toolConfig
  }
  if (request.safety !== undefined) encodeSafety(request.safety, wire, losses)
  if (cachedContent?.issuer === ISSUER) wire.cachedContent = cachedContent.name
  else if (cachedContent !== undefined) losses.dropped(['cachedContent'], 'cached by another issuer')
  const generationConfig = encodeGeneration(request, losses, context)
  if (!isEmpty(generationConfig)) wire.generationConfig = generationConfig
  const tier = encodeTier(request.serviceTier, TIERS, NAME, losses)
  if (tier !== undefined) wire.serviceTier = tier
  reportUnsupported(request, TABLES.request, losses, context)
  reportUnsupported(request.delivery, TABLES.delivery, losses.at('delivery'), context)
  reportStreamUsage(request.delivery, NAME, losses.at('delivery'))
  reportForeign(request, NAME, losses)
  return restore(NAME, request, wire)
}

/** A turn on the wire, and its first message. */
interface WireTurn {
  readonly kind: 'system' | 'user' | 'model'
  readonly message: Message
  readonly index: number
  readonly parts: WirePart[]
  called: boolean
}

/** Leading instructions are the system instruction; later ones stay in place as user text. */
function encodeMessages(
  { messages }: ModelRequest,
  losses: Losses,
  context: Encoding,
): Pick<GenaiRequest, 'contents' | 'systemInstruction'> {
  const pairs = pairCalls(messages)
  const runs = createRuns(losses, context, pathOfPart)
  const lead = leadingInstructions(messages)
  const turns: WireTurn[] = []
  for (const turn of arrangeTurns(messages, losses)) {
    const { message, index } = turn
    const kind = index < lead ? 'system' : message.role === 'assistant' ? 'model' : 'user'
    const open = openTurn(turns, kind, message)
    const run = runs.open
    if (open === undefined) runs.open = undefined
    const parts = encodeTurn(turn, kind, open, runs, losses, context, pairs)
    if (parts.length === 0) {
      runs.open = run
      losses.dropped(['messages', index], 'an empty turn is refused')
      continue
    }
    const role = kind === 'model' ? 'assistant' : kind
    if (message.role !== role) losses.changed(['messages', index, 'role'], role, 'genai has one instruction, in front')
    const called = kind === 'model' && parts.some(isCall)
    if (open === undefined) turns.push({ kind, message, index, parts, called })
    else {
      open.called ||= called
      if (message.extras !== undefined) losses.dropped(['messages', index, 'extras'], 'it is one turn in genai')
      losses.merged(['messages', index], ['messages', open.index], 'it is one turn in genai')
      for (const part of parts) open.parts.push(part)
    }
  }
  const [first, ...others] = turns
  if (first?.kind !== 'system') return { contents: turns.map(contentOf) }
  const systemInstruction = restore(NAME, first.message, { parts: first.parts })
  return { systemInstruction, contents: others.map(contentOf) }
}

function contentOf({ kind, message, parts }: WireTurn): WireContent {
  return restore(NAME, message, { role: keptWord(message, NAME, 'role') ?? (kind === 'model' ? kind : 'user'), parts })
}

/** The turn that a message continues: instructions are one, and so are consecutive turns of the model. */
function openTurn(turns: readonly WireTurn[], kind: WireTurn['kind'], message: Message): WireTurn | undefined {
  const last = turns.at(-1)
  if (last?.kind !== kind || kind === 'user') return undefined
  return kind === 'system' || message.extras?.[NAME] === undefined ? last : undefined
}

function pathOfPart(index: number, owner: number): Path {
  return ['messages', owner, 'parts', index]
}

function encodeTurn(
  turn: Turn,
  kind: WireTurn['kind'],
  open: WireTurn | undefined,
  runs: Runs,
  losses: Losses,
  context: Encoding,
  pairs: Pairs,
): WirePart[] {
  const text = kind === 'user' ? plainTextOf(turn) : undefined
  if (text !== undefined) return [{ text }]
  const { message, parts, index, origins } = turn
  const own = losses.at('messages', index)
  reportUnsupported(message, TABLES.message, own, context)
  const moves = movesMedia(context)
  const moved: Moved[] = []
  const beside: Beside[] = []
  let seals: ReturnType<typeof groupSeals> | undefined
  const addInside = (owner: Part) => {
    for (const part of mediaInside(owner)) beside.push({ part, reason: 'genai has no media in documents' })
  }
  let unsigned = context.dialect?.['signatures'] === 'required' && open?.called !== true
  const wires = parts.map((part, position) => {
    const origin = origins?.[position]
    const owner = origin === undefined ? index : origin[0]
    const at = origin === undefined ? position : origin[1]
    let wire: WirePart | undefined
    const scope = (owner === index ? own : losses.at('messages', owner)).at('parts', at)
    if (NOT_ALLOWED[kind](part)) scope.dropped([], `genai has no ${part.type} in a turn of the ${kind}`)
    else if (part.type === 'reasoning' && isForeign((seals ??= groupSeals(parts))[position], context))
      scope.dropped([], FOREIGN)
    else wire = encodePart(part, runs.joins(part), scope, context, pairs)
    if (unsigned && wire !== undefined && isCall(wire)) {
      if (wire.thoughtSignature === undefined) wire = encodePlaceholder(wire, part, scope)
      unsigned = false
    }
    if (kind === 'user') addInside(part)
    if (moves && part.type === 'tool-result') {
      for (const each of encodeMoved(part, pathOfPart(at, owner), scope, context)) moved.push(each)
      part.output.parts?.forEach(addInside)
    }
    if (wire !== undefined && kind === 'model') runs.add(wire, part, scope, at, owner)
    return wire
  })
  // Most turns: nothing is moved, and no list is copied.
  if (beside.length === 0 && moved.length === 0) return wires.every(isWritten) ? wires : wires.filter(isWritten)
  for (const { from } of moved)
    losses.moved(from, ['messages', index, 'parts'], 'the results of this upstream hold no media')
  const added = encodeBeside(
    beside,
    turn,
    losses,
    (part) => encodeMedia(part, NO_LOSSES, context),
    (wire) => decodePart(wire, context),
  )
  const first = parts.length - (turn.moved ?? 0)
  const sent = (from: number, to?: number) => wires.slice(from, to).filter(isWritten)
  // Parts that were moved to the end of the turn come after the added media.
  return [...sent(0, first), ...added, ...sent(first), ...moved.map(({ wire }) => wire)]
}

function isWritten(wire: WirePart | undefined): wire is WirePart {
  return wire !== undefined
}

/** Some models refuse a turn whose first call is not signed. */
function isCall(wire: WirePart): boolean {
  return wire.functionCall !== undefined
}

/** Parts that are not allowed in such a turn. */
const NOT_ALLOWED: { readonly [Kind in WireTurn['kind']]: (part: Part) => boolean } = {
  system: ({ type }) => type !== 'text',
  user: ({ type }) => type === 'tool-call' || type === 'reasoning',
  model: ({ type }) => type === 'tool-result' || type === 'search-hit',
}

interface Moved {
  readonly wire: WirePart
  readonly from: Path
}

/** The media of a result, for its turn. `path` leads to the result from the request. */
function encodeMoved({ output }: ToolResult, path: Path, losses: Losses, context: Encoding): Moved[] {
  return (output.parts ?? []).flatMap((inner, index) => {
    if (inner.type !== 'media') return []
    const wire = encodeMedia(inner, losses.at('output').at('parts', index), context)
    return wire === undefined ? [] : [{ wire, from: [...path, 'output', 'parts', index] }]
  })
}

const SAFETY = createReader(safetySetting)

function encodeSafety(safety: readonly JsonObject[], wire: Draft<GenaiRequest>, losses: Losses): void {
  const settings = safety.filter((setting, index) => {
    const known = SAFETY.fits(setting)
    if (!known) losses.dropped(['safety', index], 'genai has no such safety setting')
    return known
  })
  if (settings.length > 0 || safety.length === 0)
    wire.safetySettings = settings as NonNullable<GenaiRequest['safetySettings']> // they fit the schema
}
