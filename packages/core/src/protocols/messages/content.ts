import { known, restore, unknownOf } from '../../ir/extras.ts'
import { NO_LOSSES, type Losses } from '../../ir/loss.ts'
import { lostPart, textOfPart, transcriptOf } from '../../ir/unsupported-part.ts'
import type { Pairs } from '../../ir/pairs.ts'
import type { Part, SearchHit, Text } from '../../ir/part.ts'
import { unwrap, type Seal } from '../../ir/seal.ts'
import { defined, type Draft } from '../../lib/members.ts'
import { listOf, stringOf, type Json, type JsonObject } from '../../lib/json.ts'
import { keepMarked } from '../cache-control.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { DecodeContext, Encoding } from '../context.ts'
import { mark } from './cache.ts'
import { decodeCall, decodeResult, decodeSearch, encodeCall, encodeResult } from './calls.ts'
import { decodeCitations, encodeCitations } from './citations.ts'
import { decodeMedia, encodeMedia, nestable } from './media.ts'
import { TABLES } from './members.ts'
import {
  carriedSeal,
  carrierOf,
  carryInThinking,
  decodeReasoning,
  encodeReasoning,
  sealOfNextCall,
} from './reasoning.ts'
import { NAME, searchResultBlock, textBlock, type Block, type BlockOf } from './schema.ts'

/** Content to parts. Blocks that only carry the seal of their neighbor are merged into it. */
export function decodeContent(content: string | readonly Block[] | null | undefined, context: DecodeContext): Part[] {
  if (content === null || content === undefined || content === '') return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  const parts: Part[] = []
  const behind: Part[] = []
  let forNext: Seal | undefined
  let forCall: Seal | undefined
  for (const block of listOf(content)) {
    const carrier = block.type === 'redacted_thinking' ? unwrap(block.data, context.issuer) : undefined
    if (carrier?.target === 'next') {
      forNext = carrier.seal
    } else if (carrier?.target === 'behind') {
      const part = decodeBlock(block, context)
      behind.push(carrier.seal === undefined ? part : { ...part, seal: carrier.seal })
    } else if (carrier?.target === 'previous') {
      const last = parts.pop()
      if (last !== undefined) parts.push(carrier.seal === undefined ? last : { ...last, seal: carrier.seal })
    } else {
      const part = decodeBlock(block, context)
      const seal = forNext ?? (part.type === 'tool-call' ? forCall : undefined)
      parts.push(seal === undefined ? part : { ...part, seal })
      forNext = undefined
      if (part.type === 'tool-call') forCall = undefined
      else forCall = sealOfNextCall(block, context.issuer) ?? forCall
      for (const each of behind.splice(0)) parts.push(each)
    }
  }
  for (const each of behind) parts.push(each)
  return parts
}

/** One block to one part; also the starts of streamed blocks. */
export function decodeBlock(block: Block, context: DecodeContext): Part {
  switch (block.type) {
    case 'text':
      return decodeText(block, context)
    case 'tool_use':
    case 'server_tool_use':
      return decodeCall(block, context)
    case 'tool_result':
      return decodeResult(block, (content) => decodeContent(content, context))
    case 'thinking':
    case 'redacted_thinking':
      return decodeReasoning(block, context)
    case 'image':
    case 'document':
      return decodeMedia(block, (content) => decodeContent(content, context)) ?? opaque(block)
    case 'search_result':
      return decodeSearchResult(block, decodeContent(block.content as Block[], context)) // checked all the way down
    case 'web_search_tool_result':
      return decodeSearch(block, context) ?? opaque(block)
    default:
      block satisfies never
      return opaque(block)
  }
}

/** A block of an unknown kind, or with something of an unknown kind in it, complete. A reference to a tool says its name. */
function opaque(block: Block): Part {
  const value = block as JsonObject // parsed JSON
  const words = value['tool_name']
  return { type: 'opaque', protocol: NAME, value, ...(typeof words === 'string' && words !== '' && { words }) }
}

/** Parts to blocks. The losses are those of their owner. */
export function encodeParts(parts: readonly Part[], losses: Losses, context: Encoding, pairs: Pairs): Block[] {
  const blocks: Block[] = []
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]
    if (part === undefined) break
    encodePart(part, blocks, losses.at('parts', index), context, pairs)
  }
  return blocks
}

/** One part to its block, and to the blocks that carry its seal. */
export function encodePart(part: Part, blocks: Block[], losses: Losses, context: Encoding, pairs: Pairs): void {
  const block = encodeBlock(part, losses, context, pairs)
  if (block === undefined) return
  if (isText(part)) return void blocks.push(block)
  const carried = part.seal === undefined ? undefined : carriedSeal(part, context)
  const inThinking = carried !== undefined && part.type === 'tool-call' && carryInThinking(carried, blocks)
  if (carried !== undefined && !inThinking) blocks.push(carrierOf(carried, 'next'))
  blocks.push(block)
}

