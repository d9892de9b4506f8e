import { nest } from '../../ir/extras.ts'
import { decodedSchema, standardSchema } from '../../ir/schema.ts'
import type { OutputWish, Settings } from '../../ir/settings.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { EncodeContext } from '../protocol.ts'
import type { ChatRequest, WireFormat } from './schema.ts'

const SETTING_OF = {
  max_completion_tokens: 'maxTokens',
  temperature: 'temperature',
  top_p: 'topP',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
  seed: 'seed',
  logit_bias: 'logitBias',
  n: 'candidates',
} as const satisfies { readonly [member: string]: keyof Settings }
type SettingMember = keyof typeof SETTING_OF

/** The sampling members of a request; the rest is what none of them is. */
export function decodeSettings(wire: Partial<ChatRequest>): { settings: Settings; rest: object } {
  const { stop, logprobs, top_logprobs, max_tokens, ...members } = wire
  const settings: [string, unknown][] = []
  const rest: [string, unknown][] = []
  for (const [member, value] of Object.entries(members)) {
    const key = Object.hasOwn(SETTING_OF, member) ? SETTING_OF[member as SettingMember] : undefined
    if (key === undefined) rest.push([member, value])
    else if (value !== null) settings.push([key, value])
  }
  if (stop != null) settings.push(['stop', typeof stop === 'string' ? [stop] : stop])
  if (logprobs === true) settings.push(['logprobs', top_logprobs ?? 0])
  else if (top_logprobs != null) rest.push(['top_logprobs', top_logprobs])
  if (max_tokens != null && members.max_completion_tokens == null) settings.push(['maxTokens', max_tokens])
  return { settings: Object.fromEntries(settings), rest: Object.fromEntries(rest) }
}

export function decodeFormat(format: WireFormat | null | undefined): OutputWish {
  if (format == null || format.type === 'text') return {}
  if (format.type === 'json_object') return { format: 'json' }
  const { name, schema, strict, description } = format.json_schema
  return {
    format: 'json',
    name,
    ...decodedSchema(schema),
    ...(strict == null ? {} : { strict }),
    ...(description === undefined ? {} : { description }),
  }
}

/** What decodeFormat did not take. */
export function formatRest(format: WireFormat | null | undefined): object | undefined {
  if (format == null) return undefined
  if (format.type !== 'json_schema') {
    const { type, ...rest } = format
    return type === 'text' && Object.keys(rest).length > 0 ? format : rest // text alone is what one gets anyway
  }
  const { type, json_schema, ...rest } = format
  const { name, schema, strict, description, ...inner } = json_schema
  return nest(rest, 'json_schema', inner)
}

export function encodeSettings(settings: Settings, { losses, limits, dialect }: EncodeContext): JsonObject {
  const wire: [string, unknown][] = []
  for (const [member, key] of Object.entries(SETTING_OF)) {
    if (settings[key] !== undefined && key !== 'maxTokens' && key !== 'candidates') wire.push([member, settings[key]])
  }
  const { maxTokens, stop, logprobs, topK, candidates } = settings
  if (candidates !== undefined) {
    const several = dialect?.['candidates'] === true
    if (candidates > 1 && !several) losses.changed(['settings', 'candidates'], 1, 'chat answers once')
    wire.push(['n', several ? candidates : 1])
  }
  if (maxTokens !== undefined) {
    const most = limits?.maxTokens ?? maxTokens
    if (maxTokens > most) losses.changed(['settings', 'maxTokens'], most, 'above the limit of the model')
    wire.push([
      dialect?.['maxTokens'] === 'max_tokens' ? 'max_tokens' : 'max_completion_tokens',
      Math.min(maxTokens, most),
    ])
  }
  if (stop !== undefined) {
    for (const index of stop.keys())
      if (index >= 4) losses.dropped(['settings', 'stop', index], 'chat takes four stop sequences')
    wire.push(['stop', stop.length === 1 ? stop[0] : stop.slice(0, 4)])
  }
  if (logprobs !== undefined)
    wire.push(['logprobs', true], ...(logprobs === 0 ? [] : [['top_logprobs', logprobs] as [string, unknown]]))
  if (topK !== undefined) losses.dropped(['settings', 'topK'], 'chat has no top_k')
  return Object.fromEntries(wire) as JsonObject // settings are JSON
}

export function encodeOutput(output: OutputWish | undefined, { losses }: EncodeContext): JsonObject {
  if (output === undefined) return {}
  const { format, schema, name, strict, description, verbosity, ...others } = output
  for (const member of Object.keys(others)) losses.dropped(['output', member], `chat has no ${member} of its own`)
  const said = verbosity === undefined ? {} : { verbosity }
  if (format === 'json' && (schema !== undefined || name !== undefined)) {
    const fit = name === undefined ? 'response' : name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'response'
    if (name === undefined) losses.added(['output', 'name'], fit, 'chat names its schemas')
    else if (name !== fit) losses.changed(['output', 'name'], fit, 'chat names are of letters, digits, dashes')
    const json_schema = {
      name: fit,
      ...(schema === undefined ? {} : { schema: standardSchema(schema, ['output', 'schema'], losses) }),
      ...(strict === undefined ? {} : { strict }),
      ...(description === undefined ? {} : { description }),
    }
    return { response_format: { type: 'json_schema', json_schema }, ...said }
  }
  for (const [member, value] of Object.entries({ schema, name, strict, description })) {
    if (value !== undefined) losses.dropped(['output', member], 'chat has it with a JSON schema alone')
  }
  if (format !== undefined && format !== 'json')
    losses.dropped(['output', 'format'], `chat has no ${format} format to ask for`)
  return { ...(format === 'json' ? { response_format: { type: 'json_object' } } : {}), ...said }
}
