import { DragomanError, isObject, parseJson, type Protocol } from '@dragoman/core'
import { joinBody, joinBytes, type Billed, type Bytes, type Call } from '@dragoman/core/provider'
import { shortenRelayed } from '../bodies/long-strings.ts'
import { present } from '../bodies/request-work.ts'
import type { ShortBody } from '../bodies/short-body.ts'
import { decodeText } from '../collect.ts'
import type { Handler, StreamHandler } from '../modes/handler.ts'
import { relayStream } from '../modes/relay.ts'
import type { OperationCall } from '../operations/operation.ts'
import type { Route } from '../route.ts'
import { codecOf } from './media-codec.ts'
import type { MediaFacts } from './media-work.ts'
import type { MediaRequest, MediaRules } from './rules.ts'
import { streamContext } from './stream-context.ts'

/** Relays the answer's bytes, with the name of the model that the caller asked for. */
export function relayMedia<Request extends MediaRequest, Answer>(
  rules: MediaRules<Request, Answer>,
  call: OperationCall<MediaFacts>,
  route: Route,
  upstreamCall: Call,
  asked: Request,
): Handler {
  const {
    exchange: { protocol },
    body: { peek },
    match,
  } = call
  const codec = codecOf(rules, protocol)
  return {
    call: upstreamCall,
    streamType: protocol.stream.contentType(undefined),
    error: (status, text) => protocol.error.decode(status, text),
    whole(bytes) {
      const short = shortenRelayed(bytes)
      const tap = codec.tap({ stream: false, model: peek.model })
      const passed = tap.push(short.bytes)
      const { usage, complete, isError, rest } = tap.end()
      if (isError === true) return { error: decodeText(short.bytes) }
      if (!complete) throw new DragomanError('upstream', 'The upstream gave an answer that cannot be read.')
      const billed = billRelayed(rules, protocol, match.operation, short.bytes, asked) ?? usage
      return { body: filled(bytes, short, passed, rest), usage: billed, losses: [] }
    },
    stream(): StreamHandler {
      const streams = present(rules.streams)
      const tap = codec.tap({ stream: true, model: peek.model })
      const context = streamContext(rules, call, route, match.operation, asked)
      const relayed = relayStream(tap, (error) => streams.errorFrame(protocol, error, context))
      return {
        ...relayed,
        usage: () => streams.billRelayed(tap.end(), asked),
        report: () => ({ ...relayed.report(), uncounted: undefined, usage: streams.billRelayed(tap.end(), asked) }),
      }
    },
    restream: (answer) => {
      const context = streamContext(rules, call, route, match.operation, asked)
      return present(rules.streams).restream(protocol, answer, context)
    },
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
  if (passed === short.bytes && (rest === undefined || rest.length === 0)) return bytes
  const edited = joinBytes([passed, rest].flatMap((each) => each ?? []))
  return joinBody(short.fill(decodeText(edited)))
}
