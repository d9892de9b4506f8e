import { objectArguments } from '../../ir/arguments.ts'
import { leftover, nest, restore, unknownOf } from '../../ir/extras.ts'
import { NO_LOSSES } from '../../ir/loss.ts'
import type { Pairs } from '../../ir/pairs.ts'
import type { Part, SearchHit, ToolCall, ToolResult } from '../../ir/part.ts'
import { openId, sealId, unwrap } from '../../ir/seal.ts'
import type { Draft } from '../../lib/draft.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { DecodeContext, EncodeContext } from '../protocol.ts'
import { decodeCache, encodeCache, putCache, takeCache } from './cache.ts'
import type { DecodeInner, EncodeInner } from './media.ts'
import { NAME, type Block, type BlockOf } from './schema.ts'

export function decodeCall(block: BlockOf<'tool_use' | 'server_tool_use'>, context: DecodeContext): ToolCall {
  const { type, id: sealed, name, input, cache_control } = block
  const { id, seal } = openId(sealed)
  const call: Draft<ToolCall> = {
    type: 'tool-call',
    id,
    name: type === 'tool_use' ? (context.names?.back(name) ?? name) : name,
    arguments: (input ?? {}) as JsonObject, // parsed JSON
    by: type === 'tool_use' ? 'client' : 'server',
  }
  if (seal !== undefined) call.seal = seal
  let rest = unknownOf(block, CALL)
  if (cache_control != null) rest = takeCache(cache_control, call, rest)
  if (rest !== undefined) call.extras = { [NAME]: rest }
  return call
}

const CALL = new Set(['type', 'id', 'name', 'input', 'cache_control'])

/** The losses stand at the part. */
export function encodeCall(part: ToolCall, context: EncodeContext, pairs: Pairs): Block {
  const { losses } = context
  const id = pairs.id(part)
  if (part.id === undefined) losses.added(['id'], id, 'messages calls have an id')
  const input = objectArguments(part, NAME, losses)
  if (part.custom) losses.dropped(['custom'], 'messages tools take JSON')
  const block: Draft<BlockOf<'tool_use' | 'server_tool_use'>> = {
    type: part.by === 'client' ? 'tool_use' : 'server_tool_use',
    id: context.toward === 'client' ? sealId(id, part.seal) : id,
    name: part.by === 'client' ? (context.names?.out(part.name) ?? part.name) : part.name,
    input,
  }
  if (part.cache !== undefined) putCache(block, part, context)
  return restore(NAME, part, block)
}

export function decodeResult(block: BlockOf<'tool_result'>, inner: DecodeInner): ToolResult {
  const { tool_use_id, content, is_error, cache_control } = block
  const result: Draft<ToolResult> = {
    type: 'tool-result',
    callId: openId(tool_use_id).id,
    output: { parts: inner(content as string | Block[]) }, // checked all the way down
    by: 'client',
  }
  if (is_error) result.failed = true
  let rest = unknownOf(block, RESULT)
  if (cache_control != null) rest = takeCache(cache_control, result, rest)
  if (rest !== undefined) result.extras = { [NAME]: rest }
  return result
}

const RESULT = new Set(['type', 'tool_use_id', 'content', 'is_error', 'cache_control'])

/** The results of the upstream's own web search, or why it failed. */
export function decodeSearch(block: BlockOf<'web_search_tool_result'>, context: DecodeContext): ToolResult {
  const { type, tool_use_id, content, cache_control, ...rest } = block
  const cache = decodeCache(cache_control)
  const shared = { type: 'tool-result', callId: openId(tool_use_id).id, by: 'server', ...cache.mark } as const
  if (Array.isArray(content)) {
    const parts = content.map((hit): SearchHit => {
      const { type, url, title, encrypted_content, page_age, ...rest } = hit
      const { seal } = unwrap(encrypted_content, context.issuer)
      const age = page_age == null ? {} : { age: page_age }
      return {
        type: 'search-hit',
        url,
        title,
        ...age,
        ...(seal === undefined ? {} : { seal }),
        ...leftover(NAME, rest),
      }
    })
    return { ...shared, output: { parts }, ...leftover(NAME, nest(rest, 'cache_control', cache.rest)) }
  }
  const { type: kind, error_code, ...errorRest } = content
  const left = nest(nest(rest, 'cache_control', cache.rest), 'content', errorRest)
  return { ...shared, output: { parts: [] }, failed: error_code, ...leftover(NAME, left) }
}

