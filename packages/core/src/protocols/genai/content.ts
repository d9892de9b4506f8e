import { leftover, restore } from '../../ir/extras.ts'
import type { Pairs } from '../../ir/pairs.ts'
import type { Part, Text } from '../../ir/part.ts'
import { isObject } from '../../lib/json.ts'
import type { DecodeContext, EncodeContext } from '../protocol.ts'
import { decodeCall, decodeResult, encodeCall, encodeResult, hitText } from './calls.ts'
import { decodeMedia, encodeMedia } from './media.ts'
import { decodeSeal, decodeThought, encodeSeal, encodeThought } from './reasoning.ts'
import { NAME, type WirePart } from './schema.ts'

/** One part of the wire to one of ours. */
export function decodePart(wire: WirePart, context: DecodeContext): Part {
  const plain = plainText(wire)
  if (plain !== undefined && wire.thought !== true) return { type: 'text', text: plain }
  const { thoughtSignature, ...data } = wire
  const { seal, rest } = decodeSeal(thoughtSignature, context)
  const bare: WirePart = rest === undefined ? data : { ...data, thoughtSignature: rest as string } // a placeholder stays where it is
  const sealed = seal === undefined ? {} : { seal }
  const { text, functionCall, functionResponse, executableCode, codeExecutionResult } = bare
  if (typeof text === 'string' || (Object.keys(data).length === 0 && seal !== undefined))
    return decodeText(bare, sealed)
  if (isObject(functionCall)) return decodeCall(bare, sealed, context)
  if (isObject(functionResponse)) return decodeResult(bare, sealed, context, (inner) => decodePart(inner, context))
  if (isObject(bare.inlineData) || isObject(bare.fileData)) {
    const media = decodeMedia(bare, seal)
    if (media !== undefined) return media
  }
  if (isObject(executableCode) || isObject(codeExecutionResult)) {
    const code = decodeCode(bare, sealed)
    if (code !== undefined) return code
  }
  return { type: 'opaque', protocol: NAME, value: wire as Extract<Part, { type: 'opaque' }>['value'] } // parsed JSON
}

/** The text of a part that says nothing else: most parts. */
export function plainText(wire: WirePart): string | undefined {
  for (const key in wire) if (key !== 'text' && key !== 'thought') return undefined
  return typeof wire.text === 'string' ? wire.text : undefined
}

type Sealed = Pick<Part, 'seal'>

function decodeText(wire: WirePart, { seal }: Sealed): Part {
  const { text = '', thought, ...rest } = wire
  if (thought === true) return decodeThought(text, seal, rest)
  return { type: 'text', text, ...(seal === undefined ? {} : { seal }), ...leftover(NAME, rest) }
}

function decodeCode(wire: WirePart, sealed: Sealed): Part | undefined {
  const { executableCode, codeExecutionResult, ...rest } = wire
  if (executableCode !== undefined) {
    const { language, code, ...inner } = executableCode
    if (typeof language !== 'string' || typeof code !== 'string') return undefined
    const left = Object.keys(inner).length === 0 ? rest : { ...rest, executableCode: inner }
    return { type: 'code', language, text: code, ...sealed, ...leftover(NAME, left) }
  }
  const { outcome, output = '', ...inner } = codeExecutionResult ?? { outcome: undefined }
  if (typeof outcome !== 'string' || typeof output !== 'string') return undefined
  const left = Object.keys(inner).length === 0 ? rest : { ...rest, codeExecutionResult: inner }
  return { type: 'code-output', outcome, text: output, ...sealed, ...leftover(NAME, left) }
}

