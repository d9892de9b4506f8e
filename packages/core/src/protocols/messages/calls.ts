import { objectArguments } from '../../ir/tool.ts'
import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import { NO_LOSSES, type Losses } from '../../ir/loss.ts'
import { withoutMedia } from '../../ir/unsupported-part.ts'
import type { Pairs } from '../../ir/pairs.ts'
import type { Part, SearchHit, ToolCall, ToolResult } from '../../ir/part.ts'
import { openId, plainId, sealId, unwrap } from '../../ir/seal.ts'
import { defined, type Draft } from '../../lib/members.ts'
import type { JsonObject } from '../../lib/json.ts'
import { keepMarked } from '../cache-control.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { DecodeContext, Encoding } from '../context.ts'
import { mark } from './cache.ts'
import type { DecodeInner, EncodeInner } from './media.ts'
import { FORMS, TABLES } from './members.ts'
import {
  NAME,
  toolResultBlock,
  toolUseBlock,
  webSearchBlock,
  webSearchError,
  webSearchResult,
  type Block,
  type BlockOf,
  type WireHit,
} from './schema.ts'

export function decodeCall(block: BlockOf<'tool_use' | 'server_tool_use'>, context: DecodeContext): ToolCall {
  const { type, name, input } = block
  const { id, seal } = openId(block.id)
  const call: Draft<ToolCall> = {
    type: 'tool-call',
    id,
    name: type === 'tool_use' ? (context.names?.back(name) ?? name) : name,
    arguments: (input ?? {}) as JsonObject, // parsed JSON
    by: type === 'tool_use' ? 'client' : 'server',
  }
  if (seal !== undefined) call.seal = seal
  return keepMarked(call, NAME, block, unknownOf(block, CALL))
}

const CALL = known(toolUseBlock)

export function encodeCall(part: ToolCall, losses: Losses, context: Encoding, pairs: Pairs): Block {
  const id = writtenId(part, context, pairs)
  const client = part.by === 'client'
  reportId('id', part.id, id, losses)
  reportUnsupported(part, TABLES.part['tool-call'], losses, context)
  const block: Draft<BlockOf<'tool_use' | 'server_tool_use'>> = {
    type: client ? 'tool_use' : 'server_tool_use',
    id: plainId(context.toward === 'client' ? sealId(id, part.seal) : id),
    name: client ? (context.names?.out(part.name) ?? part.name) : part.name,
    input: objectArguments(part, NAME, losses),
  }
  return restore(NAME, part, mark(block, part, losses, context))
}

/** Upstreams refuse other ids of calls that they have run. */
const OF_SERVER = 'srvtoolu_'

function writtenId(part: ToolCall | ToolResult, { toward }: Encoding, pairs: Pairs): string {
  const id = pairs.distinctId(part)
  return part.by === 'client' || toward === 'client' || id.startsWith(OF_SERVER) ? id : OF_SERVER + id
}

const NO_ID = { id: 'messages calls have an id', callId: 'messages results name their call' } as const

function reportId(member: keyof typeof NO_ID, given: string | undefined, id: string, losses: Losses): void {
  if (given === undefined) losses.added([member], id, NO_ID[member])
  else if (given !== id) losses.changed([member], id, 'each call has its own id in messages')
}

export function decodeResult(block: BlockOf<'tool_result'>, inner: DecodeInner): ToolResult {
  const result: Draft<ToolResult> = {
    type: 'tool-result',
    callId: openId(block.tool_use_id).id,
    output: { parts: inner(block.content as string | Block[]) }, // checked all the way down
    by: 'client',
  }
  if (block.is_error) result.failed = true
  return keepMarked(result, NAME, block, unknownOf(block, RESULT))
}

const RESULT = known(toolResultBlock)

/** The results of the upstream's web search, or its error. Undefined if one of them is of an unknown kind. */
export function decodeSearch(block: BlockOf<'web_search_tool_result'>, context: DecodeContext): ToolResult | undefined {
  const { tool_use_id, content } = block
  const found = Array.isArray(content)
  if (found ? content.some(({ type }) => type !== HIT_TYPE) : content.type !== ERROR_TYPE) return undefined
  const result = defined({
    type: 'tool-result' as const,
    callId: openId(tool_use_id).id,
    by: 'server' as const,
    output: { parts: found ? content.map((hit) => decodeHit(hit, context)) : [] },
    failed: found ? undefined : content.error_code,
  })
  return keepMarked(result, NAME, block, unknownOf(block, SEARCH))
}

