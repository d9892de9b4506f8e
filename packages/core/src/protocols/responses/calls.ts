import { readArguments } from '../../ir/tool.ts'
import { keep, keptWord, known, restore, unknownOf } from '../../ir/extras.ts'
import { NO_LOSSES, type Losses } from '../../ir/loss.ts'
import { withoutMedia } from '../../ir/unsupported-part.ts'
import type { Pairs } from '../../ir/pairs.ts'
import type { Part, SearchHit, ToolCall, ToolResult } from '../../ir/part.ts'
import { openId, sealId } from '../../ir/seal.ts'
import { isPlainText } from '../../ir/turns.ts'
import { defined, type Draft } from '../../lib/members.ts'
import { isObject, listOf, objectOf, optionalString, stringOf, type JsonObject } from '../../lib/json.ts'
import { nameInside, partsOfName } from '../../lib/names.ts'
import { sha256 } from '../../lib/sha256.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { DecodeContext, Encoding } from '../context.ts'
import { decodeContent, decodePart, encodePart, plain } from './content.ts'
import { FORMS, TABLES } from './members.ts'
import { knownItem, unknownOfItem } from './item-facts.ts'
import {
  customCall,
  customOutput,
  functionCall,
  functionOutput,
  NAME,
  webSearchCall,
  type Item,
  type ItemOf,
  type WirePart,
  type WireTool,
} from './schema.ts'
import { encodeTypedCall, encodeTypedResult, FOUND, kindOf, resultTypeOf } from './typed-calls.ts'

type WireCall = ItemOf<'function_call' | 'custom_tool_call'>
type WireOutput = ItemOf<'function_call_output' | 'custom_tool_call_output'>

export function decodeCall(wire: WireCall, context: DecodeContext): ToolCall {
  const custom = wire.type === 'custom_tool_call'
  const name = nameInside(optionalString(wire.namespace), stringOf(wire.name))
  const { id, seal } = openId(stringOf(wire.call_id))
  const call: Draft<ToolCall> = {
    type: 'tool-call',
    id,
    name: context.names?.back(name) ?? name,
    arguments: stringOf(custom ? wire.input : wire.arguments),
    by: 'client',
  }
  if (custom) call.custom = true
  if (typeof wire.id === 'string') call.item = wire.id
  if (seal !== undefined) call.seal = seal
  return keep(call, NAME, unknownOfItem(wire, custom ? CUSTOM_CALL : CALL))
}

const CALL = knownItem(functionCall)
const CUSTOM_CALL = knownItem(customCall)

/** A call of the client's tools. The losses are those of the call. */
export function encodeCall(
  part: ToolCall,
  itemId: (prefix: string) => string | undefined,
  losses: Losses,
  context: Encoding,
  pairs: Pairs,
): Item {
  const { custom } = part
  const callId = sentId(part, pairs, context)
  if (part.id === undefined) losses.added(['id'], callId, 'responses calls have an id')
  else if (part.id !== callId) losses.changed(['id'], callId, 'each call has its own id, of 64 characters at most')
  reportUnsupported(part, TABLES.part['tool-call'], losses, context)
  const sealed = context.toward === 'client' ? sealId(callId, part.seal) : callId
  if (context.toward === 'client' && part.seal !== undefined && sealed === callId)
    losses.dropped(['seal'], 'it is too long for the id of a call')
  const kind = kindOf(part, context)
  if (kind !== undefined) return encodeTypedCall(part, kind, sealed, losses, context)
  const { namespace, name } = partsOfName(context.names?.out(part.name) ?? part.name)
  const text = typeof part.arguments === 'string' ? part.arguments : JSON.stringify(part.arguments)
  // Each member by its name: a loop over all of them would cost more.
  const wire: Draft<JsonObject> = { type: custom ? 'custom_tool_call' : 'function_call' }
  const id = itemId(custom ? 'ctc' : 'fc')
  if (id !== undefined) wire['id'] = id
  wire['call_id'] = sealed
  wire['name'] = name
  if (namespace !== undefined) wire['namespace'] = namespace
  if (custom) wire['input'] = text
  else wire['arguments'] = text === '' ? '{}' : text
  if (context.toward === 'client') wire['status'] = 'completed'
  return restore(NAME, part, wire) as WireCall // of one of these types
}

