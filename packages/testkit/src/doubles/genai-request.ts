import { acceptContent, acceptPart, NAME, type Turn } from './genai-parts.ts'
import {
  filled,
  flag,
  isWire,
  list,
  matching,
  object,
  oneOf,
  only,
  optional,
  refuse,
  nonEmpty,
  string,
  whole,
  within,
  type Wire,
} from './refuse.ts'
import { ANY_SEAL, type SealRules } from './seal-rules.ts'

const MEMBERS =
  'contents systemInstruction tools toolConfig safetySettings cachedContent generationConfig labels serviceTier'
const GENERATION =
  'temperature topP topK candidateCount maxOutputTokens stopSequences presencePenalty frequencyPenalty seed responseMimeType ' +
  'responseSchema responseJsonSchema responseLogprobs logprobs responseModalities audioTimestamp thinkingConfig mediaResolution ' +
  'speechConfig routingConfig imageConfig enableAffectiveDialog'
const SCHEMA =
  'type format description enum items properties required propertyOrdering nullable minimum maximum minItems maxItems minLength ' +
  'maxLength minProperties maxProperties pattern title anyOf'

/** Throws if a genai upstream would refuse the request. Without rules, every signature counts as its own. */
export function acceptGenaiRequest(body: unknown, rules: SealRules = ANY_SEAL): void {
  const request = object(body, 'body')
  only(request, MEMBERS, 'body')
  optional(request['systemInstruction'], (value) => acceptInstruction(object(value, 'systemInstruction'), rules))
  optional(request['generationConfig'], (value) => acceptGeneration(object(value, 'generationConfig')))
  optional(request['safetySettings'], acceptSafety)
  optional(request['cachedContent'], (name) => nonEmpty(name, 'cachedContent'))
  const names = request['tools'] === undefined ? [] : filled(request['tools'], 'tools').flatMap(acceptTool)
  if (new Set(names).size !== names.length) refuse('tools', 'Duplicate function declaration found')
  optional(request['toolConfig'], (value) => acceptToolConfig(object(value, 'toolConfig'), names))
  acceptTurns(
    filled(request['contents'], 'contents').map((value, index) => acceptContent(value, `contents.${index}`, rules)),
  )
}

function acceptInstruction(instruction: Wire, rules: SealRules): void {
  only(instruction, 'role parts', 'systemInstruction')
  for (const [index, part] of filled(instruction['parts'], 'systemInstruction.parts').entries()) {
    const field = acceptPart(part, `systemInstruction.parts.${index}`, 'upstream', rules)
    oneOf(field, ['text'], `systemInstruction.parts.${index}`)
  }
}

/**
 * The turn after calls has one result for each call, of the same functions. Consecutive contents of one role are one turn:
 * the official SDK keeps a content for every chunk of a stream.
 */
function acceptTurns(contents: readonly Turn[]): void {
  let open: readonly string[] = []
  for (const { calls, results, answers, path } of joined(contents)) {
    const asked = [...open].sort().join()
    if (open.length > 0 && !answers)
      refuse(path, 'ensure that function response turn comes immediately after a function call turn')
    if (results.length !== open.length) {
      refuse(
        path,
        `the number of function response parts (${results.length}) must equal the number of function call parts (${open.length}) of the function call turn`,
      )
    }
    if (asked !== [...results].sort().join())
      refuse(path, `function responses for ${results.join()} do not match the calls of ${open.join()}`)
    open = calls
  }
  if (open.length > 0) refuse('contents', 'a function call turn must be followed by its function responses')
}

function joined(contents: readonly Turn[]): Turn[] {
  const turns: Turn[] = []
  for (const content of contents) {
    const last = turns.at(-1)
    if (last === undefined || last.role !== content.role) turns.push(content)
    else
      turns[turns.length - 1] = {
        ...last,
        calls: [...last.calls, ...content.calls],
        results: [...last.results, ...content.results],
      }
  }
  return turns
}

/** The largest number below 2. */
const BELOW_TWO = 2 - Number.EPSILON

function acceptGeneration(config: Wire): void {
  const at = (member: string) => `generationConfig.${member}`
  only(config, GENERATION, 'generationConfig')
  const numbers: { readonly [member: string]: readonly [number, number] } = {
    temperature: [0, 2],
    topP: [0, 1],
    presencePenalty: [-2, BELOW_TWO],
    frequencyPenalty: [-2, BELOW_TWO],
  }
  const counts: { readonly [member: string]: readonly [number, number] } = {
    topK: [1, 1_000_000],
    candidateCount: [1, 8],
    maxOutputTokens: [1, 1_000_000],
    logprobs: [1, 20],
    seed: [-2_147_483_648, 2_147_483_647],
  }
  for (const [member, [least, most]] of Object.entries(numbers)) {
    optional(config[member], (value) => within(value, least, most, at(member)))
  }
  for (const [member, [least, most]] of Object.entries(counts)) {
    optional(config[member], (value) => whole(value, least, most, at(member)))
  }
  optional(config['stopSequences'], (value) => {
    const stops = list(value, at('stopSequences'))
    if (stops.length > 5) refuse(at('stopSequences'), 'at most 5')
    for (const [index, stop] of stops.entries()) nonEmpty(stop, `${at('stopSequences')}.${index}`)
  })
  optional(config['responseLogprobs'], (value) => flag(value, at('responseLogprobs')))
  if (config['logprobs'] !== undefined && config['responseLogprobs'] !== true)
    refuse(at('logprobs'), 'needs responseLogprobs')
  optional(config['responseModalities'], (value) => {
    for (const one of list(value, at('responseModalities')))
      oneOf(one, ['TEXT', 'IMAGE', 'AUDIO'], at('responseModalities'))
  })
  optional(config['thinkingConfig'], (value) => acceptThinking(object(value, at('thinkingConfig'))))
  acceptForm(config)
}