const HIT_TYPE = 'web_search_result'
const ERROR_TYPE = 'web_search_tool_result_error'
const SEARCH = known(webSearchBlock, { inside: { content: known(webSearchError) } })

function decodeHit(wire: WireHit, context: DecodeContext): SearchHit {
  const { url, title, encrypted_content, page_age: age } = wire
  const { seal } = unwrap(encrypted_content, context.issuer)
  return keep(defined({ type: 'search-hit' as const, url, title, age, seal }), NAME, unknownOf(wire, HIT))
}

const HIT = known(webSearchResult)

export function encodeResult(
  part: ToolResult,
  losses: Losses,
  context: Encoding,
  pairs: Pairs,
  inner: EncodeInner,
  read: DecodeInner,
): Block | undefined {
  const { output, failed } = part
  const server = part.by === 'server'
  if (server && ('json' in output || failed === true)) {
    losses.dropped([], 'messages has no such server result')
    return undefined
  }
  const id = writtenId(part, context, pairs)
  reportId('callId', part.callId, id, losses)
  reportUnsupported(part, TABLES.part['tool-result'], losses, context)
  if (server) return encodeSearch(part, id, losses, context)
  if (typeof failed === 'string') losses.changed(['failed'], true, 'messages results have no error code')
  const content = encodeOutput(part, losses, context, inner, read)
  const block: Draft<BlockOf<'tool_result'>> = { type: 'tool_result', tool_use_id: plainId(id) }
  if (content.length > 0) block.content = plain(content)
  if (failed !== undefined) block.is_error = true
  return restore(NAME, part, mark(block, part, losses, context))
}

function encodeOutput(
  part: ToolResult,
  losses: Losses,
  context: Encoding,
  inner: EncodeInner,
  read: DecodeInner,
): Block[] {
  const { output } = part
  if (!('json' in output)) return inner(output.parts, losses.at('output'), context)
  const parts = [{ type: 'text' as const, text: JSON.stringify(output.json) }, ...(output.parts ?? [])]
  const lost: number[] = []
  const blocks = parts.flatMap((each, index) => {
    const own = inner([each], NO_LOSSES, context)
    if (own.length === 0) lost.push(index - 1)
    return own
  })
  // A reader gets what was written, decoded again: the losses of the inner parts are included.
  losses.changed(['output'], { parts: read(blocks) }, withoutMedia('messages results are text and media', lost))
  return blocks
}

function encodeSearch(part: ToolResult, tool_use_id: string, losses: Losses, context: Encoding): Block {
  const { failed } = part
  const code = typeof failed === 'string' ? failed : undefined
  const hits: WireHit[] = []
  for (const [index, hit] of part.output.parts?.entries() ?? []) {
    const at = losses.at('output').at('parts', index)
    const wire = code === undefined ? encodeHit(hit, at, context) : undefined
    if (wire === undefined) at.dropped([], 'messages has only results that it found and encrypted itself')
    else hits.push(wire)
  }
  const content = code === undefined ? hits : ({ type: ERROR_TYPE, error_code: code } as const)
  const block: BlockOf<'web_search_tool_result'> = { type: 'web_search_tool_result', tool_use_id, content }
  return restore(NAME, part, mark(block, part, losses, context))
}

function encodeHit(part: Part, losses: Losses, context: Encoding): WireHit | undefined {
  if (part.type !== 'search-hit' || part.seal?.issuer !== context.issuer) return undefined
  const { url, title, age: page_age, seal } = part
  if (url === undefined || title === undefined) return undefined
  reportUnsupported(part, FORMS.foundHit, losses, context)
  const found = defined({ type: HIT_TYPE, url, title, encrypted_content: seal.value })
  const hit: WireHit = { ...found, page_age: page_age ?? null } // the official client has it always
  return restore(NAME, part, hit)
}

/** One plain text block is a string. */
export function plain(blocks: readonly Block[]): string | Block[] {
  const [first, second] = blocks
  if (first?.type === 'text' && second === undefined && Object.keys(first).length === 2) return first.text
  return [...blocks]
}
