import { nest } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { ModelRequest } from '../../ir/request.ts'
import { reducedSchema } from '../../ir/schema.ts'
import type { OutputOptions, Settings } from '../../ir/settings.ts'
import type { Schema } from '../../ir/tool.ts'
import { defined } from '../../lib/defined.ts'
import type { Draft } from '../../lib/draft.ts'
import { isEmpty, isObject } from '../../lib/json.ts'
import { decodeMembers, encodeMembers, isList, isNumber, type Members } from '../../lib/members.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import { TABLES, type WrittenSettings } from './members.ts'
import { decodeThinking, encodeThinking } from './reasoning.ts'
import type { WireGeneration } from './schema.ts'

type WireSetting = readonly [member: keyof WireGeneration, fits: (value: unknown) => boolean]

/** The member that holds a setting. */
const WIRE_OF: { readonly [Setting in keyof WrittenSettings]: WireSetting } = {
  temperature: ['temperature', isNumber],
  topP: ['topP', isNumber],
  topK: ['topK', isNumber],
  candidates: ['candidateCount', isNumber],
  maxTokens: ['maxOutputTokens', isNumber],
  stop: ['stopSequences', isList],
  presencePenalty: ['presencePenalty', isNumber],
  frequencyPenalty: ['frequencyPenalty', isNumber],
  seed: ['seed', isNumber],
  logprobs: ['logprobs', isNumber],
}
const ENTRIES = Object.entries(WIRE_OF) as [keyof WrittenSettings, WireSetting][] // its own members
const SETTINGS: Members<WireGeneration, Settings> = Object.fromEntries(
  ENTRIES.map(([setting, [member, fits]]) => [member, [setting, fits] as const]),
)
const MEMBER_OF = new Map<keyof Settings, string>(ENTRIES.map(([setting, [member]]) => [setting, member]))
const OUTPUT: Members<WireGeneration, OutputOptions> = {
  speechConfig: ['speech', isObject],
  imageConfig: ['image', isObject],
}

/** Settings, reasoning and output of a request, and the rest. */
export type Generation = Pick<ModelRequest, 'settings' | 'reasoning' | 'output'> & { readonly rest?: object }

export function decodeGeneration(wire: WireGeneration): Generation {
  const scored = wire.responseLogprobs === true
  const { ours: settings, rest: unset } = decodeMembers(
    scored ? { logprobs: 0, ...wire } : wire,
    scored ? SETTINGS : UNSCORED,
  )
  if (settings.candidates === 1) delete settings.candidates
  if (isEmpty(unset)) return { settings } // as most requests
  const { responseLogprobs, thinkingConfig, responseModalities, ...others } = unset as WireGeneration // some of its members
  const { responseMimeType, responseSchema, responseJsonSchema, ...members } = others
  const { ours: output, rest } = decodeMembers(members, OUTPUT)
  const { requested, rest: thinkingRest } = decodeThinking(thinkingConfig)
  const formRest = decodeForm({ responseMimeType, responseSchema, responseJsonSchema }, output)
  if (responseModalities !== undefined) output.modalities = decodeModalities(responseModalities)
  const generation: Draft<Generation> = {
    settings,
    rest: nest({ ...rest, ...formRest }, 'thinkingConfig', thinkingRest),
  }
  if (requested !== undefined) generation.reasoning = requested
  if (!isEmpty(output)) generation.output = output
  return generation
}

const { logprobs: _scored, ...UNSCORED } = SETTINGS

const FORMAT_OF: ReadonlyMap<string, NonNullable<OutputOptions['format']>> = new Map([
  ['text/plain', 'text'],
  ['application/json', 'json'],
  ['text/x.enum', 'enum'],
])
const MIME_OF = { text: 'text/plain', json: 'application/json', enum: 'text/x.enum' } as const

type WireForm = Pick<WireGeneration, 'responseMimeType' | 'responseSchema' | 'responseJsonSchema'>

/** The specification has images together with text. The Vercel AI SDK asks for images alone. */
function decodeModalities(wire: readonly string[]): readonly string[] {
  const modalities = wire.map((modality) => modality.toLowerCase())
  return modalities.includes('image') && !modalities.includes('text') ? ['text', ...modalities] : modalities
}

