import { isSealed } from '../../ir/seal.ts'
import { valueAt } from '../../lib/json-path.ts'
import { defined } from '../../lib/members.ts'
import { isObject, listOf, stringOf, type Json, type JsonObject } from '../../lib/json.ts'
import type { Relay } from '../protocol.ts'
import { peekBody, peekMaxTokens, peekPrice, whyNotRelayed, type Peek, type RoutingPreferences } from '../relay.ts'
import { createTap, frameData, type FrameFacts } from '../tap.ts'
import { echoPath, hasIdleFields } from './echoes.ts'
import { decodeErrorObject } from '../error-object.ts'
import { decodeTerms } from '../openai.ts'
import { isErrorBody } from '../http.ts'
import { EFFORT_ALONE, hasEffortsAlone } from './members.ts'
import { offersSearch } from './tools.ts'
import { decodeUsage } from './usage.ts'
import { parseDataUrl, parseFileData } from '../../lib/data-url.ts'
import { noData, wireMedia, type MediaMap, type WireMedia } from '../media-map.ts'

const PART: MediaMap = { read: readPart }

/** The parts of messages, and the images of earlier answers. */
export const media: MediaMap = { members: { messages: { members: { content: PART, images: PART } } } }

function readPart({ type, image_url, input_audio, file }: JsonObject): WireMedia | undefined {
  switch (type) {
    case 'image_url':
      return wireMedia('image', image_url, 'url', parseDataUrl, isObject(image_url) ? image_url['detail'] : undefined)
    case 'input_audio': {
      const format = isObject(input_audio) ? stringOf(input_audio['format']) : ''
      return wireMedia('audio', input_audio, 'data', (data) => ({ mime: `audio/${format}`, data }))
    }
    case 'file':
      return wireMedia('document', file, 'file_data', parseFileData) ?? wireMedia('document', file, 'file_id', noData)
    default:
      return undefined
  }
}

export const relay: Relay = {
  media,
  peek: (body) => ({
    ...peekBody(body),
    ...routingOf(body),
    ...wantedUsage(body),
    ...peekMaxTokens(body['max_completion_tokens'] ?? body['max_tokens'], body['n']),
    ...peekPrice(decodeTerms(body), offersSearch(body)),
  }),
  preferences: {
    type: 'provider.type',
    factor: 'provider.primary_factor',
    providers: 'provider.providers',
    fallback: 'provider.fallback',
    models: 'model_routing_config.available_models',
    preference: 'model_routing_config.preference',
    task: 'model_routing_config.task_info.task_type',
    complexity: 'model_routing_config.task_info.complexity',
  },
  /** The gateway's own members are removed, and usage is requested for metering. */
  edits(body, model) {
    const { stream, stream_options } = body
    const options = isObject(stream_options) ? stream_options : {}
    const metered = stream === true && !wantsUsage(body)
    return {
      model: JSON.stringify(model),
      provider: null,
      model_routing_config: null,
      usage: null,
      ...(metered ? { stream_options: JSON.stringify({ ...options, include_usage: true }) } : {}),
    }
  },
  choosers: ['model', 'moderation.model'],
  obstacle(body, limits, dialect) {
    const { reasoning, messages } = body
    if (isObject(reasoning) && reasoning['exclude'] === true) return 'reasoning is to be left out of the answer'
    if (isObject(reasoning) && hasEffortsAlone(dialect)) return EFFORT_ALONE
    const limit = [body, body['max_completion_tokens'] == null ? 'max_tokens' : 'max_completion_tokens'] as const
    const why = whyNotRelayed({ limit, history: messages, isSealed: isSealedMessage }, limits)
    if (why !== undefined) return why
    if (isUntyped(body['tool_choice']) || hasUntyped(body['tools'])) return UNTYPED
    return listOf(messages as readonly Json[] | undefined).some(isRefused) ? REFUSED : undefined
  },
  pricing: {
    member: 'usage',
    /** As OpenRouter writes them. */
    edits: ({ total, input, output, estimated }) => ({
      cost: total,
      cost_details: `{"upstream_inference_cost":${total},"upstream_inference_prompt_cost":${input},"upstream_inference_completions_cost":${output}${estimated ? ',"estimated":true' : ''}}`,
    }),
  },
  tap(options) {
    const strips = options.usage !== true
    const frame = createFrameReader(strips)
    return createTap(
      {
        model: {},
        strips,
        frame,
        // The first one is also the end of `reasoning_content`.
        output: 'content|arguments|reasoning',
        whole: (answer) => answer['usage'],
        usage: decodeUsage,
        terms: decodeTerms,
      },
      options,
    )
  },
}

const REFUSED = 'a member of its history would be refused'

