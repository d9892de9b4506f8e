import { createLosses, type Citation, type Json, type JsonObject, type ModelResponse, type Part } from '@dragoman/core'
import { genai } from '@dragoman/core/protocols'
import { acceptGenaiResponse, acceptGenaiStream } from '../doubles/genai-answer.ts'
import { acceptGenaiRequest } from '../doubles/genai-request.ts'
import { genaiResponse } from '../generators/wire-genai-answer.ts'
import { genaiStream } from '../generators/wire-genai-stream.ts'
import { genaiRequest } from '../generators/wire-genai.ts'
import { sent, type Exchange, type Subject } from '../laws/subject.ts'
import { withoutNeutral } from './absent.ts'
import { withStandardData } from './base64.ts'

/** The subject of the genai protocol. */
export const genaiSubject: Subject = {
  names: { allowed: /^[a-zA-Z_][a-zA-Z0-9_.-]*$/, limit: 64 },
  dialect: { displayName: true },
  wires: { request: genaiRequest(), response: genaiResponse(), stream: genaiStream() },
  counts: [
    'usageMetadata.promptTokenCount',
    'usageMetadata.candidatesTokenCount',
    'usageMetadata.totalTokenCount',
    'usageMetadata.cachedContentTokenCount',
    'usageMetadata.thoughtsTokenCount',
    'usageMetadata.toolUsePromptTokenCount',
    'usageMetadata.promptTokensDetails.0.tokenCount',
    'usageMetadata.candidatesTokensDetails.0.tokenCount',
    'usageMetadata.cacheTokensDetails.0.tokenCount',
  ],
  canon: { request: canonRequest, response: canonResponse },
  echoed,
  accepts: { request: (wire) => acceptGenaiRequest(wire), response: acceptGenaiResponse, stream: acceptGenaiStream },
}

/** The parts of a response as the history of a request. Citations are beside the parts of a response, and are not sent back. */
function echoed(response: ModelResponse, exchange: Exchange): ModelResponse {
  const candidates = response.candidates.map((candidate) => {
    const texts = candidate.parts.filter((part) => part.type === 'text')
    const plain = { parts: candidate.parts.map((part) => cited(part, undefined)), finish: candidate.finish }
    const wire = sent(genai.response.encode({ candidates: [plain] }, exchange.encode(createLosses())))
    const [{ content } = {}] = listOf(wire['candidates'])
    const { messages } = genai.request.decode(
      { contents: [{ parts: [], ...(content as JsonObject) }] },
      exchange.decode,
    )
    let text = 0
    const parts = (messages[0]?.parts ?? []).map((part) =>
      part.type === 'text' ? cited(part, texts[text++]?.citations) : part,
    )
    return { ...candidate, parts }
  })
  return { ...response, candidates }
}

function cited(part: Part, citations: readonly Citation[] | undefined): Part {
  if (part.type !== 'text') return part
  const { citations: _, ...rest } = part
  return citations === undefined ? rest : { ...rest, citations }
}

/**
 * Alternative spellings of a request:
 * - a turn without a role is the user's, and so is one of a function; the role of a system instruction has no meaning;
 * - inline data is in the standard alphabet, padded;
 * - a part without members is removed, and a thought without a text has an empty one;
 * - a call without arguments has none, a resolution is an object with a prefixed level;
 * - consecutive turns of the model are one turn, and pieces of one text are one text;
 * - each tool has its own object, but functions in a row share one;
 * - logprobs: false and a count of one candidate are absent, and so is a generationConfig that has nothing else; modalities and levels are
 *   in upper case.
 */
function canonRequest(wire: JsonObject): JsonObject {
  const { contents, systemInstruction, tools, generationConfig, ...rest } = withStandardData(wire)
  const generation = isObject(generationConfig) ? canonGeneration(generationConfig) : {}
  return {
    ...rest,
    contents: listOf(contents).flatMap(withoutGaps).reduce(oneTurn, []).map(canonContent),
    ...(isObject(systemInstruction) ? { systemInstruction: without(systemInstruction, 'role') } : {}),
    ...(tools === undefined ? {} : { tools: canonTools(listOf(tools)) }),
    ...(Object.keys(generation).length === 0 ? {} : { generationConfig: generation }),
  }
}

/** A turn without its empty parts; undefined if nothing else is in it. */
function withoutGaps(content: JsonObject): JsonObject[] {
  const parts = listOf(content['parts']).filter((part) => Object.keys(part).length > 0)
  return parts.length === 0 ? [] : [{ ...content, parts }]
}

function canonContent({ role, parts, ...rest }: JsonObject): JsonObject {
  const canonical = listOf(parts).map(canonPart)
  return role === 'model'
    ? { ...rest, role, parts: canonical.reduce(joined, []) }
    : { ...rest, role: role === undefined || role === 'function' ? 'user' : role, parts: canonical }
}

