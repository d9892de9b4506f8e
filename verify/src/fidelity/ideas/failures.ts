import { fact, type Idea, type ProtocolName } from '../fact.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import { at, contains } from '../look.ts'

/** A failed call in each protocol: its status and its error type. */
interface Word {
  readonly name: string
  readonly chat: readonly [status: number, type: string]
  readonly messages: readonly [status: number, type: string]
  readonly genai: readonly [status: number, status: string]
  /** The statuses that make an SDK raise the right class of error. */
  readonly statuses: { readonly [Name in ProtocolName]: readonly number[] }
  /** Responses has those of chat. */
  readonly words: { readonly [Name in Exclude<ProtocolName, 'responses'>]: RegExp }
}

const all = (...statuses: readonly number[]) => ({
  chat: statuses,
  messages: statuses,
  genai: statuses,
  responses: statuses,
})

const WORDS: readonly Word[] = [
  {
    name: 'a bad request',
    chat: [400, 'invalid_request_error'],
    messages: [400, 'invalid_request_error'],
    genai: [400, 'INVALID_ARGUMENT'],
    statuses: all(400),
    words: {
      chat: /^invalid_request_error$/,
      messages: /^invalid_request_error$/,
      genai: /^(INVALID_ARGUMENT|FAILED_PRECONDITION)$/,
    },
  },
  {
    name: 'something unknown',
    chat: [404, 'invalid_request_error'],
    messages: [404, 'not_found_error'],
    genai: [404, 'NOT_FOUND'],
    statuses: all(404),
    words: { chat: /^(invalid_request_error|not_found_error)$/, messages: /^not_found_error$/, genai: /^NOT_FOUND$/ },
  },
  {
    name: 'too much at once',
    chat: [429, 'rate_limit_error'],
    messages: [429, 'rate_limit_error'],
    genai: [429, 'RESOURCE_EXHAUSTED'],
    statuses: all(429),
    words: {
      chat: /^(rate_limit_error|rate_limit_exceeded|requests|tokens)$/,
      messages: /^rate_limit_error$/,
      genai: /^RESOURCE_EXHAUSTED$/,
    },
  },
  {
    name: 'a fault of the server',
    chat: [500, 'server_error'],
    messages: [500, 'api_error'],
    genai: [500, 'INTERNAL'],
    statuses: all(500, 502),
    words: { chat: /^(server_error|api_error)$/, messages: /^api_error$/, genai: /^(INTERNAL|UNKNOWN)$/ },
  },
  {
    name: 'a server that is too busy',
    chat: [503, 'server_error'],
    messages: [529, 'overloaded_error'],
    genai: [503, 'UNAVAILABLE'],
    statuses: all(503, 529),
    words: {
      chat: /^(server_error|overloaded_error|service_unavailable_error)$/,
      // The class of the error depends on the status.
      messages: /^(overloaded_error|api_error)$/,
      genai: /^UNAVAILABLE$/,
    },
  },
  {
    name: 'time that ran out',
    chat: [504, 'server_error'],
    messages: [504, 'timeout_error'],
    genai: [504, 'DEADLINE_EXCEEDED'],
    statuses: all(504, 408),
    words: {
      chat: /^(server_error|timeout_error|timeout)$/,
      messages: /^(timeout_error|api_error)$/,
      genai: /^DEADLINE_EXCEEDED$/,
    },
  },
  {
    name: 'a request that is too large',
    chat: [413, 'invalid_request_error'],
    messages: [413, 'request_too_large'],
    genai: [413, 'INVALID_ARGUMENT'],
    statuses: all(413),
    words: {
      chat: /^(invalid_request_error|request_too_large)$/,
      messages: /^(request_too_large|invalid_request_error)$/,
      genai: /^(INVALID_ARGUMENT|OUT_OF_RANGE|FAILED_PRECONDITION)$/,
    },
  },
]

const MESSAGE = 'Something went wrong over there'
const failure = (status: number, body: JsonObject): JsonObject => ({ status, body })
const oneOf =
  (statuses: readonly number[]) =>
  (value: JsonValue): boolean =>
    statuses.some((status) => status === value)

/** Failed calls. */
export const failures: readonly Idea[] = WORDS.map(({ name, chat, messages, genai, statuses, words }) => ({
  name,
  in: {
    chat: failure(chat[0], { error: { message: MESSAGE, type: chat[1], param: null, code: null } }),
    messages: failure(messages[0], { type: 'error', error: { type: messages[1], message: MESSAGE } }),
    genai: failure(genai[0], { error: { code: genai[0], message: MESSAGE, status: genai[1] } }),
    responses: failure(chat[0], { error: { message: MESSAGE, type: chat[1], param: null, code: null } }),
  },
  facts: [
    fact('the status', /nothing/, {
      chat: at('status', oneOf(statuses.chat)),
      messages: at('status', oneOf(statuses.messages)),
      genai: at('status', oneOf(statuses.genai)),
      responses: at('status', oneOf(statuses.responses)),
    }),
    fact('the kind', /nothing/, {
      chat: at('body.error.type', words.chat),
      messages: at('body.error.type', words.messages),
      genai: at('body.error.status', words.genai),
      responses: at('body.error.type', words.chat),
    }),
    fact('the message', /nothing/, {
      chat: at('body.error.message', contains(MESSAGE)),
      messages: at('body.error.message', contains(MESSAGE)),
      genai: at('body.error.message', contains(MESSAGE)),
      responses: at('body.error.message', contains(MESSAGE)),
    }),
  ],
}))
