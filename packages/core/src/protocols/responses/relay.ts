import { isSealed } from '../../ir/seal.ts'
import { isObject, listOf, numberOf, type Json, type JsonObject } from '../../lib/json.ts'
import { decodeTerms } from '../openai-members.ts'
import type { Relay } from '../protocol.ts'
import { hasWebSearch, peekBody, peekMaxTokens, peekPrice, whyNotRelayed } from '../relay-rules.ts'
import { createTap, frameData, stringLength, type FrameFacts, type TapRules } from '../tap.ts'
import { decodeErrorBody } from './error.ts'
import { toolObstacle } from './fit-tools.ts'
import { media } from './media-map.ts'
import { isBareReasoning } from './reasoning.ts'
import { createSearchCounter, decodeUsage, searchesOf } from './usage.ts'

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
  const isBare = Array.isArray(input) && input.some((item) => isObject(item) && isBareReasoning(item))
  return isBare ? 'the upstream has stored no reasoning' : undefined
}

const ENCRYPTED = 'reasoning.encrypted_content'

const OUTPUT = ['delta":']
const written = (frame: string): number => stringLength(frame, OUTPUT)

/** Events about the whole response name the model. */
const MODEL = { marker: '"response":', inside: 'response' }

const RULES: Omit<TapRules, 'frame'> = {
  model: MODEL,
  written,
  whole: (answer) => answer['usage'],
  usage: decodeUsage,
  terms: decodeTerms,
  searches: searchesOf,
}

/** An error alone, without the event. */
const BARE = /^(?:event:.*\s+)?data: ?\{\s*"error"/

/** Only the last events are of interest, and items that are searches. */
function createFrameReader(): (frame: string) => FrameFacts | undefined {
  const searched = createSearchCounter()
  return (frame) => {
    const [, type] = EVENT.exec(frame) ?? []
    if (type === undefined) return BARE.test(frame) ? { failed: decodeErrorBody(frameData(frame)) } : undefined
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
