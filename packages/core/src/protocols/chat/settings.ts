import { nest } from '../../ir/extras.ts'
import { decodedSchema, standardSchema } from '../../ir/schema.ts'
import type { OutputWish, Settings } from '../../ir/settings.ts'
import type { Draft } from '../../lib/draft.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { EncodeContext } from '../protocol.ts'
import type { ChatRequest, WireFormat } from './schema.ts'

/** The sampling members of a request. */
export function decodeSettings(wire: ChatRequest): Settings {
  const settings: Draft<Settings> = {}
  const maxTokens = wire.max_completion_tokens ?? wire.max_tokens
  if (maxTokens != null) settings.maxTokens = maxTokens
  if (wire.temperature != null) settings.temperature = wire.temperature
  if (wire.top_p != null) settings.topP = wire.top_p
  if (wire.presence_penalty != null) settings.presencePenalty = wire.presence_penalty
  if (wire.frequency_penalty != null) settings.frequencyPenalty = wire.frequency_penalty
  if (wire.seed != null) settings.seed = wire.seed
  if (wire.logit_bias != null) settings.logitBias = wire.logit_bias
  if (wire.n != null) settings.candidates = wire.n
  if (wire.stop != null) settings.stop = typeof wire.stop === 'string' ? [wire.stop] : wire.stop
  if (wire.logprobs === true) settings.logprobs = wire.top_logprobs ?? 0
  return settings
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

export function encodeSettings(settings: Settings, { losses, limits, dialect }: EncodeContext): Partial<ChatRequest> {
  const { maxTokens, stop, logprobs, topK, candidates } = settings
  const wire: Draft<Partial<ChatRequest>> = {}
  if (settings.temperature !== undefined) wire.temperature = settings.temperature
  if (settings.topP !== undefined) wire.top_p = settings.topP
  if (settings.presencePenalty !== undefined) wire.presence_penalty = settings.presencePenalty
  if (settings.frequencyPenalty !== undefined) wire.frequency_penalty = settings.frequencyPenalty
  if (settings.seed !== undefined) wire.seed = settings.seed
  if (settings.logitBias !== undefined) wire.logit_bias = settings.logitBias as Record<string, number> // as chat has it
  if (candidates !== undefined) {
    const several = dialect?.['candidates'] === true
    if (candidates > 1 && !several) losses.changed(['settings', 'candidates'], 1, 'chat answers once')
    wire.n = several ? candidates : 1
  }
  if (maxTokens !== undefined) {
    const most = limits?.maxTokens ?? maxTokens
    if (maxTokens > most) losses.changed(['settings', 'maxTokens'], most, 'above the limit of the model')
    wire[dialect?.['maxTokens'] === 'max_tokens' ? 'max_tokens' : 'max_completion_tokens'] = Math.min(maxTokens, most)
  }
  if (stop !== undefined) {
    for (const index of stop.keys())
      if (index >= 4) losses.dropped(['settings', 'stop', index], 'chat takes four stop sequences')
    const [only] = stop
    wire.stop = stop.length === 1 && only !== undefined ? only : stop.slice(0, 4)
  }
  if (logprobs !== undefined) {
    wire.logprobs = true
    if (logprobs !== 0) wire.top_logprobs = logprobs
  }
  if (topK !== undefined) losses.dropped(['settings', 'topK'], 'chat has no top_k')
  return wire
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