/** The SDKs write them in upper case, and Google's documentation of thinking in lower case: both are accepted. */
const THINKING_LEVELS = ['THINKING_LEVEL_UNSPECIFIED', 'MINIMAL', 'LOW', 'MEDIUM', 'HIGH']

function acceptThinking(config: Wire): void {
  only(config, 'thinkingBudget thinkingLevel includeThoughts', 'thinkingConfig')
  if (config['thinkingBudget'] !== undefined && config['thinkingLevel'] !== undefined)
    refuse('thinkingConfig', 'both budget and level')
  optional(config['thinkingBudget'], (value) => whole(value, -1, 1_000_000, 'thinkingConfig.thinkingBudget'))
  optional(config['thinkingLevel'], (value) =>
    oneOf(String(value).toUpperCase(), THINKING_LEVELS, 'thinkingConfig.thinkingLevel'),
  )
}

function acceptForm(config: Wire): void {
  const { responseMimeType: mime, responseSchema, responseJsonSchema } = config
  optional(mime, (value) => oneOf(value, ['text/plain', 'application/json', 'text/x.enum'], 'responseMimeType'))
  if (responseSchema !== undefined && responseJsonSchema !== undefined)
    refuse('responseJsonSchema', 'responseSchema is set')
  optional(responseSchema, (schema) => {
    if (mime === undefined || mime === 'text/plain') refuse('responseSchema', 'needs another responseMimeType')
    acceptSchema(schema, 'responseSchema')
  })
  optional(responseJsonSchema, (schema) => {
    if (mime !== 'application/json') refuse('responseJsonSchema', 'needs application/json')
    object(schema, 'responseJsonSchema')
  })
}

/** The supported subset of OpenAPI. */
function acceptSchema(value: unknown, path: string): void {
  const schema = object(value, path)
  for (const key of Object.keys(schema))
    if (!SCHEMA.split(' ').includes(key)) refuse(`${path}.${key}`, `Unknown name "${key}"`)
  // The API takes the names of types in any case (googleapis/js-genai#875). The AI SDK 6 sends lower case.
  optional(schema['type'], (type) =>
    oneOf(
      String(type).toUpperCase(),
      ['STRING', 'INTEGER', 'NUMBER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL'],
      `${path}.type`,
    ),
  )
  optional(schema['enum'], (values) => list(values, path).map((one) => string(one, `${path}.enum`)))
  optional(schema['items'], (items) => acceptSchema(items, `${path}.items`))
  optional(schema['anyOf'], (options) =>
    list(options, path).map((one, index) => acceptSchema(one, `${path}.anyOf.${index}`)),
  )
  optional(schema['properties'], (properties) => {
    for (const [name, one] of Object.entries(object(properties, path))) acceptSchema(one, `${path}.properties.${name}`)
  })
}

function acceptSafety(value: unknown): void {
  for (const [index, item] of list(value, 'safetySettings').entries()) {
    const path = `safetySettings.${index}`
    const setting = object(item, path)
    only(setting, 'category threshold method', path)
    matching(setting['category'], /^HARM_CATEGORY_[A-Z_]+$/, `${path}.category`)
    matching(setting['threshold'], /^(OFF|BLOCK_[A-Z_]+|HARM_BLOCK_THRESHOLD_UNSPECIFIED)$/, `${path}.threshold`)
  }
}

const BUILTIN =
  'googleSearch googleSearchRetrieval enterpriseWebSearch codeExecution urlContext retrieval fileSearch googleMaps computerUse'

function acceptTool(value: unknown, index: number): string[] {
  const path = `tools.${index}`
  const tool = object(value, path)
  only(tool, `functionDeclarations ${BUILTIN}`, path)
  if (Object.keys(tool).length === 0) refuse(path, 'must have one initialized field')
  if (tool['functionDeclarations'] === undefined) return []
  return filled(tool['functionDeclarations'], path).map((item, position) => {
    const at = `${path}.functionDeclarations.${position}`
    const declared = object(item, at)
    only(declared, 'name description parameters parametersJsonSchema response responseJsonSchema behavior', at)
    optional(declared['description'], (text) => string(text, `${at}.description`))
    optional(declared['parameters'], (schema) => acceptSchema(schema, `${at}.parameters`))
    optional(declared['parametersJsonSchema'], (schema) => object(schema, `${at}.parametersJsonSchema`))
    if (isWire(declared['parameters']) && isWire(declared['parametersJsonSchema']))
      refuse(at, 'both kinds of parameters')
    return matching(declared['name'], NAME, `${at}.name`)
  })
}

function acceptToolConfig(config: Wire, names: readonly string[]): void {
  only(config, 'functionCallingConfig retrievalConfig includeServerSideToolInvocations', 'toolConfig')
  optional(config['functionCallingConfig'], (value) => {
    const path = 'toolConfig.functionCallingConfig'
    const calling = object(value, path)
    only(calling, 'mode allowedFunctionNames streamFunctionCallArguments', path)
    if (names.length === 0) refuse(path, 'Function calling config is set without function_declarations.')
    optional(calling['mode'], (mode) => oneOf(mode, ['AUTO', 'ANY', 'NONE', 'VALIDATED'], `${path}.mode`))
    optional(calling['allowedFunctionNames'], (allowed) => {
      oneOf(calling['mode'], ['ANY', 'VALIDATED'], `${path}.mode`)
      for (const name of filled(allowed, path)) oneOf(name, names, `${path}.allowedFunctionNames`)
    })
  })
}
