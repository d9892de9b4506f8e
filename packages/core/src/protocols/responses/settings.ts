import { known, unknownOf } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import { decodedSchema, standardSchema } from '../../ir/schema.ts'
import type { OutputOptions, Settings } from '../../ir/settings.ts'
import { hashedUser } from '../../ir/user.ts'
import { defined } from '../../lib/defined.ts'
import { isEmpty, type JsonObject } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import { FORMS } from './forms.ts'
import { TABLES, type WrittenSettings } from './members.ts'
import { schemaFormat, type ResponsesRequest } from './schema.ts'

/** The word of `include` that asks for log probabilities. */
const LOGPROBS = 'message.output_text.logprobs'
/** The word that asks for reasoning that can be sent back: nothing is stored, so it is always asked for. */
const ENCRYPTED = 'reasoning.encrypted_content'

/** The word that asks for the outputs of code: always asked for with code, because other protocols show them. */
const OUTPUTS = 'code_interpreter_call.outputs'

/** The sampling members of a request. */
export function decodeSettings(wire: ResponsesRequest): Settings {
  return defined({
    maxTokens: wire.max_output_tokens,
    temperature: wire.temperature,
    topP: wire.top_p,
    logprobs: asksLogprobs(wire) ? (wire.top_logprobs ?? 0) : undefined,
  } satisfies WrittenSettings)
}

/** What `include` asks for beside what is read. */
export function unreadIncludes({ include, tools }: ResponsesRequest): readonly string[] | undefined {
  const isRead = (word: string) => word === ENCRYPTED || word === LOGPROBS || (word === OUTPUTS && runsCode(tools))
  const others = include?.filter((word) => !isRead(word)) ?? []
  return others.length === 0 ? undefined : others
}

/** A number of alternatives that nobody asked for. */
export function unreadLogprobs(wire: ResponsesRequest): number | null | undefined {
  return asksLogprobs(wire) ? undefined : wire.top_logprobs
}

function asksLogprobs({ include }: ResponsesRequest): boolean {
  return include?.includes(LOGPROBS) === true
}

function runsCode(tools: ResponsesRequest['tools']): boolean {
  return tools?.some((tool) => (tool as { readonly type?: unknown }).type === 'code_interpreter') ?? false // a tool of the upstream
}

/** The most that OpenAI takes. */
const HOTTEST = 2
/** The least that OpenAI takes. */
const LEAST_TOKENS = 16

export function encodeSettings(
  settings: Settings,
  tools: ResponsesRequest['tools'],
  own: JsonObject | undefined,
  losses: Losses,
  context: Encoding,
): Partial<ResponsesRequest> {
  const { maxTokens, temperature, topP, logprobs } = settings
  const most = context.limits?.maxTokens ?? maxTokens
  const limit =
    maxTokens === undefined || most === undefined ? undefined : Math.max(Math.min(maxTokens, most), LEAST_TOKENS)
  if (limit !== maxTokens)
    losses.changed(
      ['maxTokens'],
      limit,
      limit === LEAST_TOKENS ? 'responses begins at 16' : 'above the limit of the model',
    )
  reportUnsupported(settings, TABLES.settings, losses, context)
  const others = Array.isArray(own?.['include']) ? (own['include'] as string[]) : [] // as they came
  const warm = temperature === undefined ? undefined : Math.min(temperature, HOTTEST)
  if (warm !== temperature) losses.changed(['temperature'], warm, `responses ends at ${HOTTEST}`)
  return defined({
    max_output_tokens: limit,
    temperature: warm,
    top_p: topP,
    top_logprobs: logprobs || undefined,
    include: [
      ENCRYPTED,
      ...(logprobs === undefined ? [] : [LOGPROBS]),
      ...(runsCode(tools) ? [OUTPUTS] : []),
      ...others,
    ],
  })
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
  const json = format?.type === 'json_object' || format?.type === 'json_schema' ? 'json' : undefined
  const { schema, name, strict, description }: Partial<Extract<WireText['format'], { type: 'json_schema' }>> =
    format?.type === 'json_schema' ? format : {}
  const requested = defined({ format: json, name, ...decodedSchema(schema), strict, description, verbosity })
  return isEmpty(requested) ? undefined : requested
}

/** The members that decodeOutput does not read. A format of an unknown kind is not read at all. */
export function unreadText(text: WireText | null | undefined): JsonObject | undefined {
  if (text == null) return undefined
  const { format, verbosity, ...rest } = text
  const left = { ...rest, ...defined({ format: unreadFormat(format) }) } as JsonObject // parsed JSON
  return isEmpty(left) ? undefined : left
}

function unreadFormat(format: WireText['format']): JsonObject | undefined {
  if (format == null) return undefined
  const { type } = format
  if (type === 'json_object' || type === 'json_schema') return unknownOf(format, FORMAT)
  return type === 'text' && unknownOf(format, FORMAT) === undefined ? undefined : (format as JsonObject) // parsed JSON
}

const FORMAT = known(schemaFormat)

export function encodeOutput(
  output: OutputOptions | undefined,
  losses: Losses,
  context: Encoding,
): WireText | undefined {
  if (output === undefined) return undefined
  const { format, schema, name, strict, description, verbosity } = output
  const named = format === 'json' && (schema !== undefined || name !== undefined)
  reportUnsupported(output, named ? TABLES.output : FORMS.plainOutput, losses, context)
  if (!named) {
    if (format !== undefined && format !== 'json') losses.dropped(['format'], 'responses has no such format')
    const wire = defined({ format: format === 'json' ? { type: 'json_object' as const } : undefined, verbosity })
    return isEmpty(wire) ? undefined : wire
  }
  const fit = name?.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'response'
  if (name === undefined) losses.added(['name'], fit, 'responses names its schemas')
  else if (name !== fit) losses.changed(['name'], fit, 'names are of letters, digits, dashes')
  const value = schema === undefined ? undefined : standardSchema(schema, ['schema'], losses)
  return defined({
    format: defined({ type: 'json_schema' as const, name: fit, schema: value, strict, description }),
    verbosity,
  })
}
