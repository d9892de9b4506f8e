import { DragomanError, type Protocol } from '@dragoman/core'
import { codecOf, countsExpected } from '@dragoman/core/media'
import { joinBody, joinBytes, type Billed, type Bytes, type Call } from '@dragoman/core/provider'
import { parseAnswer, type ErrorInside, type Outgoing } from '../bodies/answer-work.ts'
import { shortenRelayed } from '../bodies/long-strings.ts'
import { offloadFor } from '../bodies/offload.ts'
import { present } from '../bodies/request-work.ts'
import type { ShortBody } from '../bodies/short-body.ts'
import { decodeText } from '../ports/collect.ts'
import type { Handler, StreamHandler } from '../modes/handler.ts'
import { relayStream } from '../modes/relay.ts'
import type { AnsweredMedia } from './answered-media.ts'
import type { PreparedMedia } from './prepared-media.ts'
import type { MediaRules } from './rules.ts'
import { streamContext } from './stream-context.ts'

/** Relays the answer's bytes, with the name of the model that the caller asked for. */
export function relayMedia(
  rules: MediaRules,
  { settings, caller, upstream, media, options, pricing }: AnsweredMedia,
  call: Call,
): Handler {
  const { answerModel: model } = options
  const context = () => streamContext(rules, caller, upstream, media, options)
  return {
    call,
    pricing,
    streamType: caller.stream.contentType(undefined),
    error: (status, text) => caller.error.decode(status, text),
    whole(bytes) {
      const thread = rules.hasFiles === true ? undefined : offloadFor(settings.offload, bytes.length, [caller])
      return (
        thread?.answer({ mode: 'relay', operation: rules.name, caller, model, asked: media }, bytes) ??
        relayMediaAnswer(rules, caller, model, media, bytes)
      )
    },
    stream(): StreamHandler {
      const streams = present(rules.streams)
      const tap = codecOf(rules, caller).tap({ stream: true, model })
      const relayed = relayStream(tap, (error) => streams.errorFrame(caller, error, context()))
      const bill = () => streams.billRelayed(tap.end(), media.brief)
      return { ...relayed, usage: bill, report: () => ({ ...relayed.report(), uncounted: undefined, usage: bill() }) }
    },
    restream: rules.streams && ((answer) => present(rules.streams).restream(upstream, answer, context())),
  }
}

/** The upstream's own bytes with the model's name edited, after a check that they are an answer. */
export function relayMediaAnswer(
  rules: MediaRules,
  caller: Protocol,
  model: string | undefined,
  media: PreparedMedia,
  bytes: Uint8Array,
): Outgoing | ErrorInside {
  const short = rules.hasFiles === true ? shortenRelayed(bytes) : undefined
  const source = short?.bytes ?? bytes
  const tap = codecOf(rules, caller).tap({ stream: false, model })
  const passed = tap.push(source)
  const { usage, complete, isError, rest } = tap.end()
  if (isError === true) return { error: decodeText(source) }
  if (!complete) throw new DragomanError('upstream', 'The upstream gave an answer that cannot be read.')
  if (short !== undefined) {
    const billed = billRelayed(rules, caller, media, source) ?? usage
    return { body: filled(bytes, short, passed, rest), usage: billed, losses: [] }
  }
  const body = joinBytes([passed, rest].filter((piece) => piece !== undefined))
  // Without a count, the estimate of the request is charged.
  const isCounted = countsExpected(usage, rules.expect?.(media.brief))
  return { body, losses: [], ...(isCounted ? { usage } : { usage: undefined, uncounted: 0 }) }
}

/** What the answer is billed for. Undefined if it cannot be read: it is relayed all the same. */
function billRelayed(
  rules: MediaRules,
  protocol: Protocol,
  { called, brief }: PreparedMedia,
  bytes: Uint8Array,
): Billed | undefined {
  try {
    const body = parseAnswer(decodeText(bytes))
    const { issuer } = protocol
    return rules.bill(codecOf(rules, protocol).answer.decode(body, { issuer, operation: called }), brief)
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
