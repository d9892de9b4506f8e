import { DragomanError } from '../../ir/error.ts'
import { camelKeys, namesOf } from '../../lib/grammar/camel.ts'
import { createReader } from '../../lib/grammar/reader.ts'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { excessOf, findCycle } from '../../lib/json-schema.ts'
import { exactly, withoutNeutral, type Neutral } from '../../lib/members.ts'
import { checkBody } from '../read-body.ts'
import { plainText } from './content.ts'
import { object } from '../../lib/grammar/schema.ts'
import { listIn, listSingles } from './single-objects.ts'
import { genaiRequest, type GenaiRequest, type WireGeneration, type WirePart } from './schema.ts'

const REQUEST = createReader(genaiRequest)

/** Throws an error with the path if a request is invalid. The result has camelCase members, and none without effect. */
export function checkRequest(body: unknown): JsonObject {
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

/** A request with its snake_case members renamed to camelCase, and with lists in place of single objects, as the real REST API reads them. */
export function spellRequest(body: JsonObject): JsonObject {
  const spelled = listSingles(camelKeys(body, WITHOUT_CONTENTS))
  const contents = Array.isArray(spelled['contents']) ? (spelled['contents'] as readonly Json[]) : []
  const found = contents.findIndex((content) => spellContent(content) !== content)
  return found < 0 ? spelled : { ...spelled, contents: contents.map(spellContent) }
}

/** Most parts are only a text, and need no renaming. */
function spellContent(given: Json): Json {
  const content = listIn(given, 'parts')
  if (!isObject(content) || !Array.isArray(content['parts'])) return content
  const parts = content['parts'] as readonly Json[]
  const plain = parts.every((part) => !isObject(part) || plainText(part as WirePart) !== undefined) // read as one
  return plain ? content : camelKeys(content, CONTENT)
}

/** Contents are renamed one by one. */
const { contents: content, ...others } = genaiRequest._zod.def.shape
const CONTENT = namesOf(content)
const WITHOUT_CONTENTS = namesOf(object(others))
