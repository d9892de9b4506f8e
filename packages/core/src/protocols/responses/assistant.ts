import { keep, known, unknownOf, withoutMember } from '../../ir/extras.ts'
import type { Media, Part } from '../../ir/part.ts'
import type { Seal } from '../../ir/seal.ts'
import { defined } from '../../lib/members.ts'
import { listOf, optionalString, type JsonObject } from '../../lib/json.ts'
import { standardBase64 } from '../../lib/base64.ts'
import type { DecodeContext } from '../context.ts'
import { decodeCall, decodeSearch } from './calls.ts'
import { decodeCode } from './code.ts'
import { decodeContent } from './content.ts'
import { knownItem, unknownOfItem } from './item-facts.ts'
import { decodeReasoning, openReasoning, REASONING } from './reasoning.ts'
import { decodeTypedCall } from './typed-calls.ts'
import { imageCall, message, NAME, type Item, type ItemOf, type WireMessage } from './schema.ts'

/** Output items to the parts of one turn. Items that only carry the seal of a neighbor are merged into it. */
export function decodeItems(items: readonly Item[], context: DecodeContext): Part[] {
  const parts: Part[] = []
  let forNext: Seal | undefined
  for (let index = 0; index < items.length; index++) {
    const item = items[index]
    if (item === undefined) break
    const opened = item.type === 'reasoning' ? openReasoning(item, context) : undefined
    if (opened?.target === 'next') forNext = opened.seal
    else if (opened?.target === 'previous') {
      const last = parts.pop()
      if (last !== undefined) parts.push(opened.seal === undefined ? last : { ...last, seal: opened.seal })
    } else {
      for (const part of decodeItem(item, index, context)) {
        parts.push(forNext === undefined ? part : { ...part, seal: forNext })
        forNext = undefined
      }
    }
  }
  return parts
}

/** One item to its parts. Parts of an item without an id have its position instead. */
export function decodeItem(item: Item, index: number, context: DecodeContext): readonly Part[] {
  switch (item.type) {
    case 'reasoning': {
      const unknown = unknownOfItem(item, REASONING)
      // Only some upstreams give reasoning a status.
      const { status } = item as JsonObject // parsed JSON
      const rest = context.caller === NAME && status !== undefined ? { ...unknown, status } : unknown
      const count = listOf(item.summary).length + listOf(item.content).length
      // Thoughts always name their item: without one, they are the summary of another client.
      const isMany = count > 1 || listOf(item.content).length > 0
      const parts = decodeReasoning(item, itemOf(item, isMany ? 2 : 1, index), context)
      return parts.length === 0 ? [opaque(item)] : withItem(parts, rest)
    }
    case 'function_call':
    case 'custom_tool_call':
      return [decodeCall(item, context)]
    case 'web_search_call':
      return decodeSearch(item) ?? [opaque(item)]
    case 'code_interpreter_call':
      return decodeCode(item) ?? [opaque(item)]
    case 'image_generation_call':
      return [decodeImage(item, context) ?? opaque(item)]
    default:
      return isMessage(item) ? decodeMessage(item, index) : [decodeTypedCall(item) ?? opaque(item)]
  }
}

/** The type of a message may be absent. */
export function isMessage(item: Item): item is WireMessage {
  return (item.type === undefined || item.type === 'message') && 'role' in item
}

/** What the assistant says: its parts are those of one item. */
function decodeMessage(wire: WireMessage, index: number): readonly Part[] {
  const parts = decodeContent(wire.content)
  if (parts.length === 0) return [opaque(wire)]
  const isMany = parts.length > 1 || parts[0]?.type === 'opaque'
  const item = itemOf(wire, isMany ? 2 : 1, index)
  return withItem(item === undefined ? parts : parts.map((part) => ({ ...part, item })), unknownOfItem(wire, MESSAGE))
}

export const MESSAGE = knownItem(message)

/** The id of an item. Several parts of one without an id are still together. */
function itemOf({ id }: { readonly id?: string | null | undefined }, count: number, index: number): string | undefined {
  return optionalString(id) ?? (count > 1 ? `${NUMBERED}${index}` : undefined)
}

/** Begins the name of an item without an id. */
export const NUMBERED = '#'

/** The first part has what its item says about itself. */
function withItem(parts: readonly Part[], item: JsonObject | undefined): readonly Part[] {
  if (item === undefined) return parts
  const [first, ...others] = parts
  if (first === undefined) return parts
  return [{ ...first, extras: { ...first.extras, [NAME]: { ...first.extras?.[NAME], item } } }, ...others]
}

function opaque(item: object): Part {
  return { type: 'opaque', protocol: NAME, value: item as JsonObject } // parsed JSON
}

/** An image that the model has drawn. Undefined if it has none. */
function decodeImage(wire: ItemOf<'image_generation_call'>, { caller }: DecodeContext): Media | undefined {
  const { result, id, status, output_format: format } = wire as ItemOf<'image_generation_call'> & JsonObject // parsed JSON
  if (typeof result !== 'string') return undefined
  const mime = `image/${typeof format === 'string' ? format : 'png'}`
  const source = { kind: 'base64' as const, mime, data: standardBase64(result) }
  // A client of the same protocol gets the format also where it is the default.
  const unknown = unknownOf(wire, IMAGE)
  const rest = caller === NAME ? unknown : withoutMember(unknown, 'output_format')
  const kept = status === undefined || status === 'completed' || status === 'incomplete' ? rest : { ...rest, status }
  return keep(defined({ type: 'media', kind: 'image', source, item: optionalString(id) }), NAME, kept)
}

const IMAGE = known(imageCall)
