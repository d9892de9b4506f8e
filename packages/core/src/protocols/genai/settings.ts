import { nest } from '../../ir/extras.ts'
import { reducedSchema } from '../../ir/schema.ts'
import type { OutputWish, ReasoningWish, Settings } from '../../ir/settings.ts'
import type { Schema } from '../../ir/tool.ts'
import { isEmpty, isObject } from '../../lib/json.ts'
import type { EncodeContext } from '../protocol.ts'
import { decodeThinking, encodeThinking } from './reasoning.ts'
import type { WireGeneration } from './schema.ts'

const SETTING_OF = {
  temperature: 'temperature',
  topP: 'topP',
  topK: 'topK',
  candidateCount: 'candidates',
  maxOutputTokens: 'maxTokens',
  stopSequences: 'stop',
  presencePenalty: 'presencePenalty',
  frequencyPenalty: 'frequencyPenalty',
  seed: 'seed',
} as const satisfies { readonly [member: string]: keyof Settings }
type SettingMember = keyof typeof SETTING_OF

export interface Generation {
  readonly settings: Settings
  readonly reasoning?: ReasoningWish
  readonly output?: OutputWish
  /** What is none of these. */
  readonly rest: object
}

export function decodeGeneration(wire: WireGeneration): Generation {
  const { responseLogprobs, logprobs, thinkingConfig, ...members } = wire
  const {
    responseMimeType,
    responseSchema,
    responseJsonSchema,
    responseModalities,
    speechConfig,
    imageConfig,
    ...others
  } = members
  const thinking = decodeThinking(thinkingConfig)
  const form = decodeForm({ responseMimeType, responseSchema, responseJsonSchema })
  const output: OutputWish = {
    ...form.wish,
    ...(responseModalities === undefined
      ? {}
      : { modalities: responseModalities.map((modality) => modality.toLowerCase()) }),
    ...(isObject(speechConfig) ? { speech: speechConfig } : {}),
    ...(isObject(imageConfig) ? { image: imageConfig } : {}),
  }
  const settings: [string, unknown][] = []
  const rest: [string, unknown][] = []
  for (const [member, value] of Object.entries(others)) {
    if (Object.hasOwn(SETTING_OF, member)) settings.push([SETTING_OF[member as SettingMember], value])
    else rest.push([member, value])
  }
  if (responseLogprobs === true) settings.push(['logprobs', logprobs ?? 0])
  else if (logprobs !== undefined) rest.push(['logprobs', logprobs])
  return {
    settings: Object.fromEntries(settings),
    ...(thinking.wish === undefined ? {} : { reasoning: thinking.wish }),
    ...(isEmpty(output) ? {} : { output }),
    rest: nest({ ...Object.fromEntries(rest), ...form.rest }, 'thinkingConfig', thinking.rest),
  }
}

const FORMAT_OF: { readonly [mime: string]: NonNullable<OutputWish['format']> } = {
  'text/plain': 'text',
  'application/json': 'json',
  'text/x.enum': 'enum',
}
const MIME_OF = { text: 'text/plain', json: 'application/json', enum: 'text/x.enum' } as const

type WireForm = Pick<WireGeneration, 'responseMimeType' | 'responseSchema' | 'responseJsonSchema'>

function decodeForm({ responseMimeType: mime, responseSchema, responseJsonSchema }: WireForm): {
  wish: OutputWish
  rest: object
} {
  const format = mime === undefined ? undefined : FORMAT_OF[mime]
  const standard = isObject(responseJsonSchema)
  const value = standard ? responseJsonSchema : responseSchema
  const schema: Schema | undefined = isObject(value)
    ? { dialect: standard ? 'json-schema' : 'openapi', value }
    : undefined
  return {
    wish: { ...(format === undefined ? {} : { format }), ...(schema === undefined ? {} : { schema }) },
    rest: {
      ...(format === undefined && mime !== undefined ? { responseMimeType: mime } : {}),
      ...(standard && responseSchema !== undefined ? { responseSchema } : {}),
    },
  }
}

/** The losses stand at the request. */
export function encodeGeneration(
  request: Omit<Generation, 'rest'> & { readonly stream: boolean },
  context: EncodeContext,
): WireGeneration {
  const thinkingConfig = encodeThinking(request.reasoning, context)
  return {
    ...encodeSettings(request.settings, request.stream, context),
    ...encodeForm(request.output, context),
    ...(thinkingConfig === undefined ? {} : { thinkingConfig }),
  }
}