/** One part to its wire, or nothing, reported. `joins`: see `continues`. The losses stand at the part. */
export function encodePart(part: Part, joins: boolean, context: EncodeContext, pairs: Pairs): WirePart | undefined {
  switch (part.type) {
    case 'text':
      return encodeText(part, context)
    case 'reasoning':
      return undressed(part, encodeThought(part, joins, context), context)
    case 'tool-call':
      return undressed(part, encodeCall(part, context), context)
    case 'tool-result':
      return undressed(part, encodeResult(part, context, pairs), context)
    case 'media':
      return encodeMedia(part, context)
    case 'code':
    case 'code-output':
      return undressed(part, encodeCode(part, context), context)
    case 'search-hit':
      return sayAsText(hitText(part), 'genai has no search results', context)
    case 'refusal':
      return sayAsText(part.text, 'genai has no refusals', context)
    case 'opaque':
      if (part.protocol === NAME) return part.value // one of our own parts, of a kind not known here
      context.losses.dropped([], `a part that only ${part.protocol} knows`)
      return undefined
    default:
      return part satisfies never
  }
}

/** What no part of this protocol has. The losses stand at the part. */
function undressed(part: Part, wire: WirePart | undefined, { losses }: EncodeContext): WirePart | undefined {
  if (wire === undefined) return undefined
  if (part.cache !== undefined) losses.dropped(['cache'], 'genai has no cache marks')
  if (part.item !== undefined) losses.dropped(['item'], 'genai has no output items')
  return wire
}

/** An empty text goes out only for the seal it carries. Citations stand beside the parts of an answer, never in a request. */
function encodeText(part: Text, context: EncodeContext): WirePart | undefined {
  const { losses } = context
  if (part.text !== '' && isPlain(part)) return { text: part.text }
  const signed = part.seal !== undefined && (context.toward === 'client' || part.seal.issuer === context.issuer)
  if (part.text === '' && !signed) {
    losses.dropped([], 'an empty text is refused')
    return undefined
  }
  if (part.citations !== undefined && context.toward === 'upstream')
    losses.dropped(['citations'], 'genai takes no citations back')
  return undressed(part, restore(NAME, part, { text: part.text, ...encodeSeal(part, context) }), context)
}

/** Nothing but its words: most texts. */
function isPlain(part: Text): boolean {
  for (const member in part) if (member !== 'type' && member !== 'text') return false
  return true
}

function encodeCode(part: Extract<Part, { type: 'code' | 'code-output' }>, context: EncodeContext): WirePart {
  const wire: WirePart =
    part.type === 'code'
      ? { executableCode: { language: part.language, code: part.text } }
      : { codeExecutionResult: { outcome: part.outcome, output: part.text } }
  return restore(NAME, part, { ...wire, ...encodeSeal(part, context) })
}

/** A part without a form of its own, in words. The losses stand at the part. */
function sayAsText(text: string, reason: string, { losses }: EncodeContext): WirePart | undefined {
  if (text === '') {
    losses.dropped([], 'an empty text is refused')
    return undefined
  }
  losses.changed([], { type: 'text', text }, reason)
  return { text }
}

/** Pieces of one text are one text to a reader of an answer, and empty ones are nothing: streams have no other boundaries. */
export function joinParts(parts: readonly Part[]): Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const before = joined.at(-1)
    if (isNothing(part)) continue
    if (before === undefined || !continues(before, part)) joined.push(part)
    else
      joined.splice(-1, 1, {
        ...before,
        text: textOf(before) + textOf(part),
        ...(part.seal === undefined ? {} : { seal: part.seal }),
      } as Part) // text or reasoning
  }
  return joined
}

/** A text goes on until it is sealed; a piece with leftovers begins another. */
export function continues(before: Part, part: Part): boolean {
  return (
    isGrowing(before) && before.type === part.type && before.seal === undefined && part.extras?.[NAME] === undefined
  )
}

export function isNothing(part: Part): boolean {
  return isGrowing(part) && textOf(part) === '' && part.seal === undefined && part.extras?.[NAME] === undefined
}

export function isGrowing(part: Part): boolean {
  return part.type === 'text' || part.type === 'reasoning'
}

function textOf(part: Part): string {
  return part.type === 'text' || part.type === 'reasoning' ? part.text : ''
}
