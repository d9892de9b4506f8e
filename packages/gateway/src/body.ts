import {
  checkCounts,
  DragomanError,
  type CountLimits,
  type JsonObject,
  type Loss,
  type Parsed,
  type Protocol,
} from '@dragoman/core'

/** What becomes of request members that the specification does not accept, and where that is set. */
export interface UnsupportedFields {
  readonly policy: 'refuse' | 'accept'
  readonly setAt: string
}

/** A body as it was read. */
export interface ReadBody {
  /** The text, and what JSON.parse made of it. */
  readonly parsed: Parsed
  /** In the names of the protocol's own schema. */
  readonly checked: JsonObject
}

/** Parses a JSON body once and checks it. Every fault is an invalid request that says what and where. */
export function readBody(protocol: Protocol, bytes: Uint8Array, counts: CountLimits): ReadBody {
  const text = decodeText(bytes)
  const json = parse(text)
  checkCounts(json, protocol.request.history, text.length, counts)
  const checked = protocol.request.check(json)
  return { parsed: { text, json: json as JsonObject }, checked } // only an object passes the check
}

/** Parses a JSON body and leaves its meaning to others. */
export function readJson(bytes: Uint8Array): unknown {
  return parse(decodeText(bytes))
}

/** Refuses members that the protocol's specification does not accept, where the operator wants that. */
export function refuseMembers(protocol: Protocol, json: JsonObject, { policy, setAt }: UnsupportedFields): void {
  if (policy === 'accept') return
  const { refused } = protocol.request
  for (const member in refused) {
    if (!Object.hasOwn(json, member)) continue
    const hint = `${refused[member]}`.replace(/\.$/, '')
    throw new DragomanError(
      'unsupported',
      `The field "${member}" is not supported: ${hint}. (This gateway refuses such fields; "accept" takes them: ${setAt}.)`,
      { param: member, code: 'unsupported_parameter' },
    )
  }
}

/** What a request says that the protocol has no support for, and the request without it. */
export interface LeftOut {
  readonly body: JsonObject
  readonly members: readonly string[]
  readonly losses: readonly Loss[]
}

export function leaveOut(protocol: Protocol, json: JsonObject): LeftOut {
  const members = protocol.request.ignored.filter((member) => Object.hasOwn(json, member))
  if (members.length === 0) return { body: json, members, losses: [] }
  return {
    body: Object.fromEntries(Object.entries(json).filter(([member]) => !members.includes(member))),
    members,
    losses: members.map((member) => ({ kind: 'dropped', path: [member], reason: 'not supported here' })),
  }
}

/** Keeps no state between calls. */
const STRICT = new TextDecoder('utf-8', { fatal: true })

function decodeText(bytes: Uint8Array): string {
  if (bytes.length === 0) throw invalid('The body is empty; a JSON object is expected.')
  try {
    return STRICT.decode(bytes)
  } catch (cause) {
    throw invalid('The body is not valid UTF-8.', cause)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalid(`The body is not valid JSON: ${reasonOf(cause)}.`, cause)
  }
}

/** The engine's reason without the piece of the body that it quotes. */
function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : ''
  return message.replace(/, (\.\.\.)?".*$/s, '').replace(/\.$/, '')
}

function invalid(message: string, cause?: unknown): DragomanError {
  return new DragomanError('invalid-request', message, cause === undefined ? {} : { cause })
}
