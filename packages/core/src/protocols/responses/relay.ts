import { isSealed } from '../../ir/seal.ts'
import { isObject, listOf, numberOf, stringOf, type Json, type JsonObject } from '../../lib/json.ts'
import { decodeTerms } from '../openai.ts'
import type { Relay } from '../protocol.ts'
import { hasWebSearch, peekBody, peekMaxTokens, peekPrice, whyNotRelayed } from '../relay.ts'
import { createTap, frameData, type FrameFacts, type TapRules } from '../tap.ts'
import { decodeErrorBody } from './error.ts'
import { toolObstacle } from './fit-tools.ts'
import { isStoredReasoning } from './reasoning.ts'
import { createSearchCounter, decodeUsage, searchesOf } from './usage.ts'
import { parseDataUrl, parseFileData } from '../../lib/data-url.ts'
import { noData, wireMedia, type MediaMap, type WireMedia } from '../media-map.ts'

const PART: MediaMap = { read: readPart }

/** The parts of messages and of results, images that earlier answers have drawn, and those of code that has run. */
export const media: MediaMap = {
  members: { input: { read: readItem, members: { content: PART, output: PART, outputs: PART } } },
}

function readItem(item: JsonObject): WireMedia | undefined {
  if (item['type'] !== 'image_generation_call') return undefined
  return wireMedia('image', item, 'result', (data) => ({
    mime: `image/${stringOf(item['output_format'] ?? 'png')}`,
    data,
  }))
}

function readPart(part: JsonObject): WireMedia | undefined {
  const { type, detail, input_audio } = part
  switch (type) {
    case 'input_image':
    case 'computer_screenshot':
      return wireMedia('image', part, 'image_url', parseDataUrl, detail) ?? wireMedia('image', part, 'file_id', noData)
    case 'image':
      return wireMedia('image', part, 'url', parseDataUrl)
    case 'input_audio': {
      const format = isObject(input_audio) ? stringOf(input_audio['format']) : ''
      return wireMedia('audio', input_audio, 'data', (data) => ({ mime: `audio/${format}`, data }))
    }
    case 'input_file':
      return (
        wireMedia('document', part, 'file_data', parseFileData) ??
        wireMedia('document', part, 'file_url', parseDataUrl) ??
        wireMedia('document', part, 'file_id', noData)
      )
    default:
      return undefined
  }
}

export const relay: Relay = {
  media,
  peek: (body) => {
    const { prompt_cache_key, max_output_tokens } = body
    return {
      ...peekBody(body),
      ...(typeof prompt_cache_key === 'string' ? { conversation: prompt_cache_key } : {}),
      ...peekMaxTokens(max_output_tokens),
      ...peekPrice(decodeTerms(body), hasWebSearch(body['tools'])),
    }
  },
  /** Nothing is stored, so reasoning must come back encrypted. */
  edits(body, model) {
    const include = listOf(body['include'] as readonly Json[] | undefined)
    const wanted = include.includes(ENCRYPTED) ? include : [...include, ENCRYPTED]
    return { model: JSON.stringify(model), store: 'false', include: JSON.stringify(wanted) }
  },
  /** The models of tools, which may also be added in the middle of a conversation. Stored prompts are refused for all keys. */
  choosers: [
    'model',
    'moderation.model',
    'tools.*.model',
    'tools.*.svg.model',
    'input.*.tools.*.model',
    'input.*.tools.*.svg.model',
  ],
  obstacle(body, limits, dialect) {
    const { input } = body
    const rules = { limit: [body, 'max_output_tokens'], history: input, isSealed: isSealedItem } as const
    return whyNotRelayed(rules, limits) ?? reasoningObstacle(input) ?? toolObstacle(body, dialect)
  },
  tap: (options) => createTap({ ...RULES, frame: createFrameReader() }, options),
}

function reasoningObstacle(input: Json | undefined): string | undefined {
  const isMissing = Array.isArray(input) && input.some((item) => isObject(item) && isStoredReasoning(item))
  return isMissing ? 'the upstream has stored no reasoning' : undefined
}

const ENCRYPTED = 'reasoning.encrypted_content'

/** Events about the whole response name the model. */
const MODEL = { marker: '"response":', inside: 'response' }

const RULES: Omit<TapRules, 'frame'> = {
  model: MODEL,
  output: 'delta',
  whole: (answer) => answer['usage'],
  usage: decodeUsage,
  terms: decodeTerms,
  searches: searchesOf,
}

/** An error alone, without the event. */
const UNTYPED_ERROR = /^(?:event:.*\s+)?data: ?\{\s*"error"/

/** Only the last events are of interest, and items that are searches. */
function createFrameReader(): (frame: string) => FrameFacts | undefined {
  const searched = createSearchCounter()
  return (frame) => {
    const [, type] = EVENT.exec(frame) ?? []
    if (type === undefined) return UNTYPED_ERROR.test(frame) ? { failed: decodeErrorBody(frameData(frame)) } : undefined
    if (type === ITEM && !frame.includes('"web_search_call"')) return undefined
    const event = frameData(frame)
    if (event?.['type'] !== type) return undefined
    if (type === ITEM) {
      searched.add(numberOf(event['output_index']) ?? 0, event['item'])
      return { searches: searched.count() }
    }
    const response = isObject(event['response']) ? event['response'] : {}
    if (type === 'error') return { failed: decodeErrorBody(event) }
    if (type === 'response.failed') return { failed: decodeErrorBody(response) }
    const searches = searched.count(response)
    return { complete: true, counted: response['usage'], searches, terms: decodeTerms(response) }
  }
}

const ITEM = 'response.output_item.done'
const EVENT = /"type": ?"(response\.(?:completed|incomplete|failed|cancelled|output_item\.done)|error)"/

/** Seals of another domain are in encrypted content and in the ids of calls. */
function isSealedItem({ encrypted_content, call_id }: JsonObject): boolean {
  return isSealed(encrypted_content) || isSealed(call_id)
}
