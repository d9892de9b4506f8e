import { isSealed, wrap } from '../../ir/seal.ts'
import { valueAt } from '../../lib/json-path.ts'
import type { Draft } from '../../lib/members.ts'
import { isEmpty, isObject, listOf, stringOf, type Json, type JsonObject } from '../../lib/json.ts'
import type { WireAnswerMessage } from './answer-schema.ts'
import type { WireDetail } from './schema.ts'

/** A message of a history whose client keeps reasoning in members of its own. */
export interface Echo {
  /** The message with that reasoning in `reasoning_details`, and the signatures of calls in `extra_content`. */
  readonly wire: WireAnswerMessage
  /** Where the message has the reasoning; absent if it has none. */
  readonly path?: readonly string[]
}

/**
 * Clients send back what they do not know of an answer in members of their own: LiteLLM in `provider_specific_fields` and
 * `thinking_blocks`, LangChain in `additional_kwargs`. Undefined for other messages, which are most.
 */
export function findEcho(wire: WireAnswerMessage): Echo | undefined {
  const given = wire as JsonObject // parsed JSON
  const signatures = callSignatures(given)
  const path = listOf(wire.reasoning_details).length === 0 ? echoPath(given) : undefined
  if (path === undefined && signatures === undefined && given[FIELDS] === undefined) return undefined
  const message: Draft<WireAnswerMessage> = withoutHolders(given)
  const details = path === undefined ? undefined : detailsAt(given, path)
  if (details !== undefined) message.reasoning_details = details
  if (signatures !== undefined) message.tool_calls = signatures
  return path === undefined ? { wire: message } : { wire: message, path }
}

const FIELDS = 'provider_specific_fields'
const KWARGS = 'additional_kwargs'
const DETAILS = 'reasoning_details'
const BLOCKS = 'thinking_blocks'
const PATHS: readonly (readonly string[])[] = [
  [FIELDS, DETAILS],
  [KWARGS, DETAILS],
  [KWARGS, FIELDS, DETAILS],
  [BLOCKS],
  [FIELDS, BLOCKS],
  [KWARGS, BLOCKS],
  [KWARGS, FIELDS, BLOCKS],
]

/** Where a message has reasoning in members of its client. */
export function echoPath(wire: JsonObject): readonly string[] | undefined {
  return PATHS.find((path) => detailsAt(wire, path) !== undefined)
}

/** LiteLLM adds its member to every message, with nothing else than reasoning in it, or with nothing. Upstreams refuse it. */
export function hasIdleFields({ [FIELDS]: fields }: JsonObject): boolean {
  return isObject(fields) && isEmpty(restOf(FIELDS, fields)) && fields[BLOCKS] === undefined
}

/** The entries at a path; undefined if there are none. */
function detailsAt(wire: JsonObject, path: readonly string[]): WireDetail[] | undefined {
  const [holder = ''] = path
  if (wire[holder] === undefined) return undefined
  const entries = listOf(valueAt(wire, path) as readonly Json[] | undefined).filter(isObject) // read leniently
  const details = path.at(-1) === BLOCKS ? entries.map(detailOf) : entries.map(withIndex)
  return details.length === 0 ? undefined : details
}

/** An index that is not a number has no meaning. */
function withIndex({ index, ...detail }: JsonObject): WireDetail {
  const wire = { ...detail, type: stringOf(detail['type']) }
  return typeof index === 'number' ? { ...wire, index } : wire
}

/** A block as in messages: its plain signature is of the issuer of that protocol. */
function detailOf({ type, thinking, signature, data }: JsonObject): WireDetail {
  if (type === 'redacted_thinking') return { type: 'reasoning.encrypted', data: issued(data) }
  const detail = { type: 'reasoning.text', text: stringOf(thinking) }
  return stringOf(signature) === '' ? detail : { ...detail, signature: issued(signature) }
}

function issued(value: Json | undefined): string {
  const text = stringOf(value)
  return isSealed(text) ? text : wrap({ issuer: 'anthropic', value: text }, 'self')
}

/** Members that repeat reasoning. */
const REPEATED: ReadonlySet<string> = new Set([DETAILS, BLOCKS, FIELDS, 'reasoning', 'reasoning_content'])

function withoutHolders({
  [FIELDS]: fields,
  [KWARGS]: kwargs,
  [BLOCKS]: _blocks,
  ...message
}: JsonObject): WireAnswerMessage {
  return { ...message, ...restOf(FIELDS, fields), ...restOf(KWARGS, kwargs) }
}

function restOf(name: string, holder: Json | undefined): JsonObject {
  const members = isObject(holder) ? Object.entries(holder) : []
  const rest = Object.fromEntries(members.filter(([key, value]) => value !== null && !REPEATED.has(key)))
  return isEmpty(rest) ? {} : { [name]: rest }
}

/** Where LangChain has the signatures of Gemini's calls, by the id of the call. */
const BY_ID = '__gemini_function_call_thought_signatures__'

/** The calls, with signatures of Gemini where that protocol's extension has them; undefined if there are none elsewhere. */
function callSignatures(wire: JsonObject): WireAnswerMessage['tool_calls'] | undefined {
  const calls = listOf(wire['tool_calls'] as readonly Json[] | undefined)
  const byId = isObject(wire[KWARGS]) ? wire[KWARGS][BY_ID] : undefined
  if (!isObject(byId) && !calls.some((call) => isObject(call) && call[FIELDS] !== undefined)) return undefined
  let found = false
  const signed = calls.map((call) => {
    if (!isObject(call) || call['extra_content'] !== undefined) return call
    const { [FIELDS]: fields, ...rest } = call
    const own = isObject(fields) ? fields['thought_signature'] : undefined
    const signature = own ?? (isObject(byId) ? byId[stringOf(call['id'])] : undefined)
    if (typeof signature !== 'string') return call
    found = true
    return { ...rest, extra_content: { google: { thought_signature: signature } } }
  })
  return found ? (signed as WireAnswerMessage['tool_calls']) : undefined // checked at the edge
}