/** The longest id that OpenAI takes. */
const LONGEST_ID = 64

/** The id of a call, or of the call that a result answers. A long one is hashed: cut ones could be equal. */
function sentId(part: ToolCall | ToolResult, pairs: Pairs, { toward }: Encoding): string {
  const id = pairs.distinctId(part)
  return toward === 'client' || id.length <= LONGEST_ID ? id : `call_${sha256(id).slice(0, 48)}`
}

/** `custom`: the ids of the calls of custom tools before it. If they say something else than its type, that is kept. */
export function decodeResult(wire: WireOutput, custom: ReadonlySet<string>): ToolResult {
  const result: Draft<ToolResult> = {
    type: 'tool-result',
    output: { parts: decodeContent(wire.output) },
    by: 'client',
  }
  if (wire.call_id != null) result.callId = openId(wire.call_id).id
  if (wire.name != null) result.name = wire.name
  if (wire.id != null) result.item = wire.id
  const isFunction = wire.type === 'function_call_output'
  const rest = unknownOfItem(wire, isFunction ? OUTPUT : CUSTOM_OUTPUT)
  const isOdd = custom.has(stringOf(wire.call_id)) === isFunction
  return keep(result, NAME, isOdd ? { ...rest, type: wire.type } : rest)
}

const OUTPUT = knownItem(functionOutput)
const CUSTOM_OUTPUT = knownItem(customOutput)

export function encodeResult(
  part: ToolResult,
  custom: boolean,
  found: (callId: string | undefined) => readonly WireTool[],
  losses: Losses,
  context: Encoding,
  pairs: Pairs,
): Item {
  const call_id = sentId(part, pairs, context)
  if (part.callId === undefined) losses.added(['callId'], call_id, 'responses results name their call')
  else if (part.callId !== call_id)
    losses.changed(['callId'], call_id, 'each call has its own id, of 64 characters at most')
  const typed = resultTypeOf(part)
  if (typed !== undefined) {
    reportUnsupported(part, FORMS.typedResult, losses, context)
    return encodeTypedResult(part, typed, call_id, typed === FOUND ? found(part.callId) : [], losses, context)
  }
  reportUnsupported(part, TABLES.part['tool-result'], losses, context)
  const isOwn = part.item?.startsWith('fc') === true || part.item?.startsWith('ctc') === true
  if (part.item !== undefined && !isOwn) losses.dropped(['item'], OWN_IDS)
  const type = keptWord(part, NAME, 'type') ?? (custom ? 'custom_tool_call_output' : 'function_call_output')
  const output = plainOutput(part) ?? plain(encodeOutput(part, losses, context))
  const wire = isOwn && part.item !== undefined ? { type, id: part.item, call_id, output } : { type, call_id, output }
  return restore(NAME, part, wire) as WireOutput // of one of these types
}

export const OWN_IDS = 'responses takes back only ids of its own items'

/** The output of most tools, which needs no report. */
function plainOutput({ output }: ToolResult): string | undefined {
  const part = 'json' in output || output.parts.length !== 1 ? undefined : output.parts[0]
  return part?.type === 'text' && part.text !== '' && isPlainText(part) ? part.text : undefined
}

function encodeOutput(part: ToolResult, losses: Losses, context: Encoding): WirePart[] {
  const { output } = part
  if (!('json' in output))
    return output.parts.flatMap(
      (each, index) => encodePart(each, losses.at('output').at('parts', index), context) ?? [],
    )
  const lost: number[] = []
  const media = (output.parts ?? []).flatMap((each, index) => {
    const wire = encodePart(each, NO_LOSSES, context)
    if (wire === undefined) lost.push(index)
    return wire ?? []
  })
  const parts: WirePart[] = [{ type: 'input_text', text: JSON.stringify(output.json) }, ...media]
  // A reader gets what was written, decoded again: the losses of the inner parts are included.
  losses.changed(
    ['output'],
    { parts: parts.map(decodePart) },
    withoutMedia('responses results are text and media', lost),
  )
  return parts
}