/** The losses stand at the part. */
export function encodeResult(
  part: ToolResult,
  context: EncodeContext,
  pairs: Pairs,
  inner: EncodeInner,
  read: DecodeInner,
): Block | undefined {
  const { losses } = context
  if (part.by === 'server') return encodeSearch(part, context, pairs)
  const id = pairs.id(part)
  if (part.callId === undefined) losses.added(['callId'], id, 'messages results name their call')
  if (part.name !== undefined) losses.dropped(['name'], 'messages results are matched by id')
  if (typeof part.failed === 'string') losses.changed(['failed'], true, 'messages results have no error code')
  const content = encodeOutput(part, context, inner, read)
  const block: Draft<BlockOf<'tool_result'>> = { type: 'tool_result', tool_use_id: id }
  if (content.length > 0) block.content = plain(content)
  if (part.failed !== undefined) block.is_error = true
  if (part.cache !== undefined) putCache(block, part, context)
  return restore(NAME, part, block)
}

function encodeOutput(part: ToolResult, context: EncodeContext, inner: EncodeInner, read: DecodeInner): Block[] {
  const { output } = part
  if (!('json' in output)) return inner('output', output.parts, context)
  const said = [{ type: 'text' as const, text: JSON.stringify(output.json) }, ...(output.parts ?? [])]
  const blocks = inner('output', said, { ...context, losses: NO_LOSSES })
  // What a reader gets is what was written, read again: the losses of the inner parts are within it.
  context.losses.changed(['output'], { parts: read(blocks) }, 'messages results are text and media')
  return blocks
}

function encodeSearch(part: ToolResult, context: EncodeContext, pairs: Pairs): Block | undefined {
  const { losses } = context
  const { output, failed } = part
  const code = typeof failed === 'string' ? failed : undefined
  if ('json' in output || (failed === true && code === undefined)) {
    losses.dropped([], 'messages has no such server result')
    return undefined
  }
  const id = pairs.id(part)
  if (part.callId === undefined) losses.added(['callId'], id, 'messages results name their call')
  if (part.name !== undefined) losses.dropped(['name'], 'messages results are matched by id')
  const wire = { type: 'web_search_tool_result' as const, tool_use_id: id, ...encodeCache(part, context) }
  if (code !== undefined) {
    for (const index of output.parts.keys())
      losses.dropped(['output', 'parts', index], 'a failed search has no results')
    return restore(NAME, part, { ...wire, content: { type: 'web_search_tool_result_error', error_code: code } })
  }
  const content = output.parts.flatMap((hit, index) => encodeHit(hit, index, context) ?? [])
  return restore(NAME, part, { ...wire, content })
}

type WireHit = Extract<BlockOf<'web_search_tool_result'>['content'], readonly unknown[]>[number]

function encodeHit(part: Part, index: number, context: EncodeContext): WireHit | undefined {
  const { losses } = context
  const at = ['output', 'parts', index]
  const whole = part.type === 'search-hit' && part.url !== undefined && part.title !== undefined
  if (!whole || part.seal === undefined || part.seal.issuer !== context.issuer) {
    losses.dropped(at, 'encrypted search content does not cross protocols')
    return undefined
  }
  for (const member of ['parts', 'cite', 'cache', 'item'] as const) {
    if (part[member] !== undefined) losses.dropped([...at, member], `messages search hits have no ${member}`)
  }
  const { url = '', title = '', age } = part
  const page_age = age === undefined ? {} : { page_age: age }
  return restore(NAME, part, { type: 'web_search_result', url, title, encrypted_content: part.seal.value, ...page_age })
}

/** One plain text block is a string. */
export function plain(blocks: readonly Block[]): string | Block[] {
  const [first, second] = blocks
  if (first?.type === 'text' && second === undefined && Object.keys(first).length === 2) return first.text
  return [...blocks]
}
