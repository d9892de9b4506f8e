import { DragomanError, isObject, parseJson, type Protocol } from '@dragoman/core'
import { joinBody, joinBytes, type Billed, type Bytes, type Call } from '@dragoman/core/provider'
import { shortenAnswer, type ShortBody } from '../bodies/long-strings.ts'
import { decodeText } from '../collect.ts'
import type { Handler } from '../modes/handler.ts'
import type { OperationCall } from '../operations/operation.ts'
import { codecOf, type MediaFacts } from './media-work.ts'
import { noStream } from './no-stream.ts'
import type { MediaRequest, MediaRules } from './rules.ts'

/** Relays the answer's bytes, with the name of the model that the caller asked for. */
export function relayMedia<Request extends MediaRequest, Answer>(
  rules: MediaRules<Request, Answer>,
  { exchange: { protocol }, body: { peek }, match }: OperationCall<MediaFacts>,
  upstreamCall: Call,
  asked: Request,
): Handler {
  const codec = codecOf(rules, protocol)
  return {
    call: upstreamCall,
    streamType: protocol.stream.contentType(undefined),
    error: (status, text) => protocol.error.decode(status, text),
    whole(bytes) {
      const short = shortenAnswer(bytes)
      const tap = codec.tap({ stream: false, model: peek.model })
      const passed = tap.push(short.bytes)
      const { usage, complete, isError, rest } = tap.end()
      if (isError === true) return { error: decodeText(short.bytes) }
      if (!complete) throw new DragomanError('upstream', 'The upstream gave an answer that cannot be read.')
      const billed = billRelayed(rules, protocol, match.operation, short.bytes, asked) ?? usage
      return { body: filled(bytes, short, passed, rest), usage: billed, losses: [] }
    },
    stream: noStream,
  }
}

/** What the answer is billed for. Undefined if it cannot be read: it is relayed all the same. */
function billRelayed<Request extends MediaRequest, Answer>(
  rules: MediaRules<Request, Answer>,
  protocol: Protocol,
  operation: string,
  bytes: Uint8Array,
  asked: Request,
): Billed | undefined {
  try {
    const body = parseJson(decodeText(bytes))
    if (!isObject(body)) return undefined
    return rules.bill(codecOf(rules, protocol).answer.decode(body, { issuer: protocol.issuer, operation }), asked)
  } catch {
    return undefined
  }
}

/** The upstream's own bytes, unless the tap has edited them. */
function filled(
  bytes: Uint8Array,
  short: ShortBody,
  passed: Uint8Array | undefined,
  rest: Uint8Array | undefined,
): Bytes {
  const edited = joinBytes([passed, rest].flatMap((each) => (each === undefined || each.length === 0 ? [] : [each])))
  if (edited.length === short.bytes.length && (edited === short.bytes || passed === short.bytes)) return bytes
  return joinBody(short.fill(decodeText(edited)))
}
