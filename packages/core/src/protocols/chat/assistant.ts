import { keep, keptWord, known, unknownOf } from '../../ir/extras.ts'
import { groupSeals } from '../../ir/reasoning.ts'
import type { Losses } from '../../ir/loss.ts'
import { guessRole, type Message, type Role } from '../../ir/request.ts'
import type { Pairs } from '../../ir/pairs.ts'
import type { Citation, Media, Part, Text } from '../../ir/part.ts'
import { transcriptOf } from '../../ir/unsupported-part.ts'
import type { Seal } from '../../ir/seal.ts'
import { eachPart, partPath, type Owner } from '../../ir/turns.ts'
import { defined, type Draft } from '../../lib/members.ts'
import { isEmpty, listOf, stringOf, type JsonObject } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { DecodeContext, Encoding } from '../context.ts'
import { createAudioReader, createAudioWriter, decodeAudio, type AudioReader, type AudioWriter } from './audio.ts'
import { decodeCall, encodeCall } from './calls.ts'
import { decodeCitations, encodeCitations, type Span } from './citations.ts'
import { decodeContent, EMPTY_TEXT, encodeAsText, encodePart, plain } from './content.ts'
import { historyDialect } from './dialect.ts'
import { FORMS, TABLES, takesImages } from './members.ts'
import { decodeImages, encodeImage, type WireImage } from './media.ts'
import { carrierOf, encodeDetail, encodeViews, placeReasoning } from './reasoning.ts'
import { answerMessage, type WireAnnotation, type WireAnswerMessage } from './answer-schema.ts'
import { functionCall, NAME, type WireDetail, type WireMessage, type WirePart, type WireToolCall } from './schema.ts'

/** The role that a message counts as. */
export function roleOf(wire: WireMessage): Role {
  const { role } = wire
  if (ROLES.has(role)) return role as Role // one of these
  return guessRole(role, (wire as WireAnswerMessage).tool_calls != null) // of an unknown role
}

const ROLES: ReadonlySet<string> = new Set<Role>(['user', 'assistant', 'system', 'developer'])

/** An unknown role is written as it came. */
export function ownRole(message: Message): string {
  return keptWord(message, NAME, 'role') ?? message.role
}

/** An assistant message, of a history or of a response. */
export function decodeAssistant(wire: WireAnswerMessage, context: DecodeContext): Draft<Message> {
  const { refusal, tool_calls, function_call, annotations } = wire
  const parts: Part[] = decodeContent(wire.content)
  const listed = listOf(annotations)
  const cited = listed.length === 0 || takeCitations(decodeCitations(listed), parts)
  const images = decodeImages(listOf(wire.images))
  for (const image of images ?? []) parts.push(image)
  if (stringOf(refusal) !== '') parts.push({ type: 'refusal', text: stringOf(refusal) })
  for (const call of listOf(tool_calls)) parts.push(decodeCall(call, context))
  if (function_call != null && !isNoCall(function_call)) {
    const { name, arguments: text } = function_call
    const call: Part = { type: 'tool-call', name, arguments: text, by: 'client' }
    parts.push(keep(call, NAME, unknownOf(function_call, FUNCTION)))
  }
  const audio = decodeAudio(wire.audio)
  if (audio !== undefined) parts.push(audio)
  const message: Draft<Message> = { role: 'assistant', parts: placeReasoning(wire, parts, context) }
  const unread = {
    images: images === undefined ? wire.images : undefined,
    audio: audio === undefined ? wire.audio : undefined,
  }
  const rest = defined(unread, unknownOf(wire, cited ? ASSISTANT : UNCITED)) as JsonObject // parsed JSON
  return keep(message, NAME, isEmpty(rest) ? undefined : rest)
}

/** Some upstreams send an empty call beside tool_calls. */
function isNoCall({ name, arguments: text }: NonNullable<WireAnswerMessage['function_call']>): boolean {
  return stringOf(name) === '' && stringOf(text) === ''
}