/** OpenAI refuses an empty list of calls, which openai-java sends with every answer without calls. */
function isRefused(message: Json): boolean {
  if (!isObject(message)) return false
  const { tool_calls } = message
  return (Array.isArray(tool_calls) && tool_calls.length === 0) || hasUntyped(tool_calls) || hasIdleFields(message)
}

const UNTYPED = 'a tool without its type would be refused'

/** Whether functions are listed without their type, which only some upstreams accept. */
function hasUntyped(list: Json | undefined): boolean {
  return listOf(list as readonly Json[] | undefined).some(isUntyped)
}

function isUntyped(tool: Json | undefined): boolean {
  return isObject(tool) && tool['type'] == null
}

/** `provider` in the flat form of the document, or in the nested one that clients also send, and `model_routing_config`. */
function routingOf({ provider, model_routing_config, prompt_cache_key }: JsonObject): Partial<Peek> {
  const conversation = typeof prompt_cache_key === 'string' ? prompt_cache_key : undefined
  if (provider == null && model_routing_config == null) return conversation === undefined ? NOTHING : { conversation }
  const flat = isObject(provider) ? provider : NOTHING
  const nested = isObject(flat['routing']) ? flat['routing'] : NOTHING
  const config = isObject(model_routing_config) ? model_routing_config : NOTHING
  const task = isObject(config['task_info']) ? config['task_info'] : NOTHING
  const { type, primary_factor, providers, fallback } = { ...nested, ...defined(flat) }
  const preferences = {
    type,
    factor: primary_factor,
    providers,
    fallback: fallback === 'true' || (fallback === 'false' ? false : fallback),
    models: config['available_models'],
    preference: config['preference'],
    task: task['task_type'],
    complexity: task['complexity'],
  } as RoutingPreferences // checked by the schema
  return { conversation, routing: defined(preferences) }
}

const NOTHING: JsonObject = {}

/** A request for the price is also one for the usage. */
function wantedUsage(body: JsonObject): Pick<Peek, 'usage' | 'cost'> {
  const { usage } = body
  const cost = isObject(usage) && usage['include'] === true
  return { usage: cost || wantsUsage(body), cost: cost ? true : undefined }
}

function wantsUsage({ stream_options }: JsonObject): boolean {
  return isObject(stream_options) && stream_options['include_usage'] === true
}

/** The first chunk names a tier, and the usage chunk the one that counts. A stream that is cut has only the first. */
function createFrameReader(strip: boolean): (frame: string) => FrameFacts | undefined {
  let isFirst = true
  return (frame) => {
    const facts = readFrame(frame, strip)
    if (!isFirst) return facts
    isFirst = false
    const terms = facts === undefined ? decodeTerms(frameData(frame) ?? {}) : undefined
    return terms === undefined ? facts : { terms }
  }
}

/** An error without the wrapper object. */
const FLAT = /^data: ?\{\s*"message"/

/** The usage chunk has no choices; a client that did not request it would fail on it. */
function readFrame(frame: string, strip: boolean): FrameFacts | undefined {
  if (/^data: ?\[DONE\]/.test(frame)) return { complete: true }
  // Some upstreams end without [DONE]: a finish reason is enough.
  const complete = /"finish_reason": ?"/.test(frame)
  // A member or a value. Without the first quote, for the reason given in `answer-model.ts`.
  const mayFail = frame.includes('error"') || FLAT.test(frame)
  const isCounted = /"usage": ?\{/.test(frame)
  const chunk = mayFail || isCounted ? frameData(frame) : undefined
  if (mayFail && chunk !== undefined && isErrorBody(chunk)) return { failed: decodeErrorObject(chunk) }
  if (!isCounted) return complete ? { complete } : undefined
  const choices = chunk?.['choices']
  return {
    counted: chunk?.['usage'],
    terms: decodeTerms(chunk ?? {}),
    strip: strip && Array.isArray(choices) && choices.length === 0,
    complete,
  }
}

/** Seals of another domain are in the ids of calls and in reasoning_details. Called for every message: most have neither. */
function isSealedMessage(message: JsonObject): boolean {
  const { tool_call_id, tool_calls, reasoning_details } = message
  if (isSealed(tool_call_id) || holdsSeal(tool_calls) || holdsSeal(reasoning_details)) return true
  const path = echoPath(message)
  return path !== undefined && holdsSeal(valueAt(message, path))
}

function holdsSeal(carrier: Json | undefined): boolean {
  if (Array.isArray(carrier)) return (carrier as readonly Json[]).some(holdsSeal)
  return isObject(carrier) && (isSealed(carrier['id']) || isSealed(carrier['data']) || isSealed(carrier['signature']))
}
