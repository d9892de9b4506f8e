import { known, restore, unknownOf } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import {
  readCount,
  readCounts,
  readTotal,
  outputByTotal,
  reportSearches,
  type Usage,
  type Written,
  type PriceTerms,
} from '../../ir/usage.ts'
import { decodeMembers, defined, encodeMembers, type Draft, type Members } from '../../lib/members.ts'
import { isEmpty, isObject, listOf, objectOf, type Json, type JsonObject } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import { tierTerms, type TierWords } from '../tier-words.ts'
import type { CountCodec } from '../protocol.ts'
import { TABLES } from './members.ts'
import { usage as wireUsage, type WireCount, type WireUsage } from './answer-schema.ts'
import { NAME } from './schema.ts'

const USAGE = known(wireUsage, {
  unread: ['promptTokensDetails', 'candidatesTokensDetails', 'cacheTokensDetails'],
})

/** Reasoning and tool prompts are separate counts in genai, and included in the IR. The total corrects the output, and is then derived. */
export function decodeUsage(wire: WireUsage, groundings?: Groundings): Usage {
  const read: Draft<Usage> = {}
  const searches = groundings && countSearches(groundings)
  const cacheRead = readCount(wire.cachedContentTokenCount, read)
  const toolPrompt = readCount(wire.toolUsePromptTokenCount, read)
  const input = sum(readCount(wire.promptTokenCount, read), toolPrompt, read)
  const { output, reasoning } = decodeOutput(wire, input, read)
  const usage: Draft<Usage> = defined({ input, output, cacheRead, reasoning, toolPrompt, searches }, read)
  const left = unknownOf(wire, USAGE)
  if (left === undefined) return usage
  const { ours, rest } = decodeMembers(left, MODALITIES)
  if (!isEmpty(ours)) usage.modalities = mapValues(ours, (counts) => readCounts(listCounts(counts), usage))
  if (!isEmpty(rest)) usage.extras = { [NAME]: rest }
  return usage
}

/** Some upstreams count reasoning among the candidates' tokens: their total shows it. */
function decodeOutput(wire: WireUsage, input: number | undefined, usage: Draft<Usage>): Written {
  const answered = readCount(wire.candidatesTokenCount, usage)
  const reasoning = readCount(wire.thoughtsTokenCount, usage)
  const total = readTotal(wire.totalTokenCount, usage)
  const isIncluded = answered !== undefined && total === (input ?? 0) + answered && (reasoning ?? 0) <= answered
  if (answered === undefined || isIncluded) return { output: answered ?? reasoning, reasoning }
  return outputByTotal({ output: sum(answered, reasoning, usage), reasoning }, input, total, usage)
}

function sum(one: number | undefined, other: number | undefined, usage: Draft<Usage>): number | undefined {
  return one === undefined ? other : readCount(one + (other ?? 0), usage)
}

/** Counts by modality: a list on the wire, an object in the IR. */
type Modalities = NonNullable<Usage['modalities']>
const MODALITIES: Members<WireUsage, Modalities> = {
  promptTokensDetails: ['input', isCounts],
  candidatesTokensDetails: ['output', isCounts],
  cacheTokensDetails: ['cached', isCounts],
}

/** One count per modality, and no other members in any entry. */
function isCounts(value: unknown): boolean {
  const counts = listCounts(value)
  return counts.length > 0 && new Set(counts.map(([modality]) => modality)).size === (value as unknown[]).length // it is a list
}

function listCounts(value: unknown): [string, number][] {
  return (Array.isArray(value) ? (value as readonly unknown[]) : []).flatMap((entry): [string, number][] => {
    const { modality, tokenCount, ...more } = isObject(entry) ? entry : {}
    return typeof modality === 'string' && typeof tokenCount === 'number' && isEmpty(more)
      ? [[modality, tokenCount]]
      : []
  })
}

function mapValues<T>(object: object, change: (value: unknown) => T): { [key: string]: T } {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}

/** A reader finds the searches in the grounding of the answer. */
export function encodeUsage(usage: Usage, losses: Losses, context: Encoding, groundings: Groundings = []): WireUsage {
  reportUnsupported(usage, TABLES.usage, losses, context)
  reportSearches(usage, countSearches(groundings), NAME, losses)
  const { cacheRead, reasoning, toolPrompt, modalities } = usage
  const input = atLeast('input', usage.input, toolPrompt, losses)
  const output = atLeast('output', usage.output, reasoning, losses)
  const wire: Draft<WireUsage> = { totalTokenCount: (input ?? 0) + (output ?? 0) }
  if (input !== undefined) wire.promptTokenCount = input - (toolPrompt ?? 0)
  if (output !== undefined) wire.candidatesTokenCount = output - (reasoning ?? 0)
  if (cacheRead !== undefined) wire.cachedContentTokenCount = cacheRead
  if (reasoning !== undefined) wire.thoughtsTokenCount = reasoning
  if (toolPrompt !== undefined) wire.toolUsePromptTokenCount = toolPrompt
  const details = modalities && mapValues(encodeMembers(modalities, MODALITIES), encodeCounts)
  return restore(NAME, usage, details === undefined ? wire : { ...wire, ...details })
}

function encodeCounts(counts: unknown): readonly WireCount[] {
  return Object.entries(counts as JsonObject).map(([modality, count]) => ({ modality, tokenCount: Number(count) })) // of ours
}

/** A count is never less than its detail. */
function atLeast(
  member: 'input' | 'output',
  count: number | undefined,
  detail: number | undefined,
  losses: Losses,
): number | undefined {
  if (detail === undefined || (count !== undefined && count >= detail)) return count
  if (count === undefined) losses.added([member], detail, 'genai counts it beside its detail')
  else losses.changed([member], detail, 'a count holds its details')
  return detail
}

/** The searches behind the grounding of an answer. Google bills each different query that is not empty, or an answer with any. */
export function countSearches(groundings: Groundings): number | undefined {
  const queries = new Set<string>()
  for (const grounding of groundings) {
    for (const kind of QUERIES) {
      const queried = isObject(grounding) ? grounding[kind] : undefined
      for (const query of listOf(queried as readonly Json[] | undefined))
        if (typeof query === 'string' && query !== '') queries.add(`${kind} ${query}`)
    }
  }
  return queries.size === 0 ? undefined : queries.size
}

/** What the candidates of an answer are grounded in. */
type Groundings = readonly (object | undefined)[]

const QUERIES = ['webSearchQueries', 'imageSearchQueries'] as const

export const TIERS: TierWords = new Map([
  ['standard', 'default'],
  ['flex', 'flex'],
  ['priority', 'priority'],
])

/** The terms of price in a request or in the usage of an answer. Vertex AI has a type of traffic instead of a tier. */
export function decodeTerms(wire: object): PriceTerms | undefined {
  const { serviceTier, trafficType } = wire as { readonly [member: string]: unknown } // parsed JSON
  const word = serviceTier ?? trafficType
  if (typeof word !== 'string' || /unspecified$/i.test(word)) return undefined
  return tierTerms(word.replace(/^on_demand_/i, ''))
}

export function answerTerms({ usageMetadata }: JsonObject): PriceTerms | undefined {
  return isObject(usageMetadata) ? decodeTerms(usageMetadata) : undefined
}

/** The request may be inside its own member. */
export const count: CountCodec = {
  request(body) {
    const { generateContentRequest, generate_content_request } = objectOf(body)
    const inner = generateContentRequest ?? generate_content_request
    return isObject(inner) ? inner : body
  },
  encode: (tokens) => ({ totalTokens: tokens }),
  decode: (body) => readCount(objectOf(body)['totalTokens'], {}),
}