/** `function_call` has its own extras. */
const ASSISTANT = known(answerMessage, { apart: ['function_call', 'images', 'audio'] })
/** The members that are read if the annotations are kept unchanged. */
const UNCITED = known(answerMessage, { apart: ['function_call', 'images', 'audio'], unread: ['annotations'] })
const FUNCTION = known(functionCall)

/** Citations belong to the text. False if there is none, or if they are of an unknown kind. */
export function takeCitations(citations: readonly Citation[] | undefined, parts: Part[]): boolean {
  const first = parts.findIndex((part) => part.type === 'text')
  const text = parts[first]
  if (citations === undefined || text?.type !== 'text') return false
  if (citations.length > 0) parts[first] = { ...text, citations: [...(text.citations ?? []), ...citations] }
  return true
}

/** The wire form of one part in the message. */
interface Found {
  readonly kind: keyof typeof RANK_OF
  readonly index: number
  readonly detail?: WireDetail
  /** The seal of a response's single text, which follows it. */
  readonly seal?: Seal | undefined
}

const RANK_OF = { thought: 0, content: 0, drawn: 1, refused: 2, called: 3, spoken: 4 } as const

/**
 * An assistant message: chat has text, then images, a refusal, calls and audio; reasoning keeps its position by an index. `texts` says whether
 * the text may be a list of parts. Undefined if nothing of it can be expressed. The losses are those of the request or the response.
 */
export function encodeAssistant(
  owner: Owner,
  texts: 'one' | 'many',
  losses: Losses,
  context: Encoding,
  pairs: Pairs,
): WireAnswerMessage | undefined {
  const found: Found[] = []
  const content: WirePart[] = []
  const annotations: WireAnnotation[] = []
  const calls: WireToolCall[] = []
  const images: WireImage[] = []
  let audio: { readonly writer: AudioWriter; readonly spoken: AudioReader } | undefined // most turns have none
  let seals: readonly (Seal | undefined)[] | undefined
  let text = ''
  let refusal = ''
  const addContent = (part: Part, at: Losses, index: number) => {
    const first = text === ''
    if (part.type === 'text' && part.text !== '' && texts === 'one') {
      const span = { length: part.text.length, offset: text.length, base: 0 }
      for (const annotation of encodeOneText(part, span, first, at, context)) annotations.push(annotation)
      text += part.text
      found.push({ kind: 'content', index, seal: first ? part.seal : undefined })
      return
    }
    if (part.type === 'media') audio ??= { writer: createAudioWriter(context), spoken: createAudioReader() }
    const piece = part.type === 'media' ? audio?.writer.piece(part, at) : undefined
    if (piece !== undefined) {
      audio?.spoken.add(piece)
      return void found.push({ kind: 'spoken', index })
    }
    const image =
      part.type === 'media' && takesImages(context) ? encodeImage(part, images.length, at, context) : undefined
    if (image !== undefined) {
      images.push(image)
      return void found.push({ kind: 'drawn', index })
    }
    const wire = part.type === 'media' ? encodeTranscript(part, at) : encodePart(part, at, context)
    if (wire === undefined || (texts === 'one' && wire.type !== 'text')) return at.dropped([], ONLY_TEXT)
    if (wire.type === 'text') text += wire.text
    content.push(wire)
    found.push({ kind: 'content', index })
  }
  eachPart(owner, losses, (part, at, index) => {
    if (part.type === 'reasoning') {
      seals ??= groupSeals(owner.parts)
      const detail = encodeDetail(part, 0, at, context, seals[index])
      if (detail !== undefined) found.push({ kind: 'thought', index, detail })
    } else if (part.type === 'tool-call') {
      const call = encodeCall(part, at, context, pairs)
      if (call === undefined) return
      found.push({ kind: 'called', index })
      calls.push(call)
    } else if (part.type === 'refusal') {
      if (part.text === '') at.dropped([], EMPTY_TEXT)
      else found.push({ kind: 'refused', index })
      reportUnsupported(part, TABLES.part.refusal, at, context)
      refusal += part.text
    } else addContent(part, at, index)
  })
  if (found.length === 0) return owner.parts.length === 0 ? { content: '' } : undefined
  const details = placeDetails(orderFound(found, owner, losses, context), owner, texts, losses, context)
  const silent = calls.length > 0 || refusal !== '' || texts === 'one' ? null : ''
  const written = texts === 'one' ? text : plain(content)
  const wire: Draft<WireAnswerMessage> = { content: written === '' ? silent : written }
  if (refusal !== '') wire.refusal = refusal
  if (annotations.length > 0) wire.annotations = annotations
  if (images.length > 0) wire.images = images
  if (details.length > 0) encodeViews(wire, details, context)
  if (calls.length > 0) wire.tool_calls = calls
  if (audio?.spoken.audio() !== undefined) {
    audio.spoken.add(audio.writer.end())
    wire.audio = audio.spoken.audio()
  }
  return wire
}

