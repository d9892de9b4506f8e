import { createWords } from '../../lib/grammar/members.ts'
import { isObject, type JsonObject, type Json } from '../../lib/json.ts'
import { createNameMap } from '../../lib/names.ts'
import { DragomanError } from '../../ir/error.ts'
import { createReader } from '../../lib/grammar/reader.ts'
import { excessOf, findCycle } from '../../lib/json-schema.ts'
import { exactly, withoutNeutral, type Neutral } from '../../lib/members.ts'
import { readAnswer, readRequest, checkBody } from '../read-body.ts'
import { createLocate } from '../locate.ts'
import type { Codec } from '../protocol.ts'
import { refuseUnplaced } from './media.ts'
import { decodeStream } from './decode-stream.ts'
import { ARRAY, encodeStream } from './encode-stream.ts'
import { decodeError, encodeError } from './error.ts'
import { sites } from './locate.ts'
import { decodeRequest, encodeRequest } from './request.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import type { GenaiResponse } from './answer-schema.ts'
import { ISSUER, NAME, genaiRequest, type GenaiRequest, type WireGeneration } from './schema.ts'
import { spellRequest } from './spelling.ts'
import { answerTerms } from './usage.ts'

/** Members that the grammar of requests has only as types. */
const UNREAD =
  'audioTranscription audioTranscriptionConfig behavior consentAudio continuationToken enableEnhancedCivicAnswers exaAiSearch id imageOutputOptions includeServerSideToolInvocations mcpServers mediaProcessing modelArmorConfig outputConfig parallelAiSearch partMetadata prominentPeople response responseFormat scheduling speaker speechMetadata store toolCall toolResponse translationConfig voice voiceConsentSignature'

/** The generate content protocol: `:generateContent` and `:streamGenerateContent`. */
export const genai: Codec<GenaiRequest, GenaiResponse> = {
  name: NAME,
  issuer: ISSUER,
  request: {
    check: (body) => checkRequest(body) as JsonObject & GenaiRequest, // it has passed
    decode: (body, context) =>
      readRequest(body, checkRequest, () => decodeRequest(spellRequest(body) as GenaiRequest, context)), // checked at the edge
    encode: (request, context) => encodeRequest(request, context) as JsonObject & GenaiRequest, // JSON by construction
    sites,
    refuse: (request, losses, body) => refuseUnplaced(request, losses, createLocate(sites, body)),
    names: (used) => createNameMap(used, /^[a-zA-Z_][a-zA-Z0-9_.-]*$/, 64),
    showsReasoning: false,
    words: createWords(genaiRequest, UNREAD),
    history: 'contents',
    refused: {},
  },
  response: {
    decode: (body, context) => readAnswer(() => decodeResponse(body as GenaiResponse, context)), // read leniently
    encode: (response, context) => encodeResponse(response, context) as JsonObject & GenaiResponse, // JSON by construction
    terms: answerTerms,
  },
  stream: {
    decode: decodeStream,
    encode: encodeStream,
    // An empty frame: the Go SDK ends the stream with an error at a comment or a single line feed.
    keepAlive: (framing) => (framing === ARRAY ? '\n' : '\n\n'),
    contentType: (framing) =>
      framing === ARRAY ? 'application/json; charset=utf-8' : 'text/event-stream; charset=utf-8',
  },
  error: { decode: decodeError, encode: encodeError },
  dialects: [],
  extensions: ['displayName', 'embedding', 'resultMedia', 'schema', 'signatures', 'thinking'],
}

const REQUEST = createReader(genaiRequest)

/** Throws an error with the path if a request is invalid. The result has camelCase members, and none without effect. */
function checkRequest(body: unknown): JsonObject {
  const checked = withoutNeutralConfig(checkBody(REQUEST, isObject(body) ? spellRequest(body) : body))
  const { generationConfig, tools } = checked as GenaiRequest // checkBody has checked it
  if (generationConfig !== undefined) checkGeneration(generationConfig)
  for (const [index, tool] of tools?.entries() ?? []) {
    for (const [position, declaration] of tool.functionDeclarations?.entries() ?? []) {
      const path = `tools.${index}.functionDeclarations.${position}`
      const { parameters, parametersJsonSchema } = declaration
      if (parameters !== undefined && parametersJsonSchema !== undefined) {
        throw wrong(`${path}.parametersJsonSchema`, 'cannot be combined with parameters')
      }
      checkSchema(parameters, `${path}.parameters`)
      checkSchema(parametersJsonSchema, `${path}.parametersJsonSchema`)
    }
  }
  return checked
}

const NEUTRAL: Neutral = { candidateCount: exactly(1) }

function withoutNeutralConfig(body: JsonObject): JsonObject {
  const { generationConfig: config } = body
  const kept = isObject(config) ? withoutNeutral(config, NEUTRAL) : config
  return kept === undefined || kept === config ? body : { ...body, generationConfig: kept }
}

/** Of the media types that are known. */
const WITHOUT_SCHEMA: ReadonlySet<string | undefined> = new Set([undefined, 'text/plain', 'text/x.enum'])

function checkGeneration(config: WireGeneration): void {
  const { responseMimeType, responseSchema, responseJsonSchema, responseLogprobs, logprobs } = config
  const at = (member: string) => `generationConfig.${member}`
  if (responseSchema !== undefined && (responseMimeType === undefined || responseMimeType === 'text/plain')) {
    throw wrong(at('responseSchema'), 'needs a responseMimeType other than text/plain')
  }
  if (responseJsonSchema !== undefined && responseSchema !== undefined) {
    throw wrong(at('responseJsonSchema'), 'cannot be combined with responseSchema')
  }
  if (responseJsonSchema !== undefined && WITHOUT_SCHEMA.has(responseMimeType)) {
    throw wrong(at('responseJsonSchema'), 'needs the responseMimeType application/json')
  }
  if (logprobs !== undefined && responseLogprobs !== true) throw wrong(at('logprobs'), 'needs responseLogprobs')
  for (const [owner, one, other] of EXCLUSIVE) {
    const members = config[owner]
    if (members?.[one] !== undefined && members[other] !== undefined)
      throw wrong(`${at(owner)}.${other}`, `cannot be combined with ${one}`)
  }
  checkSchema(responseSchema, at('responseSchema'))
  checkSchema(responseJsonSchema, at('responseJsonSchema'))
  // Standard schemas may refer to themselves: Google accepts them.
  const cycle = responseSchema === undefined ? undefined : findCycle(responseSchema as JsonObject) // parsed JSON
  if (cycle !== undefined) throw wrong(at('responseSchema'), `refers to itself: ${cycle}`)
}

const EXCLUSIVE = [
  ['thinkingConfig', 'thinkingBudget', 'thinkingLevel'],
  ['speechConfig', 'voiceConfig', 'multiSpeakerVoiceConfig'],
  ['routingConfig', 'autoMode', 'manualMode'],
] as const

const DEEPEST = 64
const LARGEST = 20_000

function checkSchema(schema: unknown, path: string): void {
  if (schema === undefined) return
  const excess = excessOf(schema as Json, DEEPEST, LARGEST) // parsed JSON
  if (excess === 'depth') throw wrong(path, `is nested more than ${DEEPEST} levels deep`)
  if (excess === 'size') throw wrong(path, 'is too complex')
}

function wrong(path: string, why: string): DragomanError {
  return new DragomanError('invalid-request', `${path}: ${why}.`, { param: path })
}