/** Sets the known members and returns the rest. */
function decodeForm(wire: WireForm, output: Draft<OutputOptions>): WireForm {
  const { responseMimeType, responseSchema, responseJsonSchema } = wire
  const rest: Draft<WireForm> = {}
  const format = FORMAT_OF.get(responseMimeType ?? '')
  if (format !== undefined) output.format = format
  else if (responseMimeType !== undefined) return defined(wire) // a schema belongs to its media type
  if (isObject(responseJsonSchema)) {
    output.schema = { dialect: 'json-schema', value: responseJsonSchema }
    if (responseSchema !== undefined) rest.responseSchema = responseSchema
  } else if (isObject(responseSchema)) output.schema = { dialect: 'openapi', value: responseSchema }
  return rest
}

/** The losses are those of the request. */
export function encodeGeneration(request: ModelRequest, losses: Losses, context: Encoding): WireGeneration {
  const { output, reasoning } = request
  const settings = encodeSettings(request, losses.at('settings'), context)
  return {
    ...settings,
    ...(output === undefined ? undefined : encodeForm(output, losses.at('output'), context)),
    ...(reasoning === undefined
      ? undefined
      : { thinkingConfig: encodeThinking(reasoning, settings.maxOutputTokens, losses.at('reasoning'), context) }),
  }
}

function encodeSettings({ settings, delivery }: ModelRequest, losses: Losses, context: Encoding): WireGeneration {
  const { logprobs, stop } = settings
  const wire: [string, unknown][] = []
  reportUnsupported(settings, TABLES.settings, losses, context)
  for (const [key, value] of Object.entries(settings) as [keyof Settings, unknown][]) {
    if (typeof value !== 'number') continue
    const to = boundOf(key, value, delivery.stream === true, context.limits?.maxTokens)
    if (to === undefined) losses.dropped([key], `genai has no ${key} of ${value}`)
    else if (to !== value) losses.changed([key], to, `genai has no ${key} of ${value}`)
    const member = MEMBER_OF.get(key)
    if (member !== undefined && to !== undefined && (key !== 'logprobs' || to !== 0)) wire.push([member, to])
  }
  for (const index of stop?.keys() ?? [])
    if (index >= 5) losses.dropped(['stop', index], 'genai takes five stop sequences')
  if (stop !== undefined) wire.push(['stopSequences', stop.slice(0, 5)])
  if (logprobs !== undefined) wire.push(['responseLogprobs', true])
  return Object.fromEntries(wire)
}

const LAST_SEED = 2_147_483_647

/** The value of a bounded setting; undefined if it cannot be expressed. */
function boundOf(key: keyof Settings, value: number, stream: boolean, most = value): number | undefined {
  switch (key) {
    case 'temperature':
      return Math.max(0, Math.min(value, 2))
    case 'topK':
      return value >= 1 ? value : undefined
    case 'candidates':
      return stream ? undefined : Math.min(value, 8)
    case 'presencePenalty':
    case 'frequencyPenalty':
      return value < 2 ? Math.max(-2, value) : 1.99
    case 'seed':
      return Math.abs(value) <= LAST_SEED ? value : undefined
    case 'maxTokens':
      return Math.min(value, most)
    case 'logprobs':
      return Math.min(value, 20)
    default:
      return value
  }
}

function encodeForm(output: OutputOptions, losses: Losses, context: Encoding): WireGeneration {
  const { format, schema, modalities } = output
  reportUnsupported(output, TABLES.output, losses, context)
  const responseModalities = modalities?.map((modality) => modality.toUpperCase())
  return {
    ...encodeSchema(format, schema, losses, context),
    ...defined({ responseModalities }),
    ...encodeMembers(output, OUTPUT),
  }
}

/** A schema needs a format other than plain text; a standard one needs JSON. */
function encodeSchema(
  format: OutputOptions['format'],
  schema: Schema | undefined,
  losses: Losses,
  { dialect }: Encoding,
): WireGeneration {
  if (schema === undefined && format === undefined) return {}
  const responseMimeType = MIME_OF[format ?? 'json']
  if (schema === undefined) return { responseMimeType }
  if (format === 'text') {
    losses.dropped(['schema'], 'genai has no schemas for plain text')
    return { responseMimeType }
  }
  if (format === undefined) losses.added(['format'], 'json', 'genai names the format of a schema')
  const standard = schema.dialect === 'json-schema' && dialect?.['schema'] !== 'openapi' && format !== 'enum'
  if (standard) return { responseMimeType, responseJsonSchema: schema.value }
  return { responseMimeType, responseSchema: reducedSchema(schema, ['schema'], losses) }
}
