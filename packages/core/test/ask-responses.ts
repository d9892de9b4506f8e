import type { JsonObject } from '../src/lib/json.ts'
import type { Protocol } from '../src/index.ts'
import { translate, type TranslateOptions } from '../src/protocols/translate.ts'
import { chat, genai, messages, responses } from './untyped.ts'

/** A request on its way: the body, and its losses by their paths in the body of the caller. */
export interface Sent {
  readonly body: JsonObject
  readonly losses: readonly string[]
}

export type Target = 'chat' | 'messages' | 'genai' | 'responses'

/** A request of a client of Responses toward an upstream of every protocol. */
export function askResponses(members: JsonObject, options: TranslateOptions = {}): Readonly<Record<Target, Sent>> {
  const body = responses.request.check({ model: 'm', input: 'Go.', max_output_tokens: 4096, ...members })
  return {
    chat: sent(responses, chat, body, options),
    messages: sent(responses, messages, body, options),
    genai: sent(responses, genai, body, options),
    responses: sent(responses, responses, body, options),
  }
}

/** A request of a client of another protocol toward an upstream that speaks Responses. */
export function sendToResponses(from: Exclude<Target, 'responses'>, members: JsonObject): Sent {
  const [caller, plain] = CALLERS[from]
  return sent(caller, responses, caller.request.check({ ...plain, ...members }), {})
}

const hello = { role: 'user', content: 'Go.' }
const CALLERS = {
  chat: [chat, { model: 'm', messages: [hello] }],
  messages: [messages, { model: 'm', max_tokens: 4096, messages: [hello] }],
  genai: [genai, { contents: [{ role: 'user', parts: [{ text: 'Go.' }] }] }],
} as const

function sent(caller: Protocol, upstream: Protocol, given: JsonObject, options: TranslateOptions): Sent {
  const { body, losses } = translate(caller, upstream, given, { match: { model: 'm' }, ...options })
  return { body, losses: losses.map(({ kind, wirePath }) => `${kind} ${wirePath}`) }
}
