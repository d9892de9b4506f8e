import { createLosses, type DragomanError, type Loss } from '@dragoman/core'
import { joinMedia } from '@dragoman/core/media'
import {
  redactError,
  sendWhole,
  type Call,
  type Fields,
  type OutgoingBody,
  type WholeAnswer,
} from '@dragoman/core/provider'
import { isErrorBody } from '@dragoman/core/protocols'
import { routeHeaders } from '../call/answer-head.ts'
import { parseAnswer } from '../bodies/answer-work.ts'
import { present, type BodyFacts, type Prepared } from '../bodies/request-work.ts'
import { decodeText } from '../ports/collect.ts'
import type { Handler } from '../modes/handler.ts'
import type { CallParts, Sending } from '../modes/send.ts'
import { forCaller } from '../routing/upstream-error.ts'
import type { OperationCall } from '../pipeline/operation.ts'
import type { Route } from '../models/route.ts'
import { redactOf } from '../models/route-facts.ts'
import { readAnswers, writeAnswer, type ReadAnswer } from './answers.ts'
import { createUpstream } from './create-upstream.ts'
import { outgoingOf, type AnsweredMedia } from './answered-media.ts'
import type { PreparedMedia } from './prepared-media.ts'
import { createRunTransport, type Ran } from './run-transport.ts'
import type { MediaRules, Taken } from './rules.ts'
import { streamContext } from './stream-context.ts'
import { isPlain, translateBytes } from './translate-media.ts'

/** What the calls have come to: answers that are still to be translated, or an answer that only has to be written. */
type Collected =
  | { readonly answers: readonly Uint8Array[]; readonly losses: readonly Loss[] }
  | { readonly answer: unknown; readonly losses: readonly Loss[] }

/** An answer that is made out of several calls, by a driver, or into a stream. */
export function composeMedia(
  rules: MediaRules,
  { exchange }: OperationCall<BodyFacts, PreparedMedia>,
  answered: AnsweredMedia,
  prepared: Prepared<PreparedMedia>,
): Pick<Sending, 'calls' | 'compose' | 'createHandler'> {
  const { settings, route, caller, upstream, media, options, pricing } = answered
  const streamType = caller.stream.contentType(undefined)
  let collected: Collected | undefined
  let error: DragomanError | undefined
  const losses = (): readonly Loss[] => collected?.losses ?? NO_LOSSES
  const taken = (): Taken => {
    if (error !== undefined) return { error }
    const done = present(collected)
    return { answer: present('answer' in done ? done.answer : undefined) }
  }
  const createHandler = (call: Call): Handler => ({
    call,
    pricing,
    streamType,
    error: (status, text) => error ?? upstream.error.decode(status, text),
    whole() {
      const done = present(collected)
      if ('answers' in done) return translateBytes(rules, answered, done.answers)
      return writeAnswer(rules, caller, media, options, done, done.losses)
    },
    stream() {
      const take = (): Taken => {
        const done = taken()
        return 'error' in done ? { error: forCaller(done.error) } : done
      }
      const context = streamContext(rules, caller, upstream, media, options)
      const stream = present(rules.streams).emulate(caller, take, context)
      return { ...stream, report: () => withLosses(stream.report(), losses()) }
    },
  })
  return {
    calls: callsOf(prepared),
    createHandler,
    compose: (parts) =>
      createRunTransport<Collected>({
        run: (signal) => collect(rules, answered, prepared, parts, signal),
        done(result) {
          collected = result
          // The losses of a driver are known only now.
          if (result.losses.length > 0)
            exchange.answer.front.described = describeLosses(route, prepared, result.losses, exchange.meter.attempts)
        },
        failed(thrown) {
          error = redactError(thrown, redactOf(route))
        },
        statusOf: (thrown) => caller.error.encode(thrown, '').status,
        errorOf: ({ status, text }) => redactError(upstream.error.decode(status, text()), redactOf(route)),
        clock: settings.clock,
        deadlineMs: parts.deadlines.head,
        // The first keep-alive follows after the same time: until then another route can be tried.
        stream: media.stream === false ? undefined : { type: streamType, afterMs: settings.keepAliveMs / 2 },
      }),
  }
}

const NO_LOSSES: readonly Loss[] = []

