import { known, withoutMember, type Known } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import { decodedSchema, standardSchema } from '../../ir/schema.ts'
import type { OutputOptions, Settings } from '../../ir/settings.ts'
import { hashedUser } from '../../ir/user.ts'
import { defined } from '../../lib/defined.ts'
import { isEmpty, isObject, optionalString, type JsonObject } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import { FORMS } from './forms.ts'
import { TABLES, type WrittenSettings } from './members.ts'
import { ANSWER } from './reasoning.ts'
import { outputConfig, type MessagesRequest } from './schema.ts'

/** The sampling members of a request. */
export function decodeSettings(wire: MessagesRequest): Settings {
  const { max_tokens: maxTokens, temperature, top_p: topP, top_k: topK, stop_sequences: stop } = wire
  return defined({ maxTokens, temperature, topP, topK, stop } satisfies WrittenSettings)
}

type Config = NonNullable<MessagesRequest['output_config']>

export function decodeFormat(format: Config['format']): OutputOptions | undefined {
  return format?.type === 'json_schema' ? { format: 'json', ...decodedSchema(format.schema) } : undefined
}

/** The members of `output_config` that are read. Without thinking, effort concerns only the response, and is kept unchanged. */
export function knownConfig({ format, effort }: Config, thinks: boolean): Known {
  const formatted = format == null || format.type === 'json_schema'
  if (thinks || effort == null) return formatted ? EFFORT_AND_FORMAT : EFFORT
  return formatted ? FORMAT : NOTHING
}

const EFFORT_AND_FORMAT = known(outputConfig)
const EFFORT = known(outputConfig, { unread: ['format'] })
const FORMAT = known(outputConfig, { unread: ['effort'] })
const NOTHING = known(outputConfig, { unread: ['effort', 'format'] })

/** Without a limit of the caller or the model: enough for the thinking and an answer. */
export function encodeMaxTokens(
  { maxTokens }: Settings,
  thinking: number,
  losses: Losses,
  { limits }: Encoding,
): number {
  const most = limits?.maxTokens ?? maxTokens ?? ANSWER + thinking
  if (maxTokens === undefined) losses.added(['maxTokens'], most, 'messages needs a limit')
  else if (maxTokens > most) losses.changed(['maxTokens'], most, 'above the limit of the model')
  return Math.min(maxTokens ?? most, most)
}

/** Thinking does not allow a temperature or top_k, and limits top_p. */
export function encodeSampling(
  { temperature, topP, topK, stop }: Settings,
  thinks: boolean,
  losses: Losses,
): Pick<MessagesRequest, 'temperature' | 'top_p' | 'top_k' | 'stop_sequences'> {
  const report = (member: keyof Settings, sent: number | undefined, asked: number | undefined, reason: string) => {
    if (sent === undefined && asked !== undefined) losses.dropped([member], reason)
    else if (sent !== asked) losses.changed([member], sent, reason)
    return sent
  }
  const cold = temperature === undefined || (thinks && temperature !== 1) ? undefined : Math.min(temperature, 1)
  const wide = topP === undefined || !thinks ? topP : Math.max(topP, 0.95)
  const stops = stop?.filter((sequence, index) => {
    if (sequence.trim() !== '') return true
    losses.dropped(['stop', index], 'messages refuses blank stop sequences')
    return false
  })
  return defined({
    temperature: report('temperature', cold, temperature, thinks ? NOT_THINKING : 'messages ends at 1'),
    top_p: report('topP', wide, topP, 'thinking needs top_p of at least 0.95'),
    top_k: report('topK', thinks ? undefined : topK, topK, NOT_THINKING),
    stop_sequences: stops?.length === 0 && stop?.length !== 0 ? undefined : stops,
  })
}

const NOT_THINKING = 'not allowed with thinking'

export function encodeOutputConfig(
  output: OutputOptions | undefined,
  effort: string | undefined,
  losses: Losses,
  context: Encoding,
): MessagesRequest['output_config'] {
  if (output === undefined && effort === undefined) return undefined
  const { format, schema } = output ?? {}
  const structured = format === 'json' && schema !== undefined
  reportUnsupported(output ?? {}, structured ? TABLES.output : FORMS.plainOutput, losses, context)
  const config = defined({
    format: structured ? { type: 'json_schema', schema: standardSchema(schema, ['schema'], losses) } : undefined,
    effort,
  })
  return isEmpty(config) ? undefined : config
}

/** The end user, from metadata that may be anything. */
export function decodeUser(metadata: unknown): string | undefined {
  return isObject(metadata) ? optionalString(metadata['user_id']) : undefined
}

/** Unknown members of a request without the user in its metadata. */
export function withoutUser(rest: JsonObject | undefined, metadata: unknown): JsonObject | undefined {
  if (rest === undefined || !isObject(metadata) || decodeUser(metadata) === undefined) return rest
  const others = withoutMember(metadata, 'user_id')
  return others === undefined ? withoutMember(rest, 'metadata') : { ...rest, metadata: others }
}

/** Upstreams refuse what identifies a person, and identifiers that are too long. */
const REFUSED_USER = /@|^\+?[\d ().-]{7,}$|^.{257}/s

export function encodeUser(user: string | undefined, losses: Losses): JsonObject | undefined {
  return user === undefined ? undefined : { user_id: REFUSED_USER.test(user) ? hashedUser(user, losses) : user }
}
