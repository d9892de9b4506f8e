import { unknownOf } from '../../ir/extras.ts'
import { grow, streamedText } from '../../ir/fold.ts'
import type { Losses } from '../../ir/loss.ts'
import { lostPart } from '../../ir/unsupported-part.ts'
import type { Pairs } from '../../ir/pairs.ts'
import type { Code, CodeOutput, Part, Reasoning, Text } from '../../ir/part.ts'
import { isPlainText } from '../../ir/turns.ts'
import type { Draft } from '../../lib/members.ts'
import { isEmpty, isObject, type JsonObject } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { DecodeContext, Encoding } from '../context.ts'
import { decodeCall, decodeResult, encodeCall, encodeResult, hitText } from './calls.ts'
import { decodeMedia, encodeMedia } from './media.ts'
import { TABLES } from './members.ts'
import { decodeBeside, encodeBeside, encodeThought, knownPart } from './reasoning.ts'
import { NAME, type WirePart } from './schema.ts'

/** Parts of the wire to the IR. A part without members is ignored: Go's SDK writes an empty text like that. */
export function decodeParts(wires: readonly WirePart[], context: DecodeContext): Part[] {
  const parts: Part[] = []
  for (const wire of wires) if (!isEmpty(wire)) parts.push(decodePart(wire, context))
  return parts
}

/** One part of the wire to the IR. A part that no decoder knows is kept as a whole. */
export function decodePart(wire: WirePart, context: DecodeContext): Part {
  return (
    decodeText(wire, context) ??
    decodeCall(wire, context) ??
    decodeResult(wire, context, decodePart) ??
    decodeMedia(wire, context) ??
    decodeCode(wire, context) ?? { type: 'opaque', protocol: NAME, value: wire as JsonObject } // parsed JSON
  )
}

/** The text of a part with no other members: most parts. */
export function plainText(wire: WirePart): string | undefined {
  for (const key in wire) if (key !== 'text' && key !== 'thought') return undefined
  return typeof wire.text === 'string' ? wire.text : undefined
}

const TEXT = knownPart('text', 'thought')
const CODE = knownPart('executableCode')
const OUTPUT = knownPart('codeExecutionResult')

/** A text, reasoning, or only a seal, which belongs to an earlier text. Go's SDK leaves out an empty text. */
function decodeText(wire: WirePart, context: DecodeContext): Text | Reasoning | undefined {
  const plain = plainText(wire)
  const type = wire.thought === true ? 'reasoning' : 'text'
  if (plain !== undefined) return { type, text: plain }
  const { text } = wire
  const lacksContent = text === undefined && hasNoContent(wire)
  if (typeof text !== 'string' && !lacksContent) return undefined
  const part: Draft<Text | Reasoning> = { type, text: text ?? '' }
  decodeBeside(part, wire, unknownOf(wire, TEXT), context)
  if (lacksContent && part.type === 'text' && part.seal === undefined) return undefined
  if (part.type === 'reasoning' && part.text === '' && part.seal !== undefined) part.hidden = true
  return part
}

/** A seal without any other data. */
function hasNoContent(wire: WirePart): boolean {
  for (const key in wire) if (key !== 'thought' && key !== 'thoughtSignature') return false
  return true
}

function decodeCode(wire: WirePart, context: DecodeContext): Code | CodeOutput | undefined {
  const { executableCode, codeExecutionResult } = wire
  if (isObject(executableCode)) {
    const { language, code } = executableCode
    if (typeof language !== 'string' || typeof code !== 'string') return undefined
    return decodeBeside({ type: 'code', language, text: code }, wire, unknownOf(wire, CODE), context)
  }
  if (!isObject(codeExecutionResult)) return undefined
  const { outcome, output = '' } = codeExecutionResult
  if (typeof outcome !== 'string' || typeof output !== 'string') return undefined
  return decodeBeside({ type: 'code-output', outcome, text: output }, wire, unknownOf(wire, OUTPUT), context)
}

/** One part to its wire, or undefined and reported. `joins`: see `continues`. */
export function encodePart(
  part: Part,
  joins: boolean,
  losses: Losses,
  context: Encoding,
  pairs: Pairs,
): WirePart | undefined {
  switch (part.type) {
    case 'text':
      return encodeText(part, losses, context)
    case 'reasoning':
      return encodeThought(part, joins, losses, context)
    case 'tool-call':
      return encodeCall(part, losses, context)
    case 'tool-result':
      return encodeResult(part, losses, context, pairs, decodePart)
    case 'media':
      return encodeMedia(part, losses, context)
    case 'code':
      return encodeBeside(
        { executableCode: { language: part.language, code: part.text } },
        part,
        TABLES.part.code,
        losses,
        context,
      )
    case 'code-output':
      return encodeBeside(
        { codeExecutionResult: { outcome: part.outcome, output: part.text } },
        part,
        TABLES.part['code-output'],
        losses,
        context,
      )
    case 'search-hit':
      return encodeAsText(hitText(part), 'genai has no search results', losses)
    case 'refusal':
      return encodeAsText(part.text, 'genai has no refusals', losses)
    case 'opaque':
      if (part.protocol === NAME) {
        reportUnsupported(part, TABLES.part.opaque, losses, context)
        return part.value // one of our own parts, of an unknown kind
      }
      losses.dropped([], lostPart(part, NAME))
      return undefined
    default:
      return part satisfies never
  }
}

/** An empty text is written only for its seal. Citations are beside the parts of a response, never in a request. */
function encodeText(part: Text, losses: Losses, context: Encoding): WirePart | undefined {
  const { text, seal } = part
  if (text !== '' && isPlainText(part)) return { text }
  const signed = seal !== undefined && (context.toward === 'client' || seal.issuer === context.issuer)
  if (text === '' && !signed) return encodeAsText('', '', losses)
  return encodeBeside({ text }, part, TABLES.part.text, losses, context)
}

/** A part without an equivalent, as text. */
function encodeAsText(text: string, reason: string, losses: Losses): WirePart | undefined {
  if (text === '') losses.dropped([], 'an empty text is refused')
  else losses.changed([], { type: 'text', text }, reason)
  return text === '' ? undefined : { text }
}

/** Pieces of one text are one text to a reader of a response, and empty ones are ignored: streams have no other boundaries. */
export function joinParts(parts: Part[]): Part[] {
  const whole = parts.every((part, index) => {
    const before = parts[index - 1]
    return !isNothing(part) && (before === undefined || !continues(before, part))
  })
  if (whole) return parts
  const joined: Part[] = []
  for (const part of parts) appendPart(joined, part)
  return joined
}

/** Continues the last part, or begins another. */
export function appendPart(parts: Part[], part: Part): void {
  const before = parts.at(-1)
  if (isNothing(part)) return
  if (before === undefined || !continues(before, part)) return void parts.push(part)
  const joined = grow(before, streamedText(before) + streamedText(part))
  parts.splice(-1, 1, part.seal === undefined ? joined : { ...joined, seal: part.seal })
}

/** A text continues until it is sealed; a piece with extras begins another. */
export function continues(before: Part, part: Part): boolean {
  return (
    before.type === part.type && isStreamed(before) && before.seal === undefined && part.extras?.[NAME] === undefined
  )
}

export function isNothing(part: Part): boolean {
  return isStreamed(part) && part.text === '' && part.seal === undefined && part.extras?.[NAME] === undefined
}

export function isStreamed(part: Part): part is Text | Reasoning {
  return part.type === 'text' || part.type === 'reasoning'
}
