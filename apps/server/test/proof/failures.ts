import type { Failure } from '@dragoman/testkit'
import type { Client } from '../clients/client.ts'

/** An error of an upstream in its own form, and what a caller of each protocol must receive. */
export interface FailureScene {
  readonly title: string
  readonly failure: Failure
  /** What callers receive. */
  readonly status: number
  readonly typeOf: Readonly<Record<Spoken, string>>
  /** The message for callers: the upstream's own, unless it concerns only the operator. */
  readonly message: string
  readonly retryAfter?: string
  /** The code of chat errors, which have a member for it. */
  readonly code?: string
  readonly param?: string
}

type Words = readonly [status: number, type: string]

const INVALID = { chat: 'invalid_request_error', messages: 'invalid_request_error', genai: 'INVALID_ARGUMENT' } as const
const SERVER = { chat: 'server_error', messages: 'api_error', genai: 'INTERNAL' } as const

/** Responses has the errors of chat. */
type Spoken = Exclude<Client['protocol'], 'responses'>

export function errorsOf(protocol: Client['protocol']): Spoken {
  return protocol === 'responses' ? 'chat' : protocol
}

/** The errors of upstreams of each protocol, by meaning. */
const WORDS: Readonly<Record<string, Readonly<Record<Spoken, Words>>>> = {
  invalid: {
    chat: [400, 'invalid_request_error'],
    messages: [400, 'invalid_request_error'],
    genai: [400, 'INVALID_ARGUMENT'],
  },
  key: {
    chat: [401, 'invalid_request_error'],
    messages: [401, 'authentication_error'],
    genai: [401, 'UNAUTHENTICATED'],
  },
  billing: { chat: [402, 'insufficient_quota'], messages: [402, 'billing_error'], genai: [402, 'FAILED_PRECONDITION'] },
  permission: {
    chat: [403, 'invalid_request_error'],
    messages: [403, 'permission_error'],
    genai: [403, 'PERMISSION_DENIED'],
  },
  missing: { chat: [404, 'invalid_request_error'], messages: [404, 'not_found_error'], genai: [404, 'NOT_FOUND'] },
  conflict: { chat: [409, 'invalid_request_error'], messages: [409, 'invalid_request_error'], genai: [409, 'ABORTED'] },
  large: {
    chat: [413, 'invalid_request_error'],
    messages: [413, 'request_too_large'],
    genai: [413, 'INVALID_ARGUMENT'],
  },
  unprocessable: {
    chat: [422, 'invalid_request_error'],
    messages: [422, 'invalid_request_error'],
    genai: [422, 'INVALID_ARGUMENT'],
  },
  limited: { chat: [429, 'rate_limit_error'], messages: [429, 'rate_limit_error'], genai: [429, 'RESOURCE_EXHAUSTED'] },
  broken: { chat: [500, 'server_error'], messages: [500, 'api_error'], genai: [500, 'INTERNAL'] },
  unavailable: { chat: [503, 'server_error'], messages: [503, 'api_error'], genai: [503, 'UNAVAILABLE'] },
  late: { chat: [504, 'server_error'], messages: [504, 'timeout_error'], genai: [504, 'DEADLINE_EXCEEDED'] },
  overloaded: { chat: [529, 'server_error'], messages: [529, 'overloaded_error'], genai: [529, 'UNAVAILABLE'] },
}

const MESSAGE = 'The upstream says why, in German: Grüße.'
/** Errors about the operator's credential, account or permission, which a caller cannot fix. */
const OPERATORS = 'The upstream refused the gateway.'

type Outcome = Pick<FailureScene, 'status' | 'typeOf'> & Partial<FailureScene>

const OUTCOME_OF: Readonly<Record<string, Outcome>> = {
  invalid: { status: 400, typeOf: INVALID },
  key: { status: 502, typeOf: SERVER, message: OPERATORS },
  billing: { status: 502, typeOf: SERVER, message: OPERATORS },
  permission: { status: 502, typeOf: SERVER, message: OPERATORS },
  missing: { status: 404, typeOf: { chat: 'not_found_error', messages: 'not_found_error', genai: 'NOT_FOUND' } },
  conflict: { status: 409, typeOf: { ...INVALID, genai: 'ABORTED' } },
  large: { status: 413, typeOf: { ...INVALID, messages: 'request_too_large' } },
  unprocessable: { status: 422, typeOf: INVALID },
  limited: {
    status: 429,
    typeOf: { chat: 'rate_limit_error', messages: 'rate_limit_error', genai: 'RESOURCE_EXHAUSTED' },
    retryAfter: '7',
  },
  broken: { status: 500, typeOf: SERVER },
  unavailable: { status: 503, typeOf: { ...SERVER, genai: 'UNAVAILABLE' } },
  late: { status: 504, typeOf: { ...SERVER, messages: 'timeout_error', genai: 'DEADLINE_EXCEEDED' } },
  overloaded: {
    status: 529,
    typeOf: { chat: 'server_error', messages: 'overloaded_error', genai: 'UNAVAILABLE' },
  },
}

/** Every class of error that an upstream of this protocol can return. */
export function failuresOf(protocol: Client['protocol']): FailureScene[] {
  return Object.entries(WORDS).map(([title, words]) => {
    const [status, type] = words[errorsOf(protocol)]
    const outcome = OUTCOME_OF[title]
    if (outcome === undefined) throw new Error(`No expected outcome for ${title}.`)
    const named =
      errorsOf(protocol) === 'chat' && title === 'invalid' ? { code: 'bad_number', param: 'temperature' } : {}
    const { retryAfter } = outcome
    return {
      title,
      message: MESSAGE,
      ...outcome,
      ...named,
      failure: {
        status,
        error: { type, message: MESSAGE, ...named },
        ...(retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }),
      },
    }
  })
}