/** It is written as text, which replaces all of it. */
function isText(part: Part): boolean {
  const { type } = part
  return type === 'refusal' || type === 'code' || type === 'code-output' || transcriptOf(part) !== undefined
}

export const EMPTY_TEXT = 'an empty text block is refused'

/** One part to its block. */
export function encodeBlock(part: Part, losses: Losses, context: Encoding, pairs: Pairs): Block | undefined {
  switch (part.type) {
    case 'text':
      return encodeText(part, losses, context)
    case 'tool-call':
      return encodeCall(part, losses, context, pairs)
    case 'tool-result':
      return encodeResult(part, losses, context, pairs, encodeInner, (content) => decodeContent(content, context))
    case 'reasoning':
      return encodeReasoning(part, losses, context)
    case 'media':
      if (transcriptOf(part) !== undefined) return encodeAsText(part, losses, context)
      return encodeMedia(part, losses, context, encodeInner)
    case 'search-hit':
      return encodeSearchResult(part, losses, context)
    case 'refusal':
    case 'code':
    case 'code-output':
      return encodeAsText(part, losses, context)
    case 'opaque':
      if (part.protocol === NAME) {
        reportUnsupported(part, TABLES.part.opaque, losses, context)
        return part.value as Block // one of our own blocks, of an unknown kind
      }
      losses.dropped([], lostPart(part, NAME))
      return undefined
    default:
      return part satisfies never
  }
}

function decodeText(block: BlockOf<'text'>, context: DecodeContext): Text {
  const { text, citations } = block
  const part: Draft<Text> = { type: 'text', text: stringOf(text) }
  let rest = unknownOf(block, TEXT)
  if (citations != null) {
    const decoded = decodeCitations(citations, context)
    if (decoded === undefined) rest = { ...rest, citations: citations as Json } // an unknown kind
    else part.citations = decoded
  }
  return keepMarked(part, NAME, block, rest)
}

const TEXT = known(textBlock)

function encodeText(part: Text, losses: Losses, context: Encoding): Block | undefined {
  if (part.text === '') {
    losses.dropped([], EMPTY_TEXT)
    return undefined
  }
  reportUnsupported(part, TABLES.part.text, losses, context)
  const block: Draft<BlockOf<'text'>> = { type: 'text', text: part.text }
  if (part.citations !== undefined) {
    const citations = encodeCitations(part.citations, losses, context)
    if (citations.length > 0 || part.citations.length === 0) block.citations = citations
  }
  return restore(NAME, part, mark(block, part, losses, context))
}

/** A part without an equivalent block, as text. */
function encodeAsText(part: Part, losses: Losses, context: Encoding): Block | undefined {
  const text = textOfPart(part) ?? transcriptOf(part) ?? ''
  const block = encodeText({ type: 'text', text }, losses, context)
  if (block === undefined) return undefined
  const marked = mark(block as BlockOf<'text'>, part, NO_LOSSES, context) // of a text
  const cache = marked.cache_control == null ? {} : { cache: part.cache }
  const what = part.type === 'media' ? part.kind : part.type
  losses.changed([], { type: 'text', text, ...cache }, `messages has no ${what} blocks`)
  return marked
}

function decodeSearchResult(block: BlockOf<'search_result'>, parts: Part[]): SearchHit {
  const { source: url, title, citations } = block
  const hit = defined({ type: 'search-hit' as const, url, title, parts, cite: citations?.enabled })
  return keepMarked(hit, NAME, block, unknownOf(block, SEARCH_RESULT))
}

const SEARCH_RESULT = known(searchResultBlock)

function encodeSearchResult(part: SearchHit, losses: Losses, context: Encoding): Block {
  const { url: source = null, title = null, cite, parts } = part
  reportUnsupported(part, TABLES.part['search-hit'], losses, context)
  if (parts === undefined) losses.added(['parts'], [], 'messages search results have content')
  const content = encodeInner(parts ?? [], losses, context)
  const citable = cite === undefined ? {} : { citations: { enabled: cite } }
  const block: BlockOf<'search_result'> = { type: 'search_result', source, title, content, ...citable }
  return restore(NAME, part, mark(block, part, losses, context))
}

/** Parts inside a part: only some kinds are allowed there. The losses are those of the owner of the list. */
export function encodeInner(parts: readonly Part[], losses: Losses, context: Encoding): Block[] {
  const blocks: Block[] = []
  const inside: Encoding = context.toward === 'upstream' ? context : { ...context, toward: 'upstream' }
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]
    if (part === undefined) continue
    const at = losses.at('parts', index)
    if (nestable(part)) encodePart(part, blocks, at, inside, NO_PAIRS)
    else at.dropped([], lostPart(part, NAME))
  }
  return blocks
}

const NO_PAIRS: Pairs = { id: () => '', distinctId: () => '', name: () => undefined }
