import { known, withoutMember, type Known } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import { decodedSchema, standardSchema } from '../../ir/tool.ts'
import { hashedUser, type OutputOptions, type Settings } from '../../ir/request.ts'
import { defined } from '../../lib/members.ts'
import { isEmpty, isObject, optionalString, type JsonObject } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import { rowsOf, type Writing } from '../rows.ts'
import type { Encoding } from '../context.ts'
import { FORMS, TABLES } from './members.ts'
import { ANSWER } from './reasoning.ts'
import { NAME, outputConfig, type MessagesRequest } from './schema.ts'

/** The sampling settings of a request. Thinking does not allow a temperature or top_k, and limits top_p. */
export const SETTINGS = rowsOf<Settings, MessagesRequest, Writing & { readonly thinks: boolean }>(NAME, {
  has: {
    // `encodeMaxTokens` writes it: messages always has it.
    maxTokens: { at: 'max_tokens', fit: () => undefined },
    temperature: {
      at: 'temperature',
      fit(temperature, { losses, thinks }) {
        const isTaken = !thinks || temperature === 1
        if (!isTaken) losses.dropped(['temperature'], NOT_THINKING)
        else if (temperature > 1) losses.changed(['temperature'], 1, 'messages ends at 1')
        return isTaken ? Math.min(temperature, 1) : undefined
      },
    },
    topP: {
      at: 'top_p',
      fit(topP, { losses, thinks }) {
        const wide = thinks ? Math.max(topP, 0.95) : topP
        if (wide !== topP) losses.changed(['topP'], wide, 'thinking needs top_p of at least 0.95')
        return wide
      },
    },
    topK: {
      at: 'top_k',
      fit(topK, { losses, thinks }) {
        if (thinks) losses.dropped(['topK'], NOT_THINKING)
        return thinks ? undefined : topK
      },
    },
    stop: {
      at: 'stop_sequences',
      fit(stop, { losses }) {
        const isBlank = (sequence: string) => sequence.trim() === ''
        for (const [index, sequence] of stop.entries())
          if (isBlank(sequence)) losses.dropped(['stop', index], 'messages refuses blank stop sequences')
        const stops = stop.filter((sequence) => !isBlank(sequence))
        return stops.length === 0 && stop.length > 0 ? undefined : stops
      },
    },
  },
})

const NOT_THINKING = 'not allowed with thinking'

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
