import type { Json, JsonObject } from '@dragoman/core'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { number, url, word, writing } from './json.ts'
import { maybe } from './record.ts'
import { callPart, codePart, futurePart, mediaPart, textPart, thought } from './wire-genai-parts.ts'
import { loose } from './wire.ts'

/** A whole response: one candidate or two, or none for a blocked prompt. */
export function genaiResponse(): Arbitrary<JsonObject> {
  const one = candidate()
  const answered = fc.tuple(one, maybe(one, 1)).map(([first, second]) => ({
    candidates: [first, ...(second === undefined ? [] : [second])].map((each, index) => ({ ...each, index })),
  }))
  return fc
    .tuple(
      head(),
      fc.oneof({ weight: 12, arbitrary: answered }, { weight: 1, arbitrary: blocked() }),
      maybe(genaiUsage(), 8),
    )
    .map(([head, body, usageMetadata]) => ({
      ...head,
      ...body,
      ...(usageMetadata === undefined ? {} : { usageMetadata }),
    }))
}

/** A response that a stream can express: one candidate. */
export function streamedAnswer(): Arbitrary<JsonObject> {
  return genaiResponse().map((answer) => {
    const [first] = (answer['candidates'] ?? []) as readonly JsonObject[] // as generated
    if (first === undefined) return answer
    return { ...answer, candidates: [first] }
  })
}

function head(): Arbitrary<JsonObject> {
  const createTime = fc.constantFrom('2026-01-02T03:04:05Z', '2026-01-02T03:04:05.123456Z', '2026-01-02T05:04:05+02:00')
  return loose({ createTime, responseId: word() }, { modelVersion: word() })
}

function blocked(): Arbitrary<JsonObject> {
  const feedback = loose(
    { blockReason: fc.constantFrom('SAFETY', 'OTHER') },
    { blockReasonMessage: writing(), safetyRatings: ratings() },
  )
  return feedback.map((promptFeedback) => ({ promptFeedback }))
}

function ratings(): Arbitrary<Json> {
  const rating = loose(
    { category: fc.constant('HARM_CATEGORY_HARASSMENT'), probability: fc.constantFrom('LOW', 'HIGH') },
    { blocked: fc.boolean() },
  )
  return fc.array(rating, { minLength: 1, maxLength: 2 })
}

function candidate(): Arbitrary<JsonObject> {
  const content = fc.oneof(
    { weight: 5, arbitrary: textPart() },
    { weight: 3, arbitrary: thought() },
    codePart(),
    mediaPart(),
    futurePart(),
  )
  const calls = fc.array(callPart(), { maxLength: 2 }).map((parts) => parts.map(numbered))
  const parts = fc.tuple(fc.array(content, { minLength: 1, maxLength: 4 }), calls).map((lists) => lists.flat())
  const members = loose(
    {
      finishReason: fc.constantFrom(
        'STOP',
        'MAX_TOKENS',
        'SAFETY',
        'FINISH_REASON_STOP',
        'FINISH_REASON_RECITATION',
        'MALFORMED_FUNCTION_CALL',
        'OTHER',
        'x_new_reason',
      ),
    },
    {
      finishMessage: writing(),
      safetyRatings: ratings(),
      groundingMetadata: loose({ webSearchQueries: fc.constant(['q']) }),
      urlContextMetadata: fc.constant({
        urlMetadata: [{ retrievedUrl: 'https://example.com/', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' }],
      }),
      avgLogprobs: number(-9, 0),
      logprobsResult: logprobs(),
    },
  )
  const seeds = fc.array(fc.record({ citation: citation(), text: fc.nat({ max: 5 }), offset: fc.nat({ max: 99 }) }), {
    maxLength: 2,
  })
  return fc.tuple(members, parts, seeds, maybe(loose({}), 2)).map(([members, parts, seeds, content]) => {
    const citations = inOrder(seeds.flatMap(({ citation, text, offset }) => placed(citation, parts, text, offset)))
    return {
      ...members,
      content: { ...content, role: 'model', parts },
      ...(citations.length === 0 ? {} : { citationMetadata: { citations } }),
    }
  })
}

function numbered(part: JsonObject, index: number): JsonObject {
  return { ...part, functionCall: { ...(part['functionCall'] as JsonObject), id: `call_${index}` } } // as generated
}

function citation(): Arbitrary<JsonObject> {
  return loose(
    { uri: url() },
    { title: writing(), license: word(), publicationDate: fc.constant({ year: 2024, month: 5, day: 1 }) },
  )
}

/** Cites one whole text of the response, or from one of its characters to its end. Offsets count bytes over all texts. */
function placed(citation: JsonObject, parts: readonly JsonObject[], choice: number, offset: number): JsonObject[] {
  const texts = parts.map((part) => (typeof part['text'] === 'string' && part['thought'] !== true ? part['text'] : ''))
  const cited = texts.map((text, index) => ({ text, index })).filter(({ text }) => text !== '' && text.isWellFormed())
  const chosen = cited[choice % Math.max(cited.length, 1)]
  if (chosen === undefined || !texts.join('').isWellFormed()) return []
  const base = Buffer.byteLength(texts.slice(0, chosen.index).join(''))
  const characters = Array.from(chosen.text)
  const start = base + Buffer.byteLength(characters.slice(0, offset % characters.length).join(''))
  return [
    { ...citation, ...(start === 0 ? {} : { startIndex: start }), endIndex: base + Buffer.byteLength(chosen.text) },
  ]
}

/** In order of their positions, without duplicates. */
function inOrder(citations: readonly JsonObject[]): JsonObject[] {
  const different = new Map(citations.map((citation) => [JSON.stringify(citation), citation]))
  return [...different.values()].sort((one, other) => Number(one['startIndex'] ?? 0) - Number(other['startIndex'] ?? 0))
}

function logprobs(): Arbitrary<JsonObject> {
  const token = loose({ token: writing(), logProbability: number(-50, 0) }, { tokenId: fc.nat() })
  const step = fc.record({ chosen: token, top: fc.array(token, { minLength: 1, maxLength: 2 }) })
  return fc.tuple(fc.array(step, { minLength: 1, maxLength: 3 }), fc.boolean()).map(([steps, topped]) => ({
    chosenCandidates: steps.map(({ chosen }) => chosen),
    ...(topped ? { topCandidates: steps.map(({ top }) => ({ candidates: top })) } : {}),
  }))
}

export function genaiUsage(): Arbitrary<JsonObject> {
  const detail = (modality: string) => fc.nat({ max: 900 }).map((tokenCount) => [{ modality, tokenCount }])
  const counts = loose(
    { promptTokenCount: fc.nat({ max: 9000 }), candidatesTokenCount: fc.nat({ max: 9000 }) },
    {
      cachedContentTokenCount: fc.nat({ max: 900 }),
      thoughtsTokenCount: fc.nat({ max: 900 }),
      toolUsePromptTokenCount: fc.nat({ max: 900 }),
      promptTokensDetails: detail('TEXT'),
      candidatesTokensDetails: detail('IMAGE'),
      cacheTokensDetails: detail('AUDIO'),
      toolUsePromptTokensDetails: detail('TEXT'),
      trafficType: fc.constant('ON_DEMAND'),
    },
  )
  const summed = ['promptTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount', 'toolUsePromptTokenCount']
  return counts.map((usage) => ({
    ...usage,
    totalTokenCount: summed.reduce((sum, member) => sum + Number(usage[member] ?? 0), 0),
  }))
}
