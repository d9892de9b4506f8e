import {
  checkCounts,
  DragomanError,
  type CountLimits,
  type JsonObject,
  type Parsed,
  type Protocol,
} from '@dragoman/core'

/** The policy for request members that the specification does not accept, and where it is set. */
export interface UnsupportedFields {
  readonly policy: 'refuse' | 'accept'
  readonly setAt: string
}

/** A body that has been parsed and checked. */
export interface ReadBody {
  /** The text and the result of JSON.parse. */
  readonly parsed: Parsed
  /** With the member names of the protocol's schema. */
  readonly checked: JsonObject
}

/** Parses a JSON body, and checks how much it contains. */
export function parseBody(
  protocol: Protocol,
  bytes: Uint8Array,
  counts: CountLimits,
): { readonly text: string; readonly json: unknown } {
  const text = decodeText(bytes)
  const json = parse(text)
  checkCounts(json, protocol.request.history, text.length, counts)
  return { text, json }
}

/** Checks a parsed body. Every mistake is an invalid-request error that names the member. */
export function checkParsed(protocol: Protocol, { text, json }: ReturnType<typeof parseBody>): ReadBody {
  const checked = protocol.request.check(json)
  return { parsed: { text, json: json as JsonObject }, checked } // only an object passes the check
}

/** Parses a JSON body without checking its members. */
export function readJson(bytes: Uint8Array): unknown {
  return parse(decodeText(bytes))
}

/** Refuses members that the protocol's specification does not accept, if the operator has set this. */
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

/** Has no state between calls. */
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

/** The reason of the JavaScript engine without its quote from the body. */
function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : ''
  return message.replace(/, (\.\.\.)?".*$/s, '').replace(/\.$/, '')
}

function invalid(message: string, cause?: unknown): DragomanError {
  return new DragomanError('invalid-request', message, cause === undefined ? {} : { cause })
}