export const ONLY_TEXT = 'chat assistants answer with text, images and audio'

export const ONE_AUDIO = 'chat has one audio'

/** Audio that chat cannot contain, as text. */
export function encodeTranscript(part: Media, losses: Losses): WirePart | undefined {
  const transcript = transcriptOf(part)
  return transcript === undefined ? undefined : encodeAsText(part, transcript, losses)
}

/** Moves the parts that chat writes later behind the others, if they are not there already. */
function orderFound(given: readonly Found[], owner: Owner, losses: Losses, context: Encoding): readonly Found[] {
  const { list = 'messages', index: message } = owner
  const move = (moved: readonly Found[], reason: string) => {
    for (const { index } of moved) losses.moved(partPath(owner, index), [list, message, 'parts'], reason)
  }
  let found = given
  if (historyDialect(context) !== undefined && given.some(({ kind }) => kind === 'thought')) {
    // Reasoning as plain text has no position: it is one text before everything else.
    const others = given.filter(({ kind }) => kind !== 'thought')
    if (given[0]?.kind !== 'thought') move(others, 'this upstream takes thoughts back first')
    found = [...given.filter(({ kind }) => kind === 'thought'), ...others]
  }
  if (isOrdered(found)) return found
  const first = found.filter(({ kind }) => RANK_OF[kind] === 0)
  const later = (['drawn', 'refused', 'called', 'spoken'] as const).flatMap((kind) =>
    found.filter((each) => each.kind === kind),
  )
  move(later, 'chat has text first, then images, a refusal, calls and audio')
  return [...first, ...later]
}

/** Reasoning may be at any position before audio. */
function isOrdered(found: readonly Found[]): boolean {
  let rank = 0
  for (const { kind } of found) {
    if (kind === 'thought' && rank < RANK_OF.spoken) continue
    if (RANK_OF[kind] < rank) return false
    rank = RANK_OF[kind]
  }
  return true
}

/** The entries of reasoning_details with their positions among the other parts. Adjacent entries that a reader cannot tell apart are reported as merged. */
function placeDetails(
  found: readonly Found[],
  owner: Owner,
  texts: 'one' | 'many',
  losses: Losses,
  context: Encoding,
): WireDetail[] {
  const firsts: { [Kind in Found['kind']]?: number } = {}
  const details: WireDetail[] = []
  let position = 0
  for (const { kind, index, detail, seal } of found) {
    const joins =
      kind === 'refused' ||
      kind === 'spoken' ||
      (kind === 'content' ? texts === 'one' : kind === 'thought' && historyDialect(context))
    const first = joins ? (firsts[kind] ??= index) : index
    if (detail !== undefined) details.push({ ...detail, index: position })
    if (first === index) position++
    else losses.merged(partPath(owner, index), partPath(owner, first), 'chat has one of these')
    if (seal !== undefined) details.push(carrierOf(seal, position))
  }
  return details
}

/** Reports what the single text of a response cannot express of this part. Returns its annotations. */
export function encodeOneText(
  part: Text,
  span: Span,
  first: boolean,
  losses: Losses,
  context: Encoding,
): WireAnnotation[] {
  const { seal, citations = [] } = part
  reportUnsupported(part, FORMS.answerText, losses, context)
  if (seal !== undefined && !first) losses.dropped(['seal'], 'chat has one text')
  if (part.citations?.length === 0) losses.dropped(['citations'], 'there are none')
  return encodeCitations(citations, span, losses, context)
}