/** A turn of the model continues in the next one, unless that one has more members. */
function oneTurn(turns: JsonObject[], turn: JsonObject): JsonObject[] {
  const last = turns.at(-1)
  const goesOn = turn['role'] === 'model' && last?.['role'] === 'model' && Object.keys(turn).length === 2
  if (!goesOn) return [...turns, turn]
  return [...turns.slice(0, -1), { ...last, parts: [...listOf(last['parts']), ...listOf(turn['parts'])] }]
}

function canonGeneration(config: JsonObject): JsonObject {
  const { responseLogprobs, responseModalities, thinkingConfig, ...rest } = withoutNeutral(config, NEUTRAL)
  const level = isObject(thinkingConfig) ? thinkingConfig['thinkingLevel'] : undefined
  return {
    ...rest,
    ...(responseLogprobs === true ? { responseLogprobs } : {}),
    ...(Array.isArray(responseModalities)
      ? { responseModalities: responseModalities.map((one: Json) => wordOf(one).toUpperCase()) }
      : {}),
    ...(isObject(thinkingConfig)
      ? {
          thinkingConfig: {
            ...thinkingConfig,
            ...(level === undefined ? {} : { thinkingLevel: wordOf(level).toUpperCase() }),
          },
        }
      : {}),
  }
}

const NEUTRAL: JsonObject = { candidateCount: 1 }

function canonTools(tools: readonly JsonObject[]): JsonObject[] {
  const found: JsonObject[] = []
  for (const [member, value] of tools.flatMap((tool) => Object.entries(tool))) {
    const last = found.at(-1)
    if (member === 'functionDeclarations' && last?.[member] !== undefined) {
      found.splice(-1, 1, { [member]: [...listOf(last[member]), ...listOf(value)] })
    } else found.push({ [member]: value })
  }
  return found
}

function canonPart(part: JsonObject): JsonObject {
  const { functionCall, codeExecutionResult, mediaResolution, ...rest } = part
  const plain = Object.keys(part).every((key) => key === 'thought' || key === 'thoughtSignature')
  return {
    ...(plain ? { text: '' } : {}),
    ...rest,
    ...(isObject(functionCall) ? { functionCall: { args: {}, ...functionCall } } : {}),
    ...(isObject(codeExecutionResult) ? { codeExecutionResult: { output: '', ...codeExecutionResult } } : {}),
    ...(mediaResolution === undefined ? {} : { mediaResolution: canonResolution(mediaResolution) }),
  }
}

function canonResolution(resolution: Json): JsonObject {
  const { level, ...rest } = isObject(resolution) ? resolution : { level: resolution }
  return { ...rest, level: `MEDIA_RESOLUTION_${wordOf(level).replace('MEDIA_RESOLUTION_', '')}` }
}

/** A response: inline data is in the standard alphabet, padded; pieces of one text are one; finish reasons have no prefix; indexes of zero are written. */
function canonResponse(wire: JsonObject): JsonObject {
  const { candidates, ...rest } = withStandardData(wire)
  return { ...rest, ...(candidates === undefined ? {} : { candidates: listOf(candidates).map(canonCandidate) }) }
}

function canonCandidate(candidate: JsonObject): JsonObject {
  const { content, finishReason, citationMetadata, ...rest } = candidate
  const { parts, ...others } = content as JsonObject // as generated
  const canonical = listOf(parts).map(canonPart).reduce(joined, [])
  return {
    ...rest,
    content: { ...others, ...(canonical.length === 0 ? {} : { parts: canonical }) },
    finishReason: wordOf(finishReason).replace('FINISH_REASON_', ''),
    ...(isObject(citationMetadata) ? { citationMetadata: canonCitations(citationMetadata) } : {}),
  }
}

function canonCitations(metadata: JsonObject): JsonObject {
  const starting = (citation: JsonObject) =>
    citation['endIndex'] === undefined ? citation : { startIndex: 0, ...citation }
  return { ...metadata, citations: listOf(metadata['citations']).map(starting) }
}

/** A text continues until it is sealed. A piece with more members begins another text. */
function joined(parts: JsonObject[], part: JsonObject): JsonObject[] {
  const last = parts.at(-1)
  const { text, thought, thoughtSignature, ...unknown } = part
  const goesOn =
    typeof text === 'string' &&
    typeof last?.['text'] === 'string' &&
    last['thought'] === thought &&
    last['thoughtSignature'] === undefined
  if (!goesOn || Object.keys(unknown).length > 0) return [...parts, part]
  return [
    ...parts.slice(0, -1),
    { ...last, text: wordOf(last['text']) + text, ...(thoughtSignature === undefined ? {} : { thoughtSignature }) },
  ]
}

function without(object: JsonObject, member: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== member))
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listOf(value: Json | undefined): readonly JsonObject[] {
  return (Array.isArray(value) ? value : []) as readonly JsonObject[] // checked at the edge
}

function wordOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