function encodeSettings(settings: Settings, stream: boolean, { losses, limits }: EncodeContext): WireGeneration {
  const { maxTokens, stop, logprobs, logitBias, ...others } = settings
  const wire: [string, unknown][] = []
  const say = (member: string, key: keyof Settings, value: number, to: number | undefined, reason: string) => {
    if (to === undefined) losses.dropped(['settings', key], reason)
    else if (to !== value) losses.changed(['settings', key], to, reason)
    if (to !== undefined) wire.push([member, to])
  }
  for (const [member, key] of Object.entries(SETTING_OF)) {
    if (key === 'maxTokens' || key === 'stop') continue
    const value = others[key]
    const fit = FIT[key]
    if (value !== undefined) say(member, key, value, fit === undefined ? value : fit(value, stream), REASON[key] ?? '')
  }
  if (maxTokens !== undefined)
    say(
      'maxOutputTokens',
      'maxTokens',
      maxTokens,
      Math.min(maxTokens, limits?.maxTokens ?? maxTokens),
      'above the limit of the model',
    )
  if (stop !== undefined) {
    for (const index of stop.keys())
      if (index >= 5) losses.dropped(['settings', 'stop', index], 'genai takes five stop sequences')
    wire.push(['stopSequences', stop.slice(0, 5)])
  }
  if (logprobs !== undefined)
    wire.push(
      ['responseLogprobs', true],
      ...(logprobs === 0 ? [] : [['logprobs', Math.min(logprobs, 20)] as [string, unknown]]),
    )
  if (logprobs !== undefined && logprobs > 20) losses.changed(['settings', 'logprobs'], 20, 'genai gives at most 20')
  if (logitBias !== undefined) losses.dropped(['settings', 'logitBias'], 'genai has no logit bias')
  return Object.fromEntries(wire)
}

const LAST_SEED = 2_147_483_647
const penalty = (value: number) => Math.max(-2, Math.min(value, 1.99))

/** What goes out for a setting that genai bounds; undefined when nothing of it can. */
const FIT: { readonly [key: string]: (value: number, stream: boolean) => number | undefined } = {
  temperature: (value) => Math.max(0, Math.min(value, 2)),
  topK: (value) => (value >= 1 ? value : undefined),
  candidates: (value, stream) => (stream ? 1 : Math.min(value, 8)),
  presencePenalty: (value) => (value >= 2 || value < -2 ? penalty(value) : value),
  frequencyPenalty: (value) => (value >= 2 || value < -2 ? penalty(value) : value),
  seed: (value) => (Math.abs(value) <= LAST_SEED ? value : undefined),
}
const REASON: { readonly [key: string]: string } = {
  temperature: 'genai ends at 2',
  topK: 'genai counts from 1',
  candidates: 'genai gives up to eight, and one in a stream',
  presencePenalty: 'genai ends below 2',
  frequencyPenalty: 'genai ends below 2',
  seed: 'genai seeds have 32 bits',
}

function encodeForm(output: OutputWish | undefined, context: EncodeContext): WireGeneration {
  if (output === undefined) return {}
  const { losses } = context
  const { format, schema, modalities, speech, image, ...others } = output
  for (const member of Object.keys(others)) losses.dropped(['output', member], `genai has no ${member} of its own`)
  return {
    ...encodeSchema(format, schema, context),
    ...(modalities === undefined ? {} : { responseModalities: modalities.map((modality) => modality.toUpperCase()) }),
    ...(speech === undefined ? {} : { speechConfig: speech }),
    ...(image === undefined ? {} : { imageConfig: image }),
  }
}

/** A schema needs a format that is not plain text; a standard one needs JSON. */
function encodeSchema(
  format: OutputWish['format'],
  schema: Schema | undefined,
  context: EncodeContext,
): WireGeneration {
  const { losses } = context
  if (schema === undefined) return format === undefined ? {} : { responseMimeType: MIME_OF[format] }
  if (format === 'text') {
    losses.dropped(['output', 'schema'], 'genai has no schemas for plain text')
    return { responseMimeType: MIME_OF[format] }
  }
  if (format === undefined) losses.added(['output', 'format'], 'json', 'genai names the format of a schema')
  const responseMimeType = MIME_OF[format ?? 'json']
  const standard =
    schema.dialect === 'json-schema' && context.dialect?.['schema'] !== 'openapi' && responseMimeType === MIME_OF.json
  if (standard) return { responseMimeType, responseJsonSchema: schema.value }
  return { responseMimeType, responseSchema: reducedSchema(schema, ['output', 'schema'], losses) }
}
