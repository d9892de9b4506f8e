import { known, unknownOf } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import { decodedSchema, standardSchema } from '../../ir/schema.ts'
import type { Delivery, ModelRequest } from '../../ir/request.ts'
import type { OutputOptions, Settings } from '../../ir/settings.ts'
import { hashedUser } from '../../ir/user.ts'
import { defined } from '../../lib/defined.ts'
import { isEmpty, type JsonObject } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import { knowsMember } from '../openai-members.ts'
import type { Encoding } from '../context.ts'
import { FORMS } from './forms.ts'
import { answersSeveral, TABLES, type WrittenSettings } from './members.ts'
import { schemaFormat, type ChatRequest, type WireFormat } from './schema.ts'

/** The sampling members of a request. */
export function decodeSettings(wire: ChatRequest): Settings {
  const { temperature, seed, stop } = wire
  return defined({
    maxTokens: wire.max_completion_tokens ?? wire.max_tokens,
    temperature,
    topP: wire.top_p,
    presencePenalty: wire.presence_penalty,
    frequencyPenalty: wire.frequency_penalty,
    seed,
    logitBias: wire.logit_bias,
    candidates: wire.n === 1 ? undefined : wire.n,
    stop: typeof stop === 'string' ? [stop] : stop,
    logprobs: wire.logprobs === true ? (wire.top_logprobs ?? 0) : undefined,
  } satisfies WrittenSettings)
}

/** The member with the end user; the older one counts if there is no other. */
export function userMember({ safety_identifier, user }: ChatRequest): 'safety_identifier' | 'user' | undefined {
  if (typeof safety_identifier === 'string') return 'safety_identifier'
  return typeof user === 'string' && safety_identifier === undefined ? 'user' : undefined
}

const LONGEST_USER = 128

/** In the member that the upstream has for it. An identifier that it would refuse is hashed. */
export function encodeUser(user: string | undefined, losses: Losses, { dialect }: Encoding): JsonObject {
  const member = dialect?.['user'] ?? 'safety_identifier'
  if (user === undefined || typeof member !== 'string') return {}
  const fits = member === 'user_id' ? /^[\w-]{6,128}$/.test(user) : user.length <= LONGEST_USER
  return { [member]: fits ? user : hashedUser(user, losses) }
}

export function decodeOutput({ response_format: format, verbosity }: ChatRequest): OutputOptions | undefined {
  if (format == null && verbosity == null) return undefined
  const json = format?.type === 'json_object' || format?.type === 'json_schema' ? 'json' : undefined
  const { schema, name, strict, description } = format?.type === 'json_schema' ? format.json_schema : NO_SCHEMA
  const requested = defined({ format: json, name, ...decodedSchema(schema), strict, description, verbosity })
  return isEmpty(requested) ? undefined : requested
}

const NO_SCHEMA: Partial<Extract<WireFormat, { type: 'json_schema' }>['json_schema']> = {}

/** The members of a format that decodeOutput does not read. A format of an unknown kind is not read at all. */
export function unreadFormat(format: WireFormat | null | undefined): JsonObject | undefined {
  if (format == null) return undefined
  const { type } = format
  if (type === 'json_object' || type === 'json_schema') return unknownOf(format, FORMAT)
  return type === 'text' && unknownOf(format, FORMAT) === undefined ? undefined : (format as JsonObject) // parsed JSON
}

const FORMAT = known(schemaFormat)

/** The losses are those of the settings. */
export function encodeSettings(
  { settings, delivery }: ModelRequest,
  losses: Losses,
  context: Encoding,
): Partial<ChatRequest> {
  const { limits, dialect } = context
  const { maxTokens, stop, logprobs, candidates, temperature, seed } = settings
  const several = answersSeveral(context)
  const most = limits?.maxTokens ?? maxTokens
  const limit = maxTokens === undefined || most === undefined ? undefined : Math.min(maxTokens, most)
  if (limit !== maxTokens) losses.changed(['maxTokens'], limit, 'above the limit of the model')
  reportUnsupported(settings, TABLES.settings, losses, context)
  if (several && delivery.stream && candidates !== undefined)
    losses.dropped(['candidates'], 'a stream has one candidate')
  for (const index of stop?.keys() ?? [])
    if (index >= 4) losses.dropped(['stop', index], 'chat takes four stop sequences')
  return defined({
    temperature,
    top_p: settings.topP,
    presence_penalty: settings.presencePenalty,
    frequency_penalty: settings.frequencyPenalty,
    seed,
    logit_bias: settings.logitBias as Record<string, number> | undefined, // as chat has it
    n: several && !delivery.stream ? candidates : undefined,
    [dialect?.['maxTokens'] === 'max_tokens' ? 'max_tokens' : 'max_completion_tokens']: limit,
    stop: encodeStop(stop),
    logprobs: logprobs === undefined ? undefined : true,
    top_logprobs: logprobs || undefined,
  })
}

export function encodeOutput(
  output: OutputOptions | undefined,
  losses: Losses,
  context: Encoding,
): Pick<ChatRequest, 'response_format' | 'verbosity'> {
  if (output === undefined) return {}
  const { format, schema, name, strict, description, verbosity } = output
  const named = format === 'json' && (schema !== undefined || name !== undefined)
  const members = defined({ verbosity })
  reportUnsupported(output, named ? TABLES.output : FORMS.plainOutput, losses, context)
  if (!named) {
    if (format !== undefined && format !== 'json') losses.dropped(['format'], 'chat has no format')
    return format === 'json' ? { response_format: { type: 'json_object' }, ...members } : members
  }
  const fit = name?.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'response'
  if (name === undefined) losses.added(['name'], fit, 'chat names its schemas')
  else if (name !== fit) losses.changed(['name'], fit, 'chat names are of letters, digits, dashes')
  const value = schema === undefined ? undefined : standardSchema(schema, ['schema'], losses)
  const json_schema = defined({ name: fit, schema: value, strict, description })
  return { response_format: { type: 'json_schema', json_schema }, ...members }
}

/** OpenAI refuses an empty list. */
function encodeStop(stop: Settings['stop']): ChatRequest['stop'] {
  if (stop === undefined || stop.length === 0) return undefined
  return stop.length === 1 ? stop[0] : stop.slice(0, 4)
}

/** Only streams have these options. */
export function encodeStreamOptions(
  { stream, usage, obfuscation }: Delivery,
  losses: Losses,
  { dialect }: Encoding,
): ChatRequest['stream_options'] {
  if (!stream) {
    if (usage !== undefined) losses.dropped(['usage'], 'only streams have a choice about usage')
    if (obfuscation !== undefined) losses.dropped(['obfuscation'], 'only streams have padding')
    return undefined
  }
  const padded = knowsMember(dialect?.['serving'], 'include_obfuscation')
  if (obfuscation !== undefined && !padded) losses.dropped(['obfuscation'], 'this upstream has no padding')
  const options = defined({ include_usage: usage, include_obfuscation: padded ? obfuscation : undefined })
  return isEmpty(options) ? undefined : options
}
