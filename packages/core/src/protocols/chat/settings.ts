import { known } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import { hashedUser, type Delivery, type OutputOptions, type Settings } from '../../ir/request.ts'
import { defined } from '../../lib/members.ts'
import { isEmpty, type JsonObject } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import { knowsMember, decodeFormat, encodeNamed, unreadFormat } from '../openai.ts'
import { rowsOf, type Writing } from '../rows.ts'
import type { Encoding } from '../context.ts'
import { FORMS, answersSeveral, TABLES } from './members.ts'
import { NAME, schemaFormat, type ChatRequest } from './schema.ts'

/** The sampling settings of a request. */
export const SETTINGS = rowsOf<Settings, ChatRequest, Writing & { readonly stream: boolean | undefined }>(NAME, {
  has: {
    temperature: 'temperature',
    topP: 'top_p',
    presencePenalty: 'presence_penalty',
    frequencyPenalty: 'frequency_penalty',
    seed: 'seed',
    logitBias: 'logit_bias',
    candidates: {
      at: 'n',
      read: ({ n }) => (n === 1 ? undefined : n),
      fit(many, { losses, stream }) {
        if (!stream) return many
        losses.dropped(['candidates'], 'a stream has one candidate')
        return undefined
      },
      unless: (context) => (answersSeveral(context) ? undefined : 'this upstream answers once'),
    },
    maxTokens: {
      at: ['max_completion_tokens', 'max_tokens'],
      write(asked, { losses, context: { limits, dialect } }) {
        const limit = Math.min(asked, limits?.maxTokens ?? asked)
        if (limit !== asked) losses.changed(['maxTokens'], limit, 'above the limit of the model')
        return dialect?.['maxTokens'] === 'max_tokens' ? { max_tokens: limit } : { max_completion_tokens: limit }
      },
    },
    stop: {
      at: 'stop',
      read: ({ stop }) => (typeof stop === 'string' ? [stop] : stop),
      write(stop, { losses }) {
        for (const index of stop.keys())
          if (index >= 4) losses.dropped(['stop', index], 'chat takes four stop sequences')
        // OpenAI refuses an empty list.
        return stop.length === 0 ? undefined : { stop: stop.length === 1 ? stop[0] : stop.slice(0, 4) }
      },
    },
    logprobs: {
      at: ['logprobs', 'top_logprobs'],
      read: ({ logprobs, top_logprobs }) => (logprobs === true ? (top_logprobs ?? 0) : undefined),
      write: (alternatives) => ({ logprobs: true, top_logprobs: alternatives || undefined }),
    },
  },
})

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
  return decodeFormat(format, format?.type === 'json_schema' ? format.json_schema : undefined, verbosity)
}

/** The members of a format that `decodeOutput` does not read. */
export function unreadOutput({ response_format: format }: ChatRequest): JsonObject | undefined {
  return unreadFormat(format, FORMAT)
}

const FORMAT = known(schemaFormat)

export function encodeOutput(
  output: OutputOptions | undefined,
  losses: Losses,
  context: Encoding,
): Pick<ChatRequest, 'response_format' | 'verbosity'> {
  if (output === undefined) return {}
  const { format, verbosity } = output
  const json_schema = encodeNamed(output, NAME, losses)
  reportUnsupported(output, json_schema === undefined ? FORMS.plainOutput : TABLES.output, losses, context)
  const members = defined({ verbosity })
  if (json_schema !== undefined) return { response_format: { type: 'json_schema', json_schema }, ...members }
  if (format !== undefined && format !== 'json') losses.dropped(['format'], 'chat has no format')
  return format === 'json' ? { response_format: { type: 'json_object' }, ...members } : members
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
