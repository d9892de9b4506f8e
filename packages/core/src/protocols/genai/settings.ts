import { nest } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { ModelRequest, OutputOptions, Settings } from '../../ir/request.ts'
import { reducedSchema, type Schema } from '../../ir/tool.ts'
import { defined, decodeMembers, encodeMembers, isNumber, type Draft, type Members } from '../../lib/members.ts'
import { isEmpty, isObject } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import { rowsOf, type MemberOf, type Row, type Writing } from '../rows.ts'
import type { Encoding } from '../context.ts'
import { TABLES } from './members.ts'
import { decodeThinking, encodeThinking } from './reasoning.ts'
import { NAME, type WireGeneration } from './schema.ts'

type Scope = Writing & { readonly stream: boolean | undefined }
type Numeric = Exclude<keyof Settings, 'stop' | 'logitBias'>

/** A number, as far as genai takes it; undefined if it cannot be expressed. */
function bounded(
  setting: Numeric,
  at: MemberOf<WireGeneration>,
  within: (value: number, scope: Scope) => number | undefined = (value) => value,
): Row<WireGeneration, number, Scope> {
  return {
    at,
    read(wire) {
      const value = wire[at]
      return isNumber(value) ? value : undefined
    },
    fit(value, scope) {
      const to = within(value, scope)
      if (to === undefined) scope.losses.dropped([setting], `genai has no ${setting} of ${value}`)
      else if (to !== value) scope.losses.changed([setting], to, `genai has no ${setting} of ${value}`)
      return to
    },
  }
}

const LAST_SEED = 2_147_483_647
const penalty = (value: number) => (value < 2 ? Math.max(-2, value) : 1.99)

/** The sampling settings of a request. */
const SETTINGS = rowsOf<Settings, WireGeneration, Scope>(NAME, {
  has: {
    temperature: bounded('temperature', 'temperature', (value) => Math.max(0, Math.min(value, 2))),
    topP: bounded('topP', 'topP'),
    topK: bounded('topK', 'topK', (value) => (value >= 1 ? value : undefined)),
    candidates: bounded('candidates', 'candidateCount', (value, { stream }) =>
      stream ? undefined : Math.min(value, 8),
    ),
    maxTokens: bounded('maxTokens', 'maxOutputTokens', (value, { context }) =>
      Math.min(value, context.limits?.maxTokens ?? value),
    ),
    stop: {
      at: 'stopSequences',
      read: ({ stopSequences: stop }) => (Array.isArray(stop) ? stop : undefined),
      fit(stop, { losses }) {
        for (const index of stop.keys())
          if (index >= 5) losses.dropped(['stop', index], 'genai takes five stop sequences')
        return stop.slice(0, 5)
      },
    },
    presencePenalty: bounded('presencePenalty', 'presencePenalty', penalty),
    frequencyPenalty: bounded('frequencyPenalty', 'frequencyPenalty', penalty),
    seed: bounded('seed', 'seed', (value) => (Math.abs(value) <= LAST_SEED ? value : undefined)),
    logprobs: {
      at: ['responseLogprobs', 'logprobs'],
      read: ({ responseLogprobs, logprobs = 0 }) =>
        responseLogprobs === true && isNumber(logprobs) ? logprobs : undefined,
      write(asked, { losses }) {
        const many = Math.min(asked, 20)
        if (many !== asked) losses.changed(['logprobs'], many, `genai has no logprobs of ${asked}`)
        return { responseLogprobs: true, logprobs: many || undefined }
      },
    },
  },
})
export const SETTING_SITES = SETTINGS.sites('settings', 'generationConfig')
const SETTING_AT = new Map(
  Object.entries(SETTINGS.sites('')).flatMap(([path, names]) =>
    names.map((name) => [name, path.slice(1) as keyof Settings]),
  ),
)

/** The members that are no settings, or not settings as they should be; undefined if there are none. */
function unreadSettings(wire: WireGeneration, settings: Settings): WireGeneration | undefined {
  let unread: [string, unknown][] | undefined
  for (const name in wire) {
    const setting = SETTING_AT.get(name)
    if (setting === undefined || settings[setting] === undefined) (unread ??= []).push([name, wire[name]])
  }
  return unread && Object.fromEntries(unread)
}
const OUTPUT: Members<WireGeneration, OutputOptions> = {
  speechConfig: ['speech', isObject],
  imageConfig: ['image', isObject],
}

/** Settings, reasoning and output of a request, and the rest. */
export type Generation = Pick<ModelRequest, 'settings' | 'reasoning' | 'output'> & { readonly rest?: object }

export function decodeGeneration(wire: WireGeneration): Generation {
  const settings: Draft<Settings> = SETTINGS.decode(wire)
  const unset = unreadSettings(wire, settings)
  if (settings.candidates === 1) delete settings.candidates
  if (unset === undefined) return { settings } // as most requests
  const { responseLogprobs, thinkingConfig, responseModalities, ...others } = unset
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
  const { output, reasoning, delivery } = request
  const scope = { losses: losses.at('settings'), context, stream: delivery.stream }
  const settings = SETTINGS.encode(request.settings, scope)
  return {
    ...settings,
    ...(output === undefined ? undefined : encodeForm(output, losses.at('output'), context)),
    ...(reasoning === undefined
      ? undefined
      : { thinkingConfig: encodeThinking(reasoning, settings.maxOutputTokens, losses.at('reasoning'), context) }),
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
