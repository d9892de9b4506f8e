import { known } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import { hashedUser, type OutputOptions, type Settings } from '../../ir/request.ts'
import { defined } from '../../lib/members.ts'
import { isEmpty, type JsonObject } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import { decodeFormat, encodeNamed, unreadFormat } from '../openai.ts'
import { rowsOf } from '../rows.ts'
import type { Encoding } from '../context.ts'
import { FORMS, TABLES } from './members.ts'
import { NAME, schemaFormat, type ResponsesRequest } from './schema.ts'

/** The word of `include` that asks for log probabilities. */
const LOGPROBS = 'message.output_text.logprobs'
/** The word that asks for reasoning that can be sent back: nothing is stored, so it is always asked for. */
const ENCRYPTED = 'reasoning.encrypted_content'

/** The word that asks for the outputs of code: always asked for with code, because other protocols show them. */
const OUTPUTS = 'code_interpreter_call.outputs'

/** The most that OpenAI takes. */
const HOTTEST = 2
/** The least that OpenAI takes. */
const LEAST_TOKENS = 16

/** The sampling settings of a request. */
export const SETTINGS = rowsOf<Settings, ResponsesRequest>(NAME, {
  has: {
    maxTokens: {
      at: 'max_output_tokens',
      fit(asked, { losses, context: { limits } }) {
        const limit = Math.max(Math.min(asked, limits?.maxTokens ?? asked), LEAST_TOKENS)
        const why = limit === LEAST_TOKENS ? 'responses begins at 16' : 'above the limit of the model'
        if (limit !== asked) losses.changed(['maxTokens'], limit, why)
        return limit
      },
    },
    temperature: {
      at: 'temperature',
      fit(temperature, { losses }) {
        const warm = Math.min(temperature, HOTTEST)
        if (warm !== temperature) losses.changed(['temperature'], warm, `responses ends at ${HOTTEST}`)
        return warm
      },
    },
    topP: 'top_p',
    // `encodeIncludes` asks for them.
    logprobs: {
      at: ['top_logprobs', 'include'],
      read: (wire) => (asksLogprobs(wire) ? (wire.top_logprobs ?? 0) : undefined),
      write: (alternatives) => ({ top_logprobs: alternatives || undefined }),
    },
  },
  lacks: { candidates: 'responses answers once' },
})

/** What `include` asks for beside what is read. */
export function unreadIncludes({ include, tools }: ResponsesRequest): readonly string[] | undefined {
  const isRead = (word: string) => word === ENCRYPTED || word === LOGPROBS || (word === OUTPUTS && runsCode(tools))
  const others = include?.filter((word) => !isRead(word)) ?? []
  return others.length === 0 ? undefined : others
}

/** A number of alternatives that was not requested. */
export function unreadLogprobs(wire: ResponsesRequest): number | null | undefined {
  return asksLogprobs(wire) ? undefined : wire.top_logprobs
}

function asksLogprobs({ include }: ResponsesRequest): boolean {
  return include?.includes(LOGPROBS) === true
}

function runsCode(tools: ResponsesRequest['tools']): boolean {
  return tools?.some((tool) => (tool as { readonly type?: unknown }).type === 'code_interpreter') ?? false // a tool of the upstream
}

/** What a request asks for beside the answer; `own` has what its caller has asked for. */
export function encodeIncludes(
  { logprobs }: Settings,
  tools: ResponsesRequest['tools'],
  own: JsonObject | undefined,
): readonly string[] {
  const others = Array.isArray(own?.['include']) ? (own['include'] as string[]) : [] // as they came
  return [ENCRYPTED, ...(logprobs === undefined ? [] : [LOGPROBS]), ...(runsCode(tools) ? [OUTPUTS] : []), ...others]
}

/** The member with the end user; the older one counts if there is no other. */
export function userMember({ safety_identifier, user }: ResponsesRequest): 'safety_identifier' | 'user' | undefined {
  if (typeof safety_identifier === 'string') return 'safety_identifier'
  return typeof user === 'string' && safety_identifier == null ? 'user' : undefined
}

const LONGEST_USER = 64

/** An identifier that the upstream would refuse is hashed. */
export function encodeUser(user: string | undefined, losses: Losses): string | undefined {
  return user === undefined || user.length <= LONGEST_USER ? user : hashedUser(user, losses)
}

type WireText = NonNullable<ResponsesRequest['text']>

export function decodeOutput(text: WireText | null | undefined): OutputOptions | undefined {
  if (text == null) return undefined
  const { format, verbosity } = text
  return decodeFormat(format, format?.type === 'json_schema' ? format : undefined, verbosity)
}

/** The members that decodeOutput does not read. A format of an unknown kind is not read at all. */
export function unreadText(text: WireText | null | undefined): JsonObject | undefined {
  if (text == null) return undefined
  const { format, verbosity, ...rest } = text
  const left = { ...rest, ...defined({ format: unreadFormat(format, FORMAT) }) } as JsonObject // parsed JSON
  return isEmpty(left) ? undefined : left
}

const FORMAT = known(schemaFormat)

export function encodeOutput(
  output: OutputOptions | undefined,
  losses: Losses,
  context: Encoding,
): WireText | undefined {
  if (output === undefined) return undefined
  const { format, verbosity } = output
  const named = encodeNamed(output, NAME, losses)
  reportUnsupported(output, named === undefined ? FORMS.plainOutput : TABLES.output, losses, context)
  if (named !== undefined) return defined({ format: { type: 'json_schema' as const, ...named }, verbosity })
  if (format !== undefined && format !== 'json') losses.dropped(['format'], 'responses has no such format')
  const wire = defined({ format: format === 'json' ? { type: 'json_object' as const } : undefined, verbosity })
  return isEmpty(wire) ? undefined : wire
}
