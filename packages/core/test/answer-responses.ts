import type { JsonObject } from '../src/lib/json.ts'
import type { Loss } from '../src/ir/loss.ts'
import { translate, type Translation } from '../src/protocols/translate.ts'
import type { Target } from './ask-responses.ts'
import { chat, genai, messages, responses } from './untyped.ts'

const PROTOCOLS = { chat, messages, genai, responses }
const options = { match: { model: 'm' }, id: () => 'made', now: 1_700_000_000 }
const hello = { role: 'user', content: 'Go.' }
const PLAIN: Readonly<Record<Target, JsonObject>> = {
  chat: { model: 'm', messages: [hello] },
  messages: { model: 'm', max_tokens: 4096, messages: [hello] },
  genai: { contents: [{ role: 'user', parts: [{ text: 'Go.' }] }] },
  responses: { model: 'm', input: 'Go.' },
}

/** An answer on its way: the body, and its losses. */
export interface Answered {
  readonly body: JsonObject
  readonly losses: readonly string[]
}

/** The answer of an upstream for a client of Responses that has asked for `members`. */
export function answerFrom(from: Target, answer: JsonObject, members: JsonObject = {}): Answered {
  return read(translate(responses, PROTOCOLS[from], { ...PLAIN.responses, ...members }, options), answer)
}

/** The answer of an upstream that speaks Responses for a client of another protocol. */
export function answerFor(to: Target, answer: JsonObject, members: JsonObject = {}): Answered {
  return read(translate(PROTOCOLS[to], responses, { ...PLAIN[to], ...members }, options), answer)
}

function read(translation: Translation, answer: JsonObject): Answered {
  const { body, losses } = translation.response(answer)
  return { body, losses: losses.map(described) }
}

function described({ kind, path }: Loss): string {
  return `${kind} ${path.join('.')}`
}

/** The events that a client of Responses gets for a stream of an upstream. */
export function streamFrom(from: Target, events: readonly JsonObject[], members: JsonObject = {}): JsonObject[] {
  const asked = { ...PLAIN.responses, ...members, stream: true }
  return eventsOf(run(translate(responses, PROTOCOLS[from], asked, options), events))
}

/** The text that a client of another protocol gets for a stream of an upstream that speaks Responses. */
export function streamFor(to: Target, events: readonly (JsonObject | string)[], members: JsonObject = {}): string {
  const streamed = to === 'genai' ? { ...options, match: { model: 'm', stream: true } } : options
  const stream = to === 'genai' ? {} : { stream: true }
  return run(translate(PROTOCOLS[to], responses, { ...PLAIN[to], ...members, ...stream }, streamed), events)
}

/** Events are objects, or data as it stands on the wire. */
function run(translation: Translation, events: readonly (JsonObject | string)[]): string {
  let text = ''
  const stream = translation.answerStream((piece) => (text += piece))
  const data = events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event)))
  stream.push(new TextEncoder().encode(data.map((each) => `data: ${each}\n\n`).join('')))
  stream.end()
  return text
}

/** The events of a text of server-sent events. */
export function eventsOf(text: string): JsonObject[] {
  return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = '']) => JSON.parse(json) as JsonObject)
}