/** A search by the upstream: the call, and its result if the sources are listed. Undefined for other actions. */
export function decodeSearch(wire: ItemOf<'web_search_call'>): readonly Part[] | undefined {
  const { id, status, action } = wire
  if (!isObject(action) || action.type !== 'search' || typeof id !== 'string' || unknownOf(wire, SEARCH) !== undefined)
    return undefined
  const { query, queries, sources } = action
  if (!listOf(sources).every((source) => isObject(source) && (source.type ?? 'url') === 'url')) return undefined
  const call: ToolCall = {
    type: 'tool-call',
    id,
    name: SEARCH_NAME,
    arguments: defined({ query, queries }) as JsonObject, // parsed JSON
    by: 'server',
  }
  const kept = status === undefined || status === 'completed' || status === 'failed' ? undefined : { status }
  const found = listOf(sources).map((source): SearchHit => {
    const hit = defined({ type: 'search-hit' as const, url: optionalString(objectOf(source).url) })
    return keep(hit, NAME, unknownOf(source, SOURCE))
  })
  const result: ToolResult = { type: 'tool-result', callId: id, by: 'server', output: { parts: found } }
  const parts: Part[] = [keep(call, NAME, kept)]
  if (status === 'failed') parts.push({ ...result, failed: true })
  else if (sources != null) parts.push(result)
  return parts
}

const SEARCH = known(webSearchCall)
const SOURCE = new Map([
  ['type', null],
  ['url', null],
])
const SEARCH_NAME = 'web_search'

/** Whether a call is a search that responses can show. Upstreams take back only their own. */
export function isSearch(part: Part, { toward }: Encoding): part is ToolCall {
  if (part.type !== 'tool-call' || part.by !== 'server' || part.name !== SEARCH_NAME) return false
  return toward === 'client' || part.id?.startsWith('ws_') === true
}

/** The search with its result, which is the next part of the turn if there is one. */
export function encodeSearch(
  call: ToolCall,
  result: ToolResult | undefined,
  losses: Losses,
  resultLosses: Losses,
  context: Encoding,
): Item {
  const id = call.id ?? `ws_${context.id()}`
  if (call.id === undefined) losses.added(['id'], id, 'responses calls have an id')
  reportUnsupported(call, FORMS.search, losses, context)
  const given = typeof call.arguments === 'string' ? readArguments(call.arguments).value : call.arguments
  const { query, queries } = given
  const asked = defined({
    query: typeof query === 'string' ? query : undefined,
    queries: Array.isArray(queries) && queries.every((each) => typeof each === 'string') ? queries : undefined,
  })
  if (Object.keys(given).length !== Object.keys(asked).length || typeof call.arguments === 'string')
    losses.changed(['arguments'], asked, 'responses shows what was searched for')
  const sources = result === undefined ? undefined : encodeSources(result, resultLosses, context)
  const isFailed = result?.failed !== undefined
  return restore(NAME, call, {
    type: 'web_search_call',
    id,
    status: isFailed ? 'failed' : (keptWord(call, NAME, 'status') ?? 'completed'),
    action: defined({ type: 'search', ...asked, sources: isFailed ? undefined : sources }),
  }) // of this kind
}

function encodeSources(result: ToolResult, losses: Losses, context: Encoding): JsonObject[] {
  reportUnsupported(result, FORMS.searchResult, losses, context)
  if (typeof result.failed === 'string') losses.changed(['failed'], true, 'responses has no code for it')
  if ('json' in result.output) losses.changed(['output'], { parts: [] }, 'responses lists sources')
  const hits = result.output.parts ?? []
  return hits.flatMap((hit, index) => {
    const at = losses.at('output').at('parts', index)
    if (result.failed !== undefined || hit.type !== 'search-hit' || hit.url === undefined || 'json' in result.output) {
      if (!('json' in result.output)) at.dropped([], 'responses lists the addresses of sources')
      return []
    }
    reportUnsupported(hit, FORMS.source, at, context)
    return [restore(NAME, hit, { type: 'url', url: hit.url })]
  })
}