function withLosses<Report extends { readonly losses: readonly Loss[] }>(
  report: Report,
  losses: readonly Loss[],
): Report {
  return losses.length === 0 ? report : { ...report, losses: [...losses, ...report.losses] }
}

async function collect(
  rules: MediaRules,
  answered: AnsweredMedia,
  prepared: Prepared<PreparedMedia>,
  parts: CallParts,
  signal: AbortSignal,
): Promise<Ran<Collected>> {
  const { settings, route, upstream, media, options } = answered
  const losses = createLosses()
  let answer: unknown
  if (media.mode === 'driver') {
    answer = await drive(rules, answered, parts, signal, losses)
  } else {
    const bodies = (prepared.parts ?? []).flatMap(({ body, times }) => Array.from({ length: times }, () => body))
    const ran = await callEach(answered, prepared, bodies, parts, signal)
    if ('refused' in ran) return ran
    if (isPlain(rules)) return { result: { answers: ran.result, losses: NO_LOSSES } }
    const read = readAnswers(rules, upstream, media, options, ran.result, losses)
    if ('error' in read) throw upstream.error.decode(200, read.error)
    answer = restored(read)
  }
  const clean = rules.redact?.(answer, redactOf(route)) ?? answer
  const ofFinish = createLosses()
  const connection = createUpstream({ settings, route, deadlines: parts.deadlines, signal })
  const finished = (await rules.finish?.(clean, media.brief, connection, ofFinish)) ?? clean
  return { result: { answer: finished, losses: [...losses.entries(), ...ofFinish.entries()] } }
}

function restored({ answer, short }: ReadAnswer): unknown {
  return short?.restore(answer) ?? answer
}

async function drive(
  rules: MediaRules,
  { settings, route, media }: AnsweredMedia,
  { transport, headers, deadlines }: CallParts,
  signal: AbortSignal,
  losses: ReturnType<typeof createLosses>,
): Promise<unknown> {
  const driver = present(rules.drive?.(route.provider))
  const answers = await Promise.all(
    present(media.requests).map((request, index) =>
      driver.draw(
        request,
        createUpstream({ settings, route, deadlines, signal, headers, transport }),
        index === 0 ? losses : createLosses(),
      ),
    ),
  )
  return joinMedia(rules, answers, media)
}

/** More calls would be a burst that upstreams refuse. */
const SIDE_BY_SIDE = 10

/** Makes all calls. If one fails, the whole call fails. */
async function callEach(
  { settings, upstream }: AnsweredMedia,
  prepared: Prepared<PreparedMedia>,
  bodies: readonly OutgoingBody[],
  { transport, call }: CallParts,
  signal: AbortSignal,
): Promise<Ran<readonly Uint8Array[]>> {
  const found: Uint8Array[] = []
  const { answer: limit } = settings.limits
  let refused: WholeAnswer | undefined
  let next = 0
  const work = async (): Promise<void> => {
    for (let body = bodies[next]; body !== undefined && refused === undefined; body = bodies[next]) {
      const index = next++
      const answer = await sendWhole(transport, call(outgoingOf(prepared, body)), { limit, signal })
      if (answer.status < 200 || answer.status > 299) refused ??= answer
      else found[index] = checked(answer.bytes, (text) => upstream.error.decode(answer.status, text))
    }
  }
  await Promise.all(Array.from({ length: Math.min(SIDE_BY_SIDE, bodies.length) }, work))
  return refused === undefined ? { result: found } : { refused }
}

/** Errors have little text. Only they are found here, while another attempt is possible; the rest is read with all other answers. */
const LONGEST_ERROR = 16 * 1024

function checked(bytes: Uint8Array, errorOf: (text: string) => Error): Uint8Array {
  if (bytes.length > LONGEST_ERROR) return bytes
  const text = decodeText(bytes)
  if (isErrorBody(parseAnswer(text))) throw errorOf(text)
  return bytes
}

/** The number of calls that generate. */
function callsOf({ asked, parts = [] }: Prepared<PreparedMedia>): number {
  return asked.mode === 'driver' ? (asked.requests?.length ?? 1) : parts.reduce((sum, { times }) => sum + times, 0)
}

function describeLosses(
  route: Route,
  { plan, losses, lossCount }: Prepared,
  more: readonly Loss[],
  attempts: Parameters<typeof routeHeaders>[4],
): Fields {
  return routeHeaders(route, plan, [...losses, ...more], lossCount + more.length, attempts)
}
