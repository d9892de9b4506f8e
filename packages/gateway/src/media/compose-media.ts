import { createLosses, type Loss } from '@dragoman/core'
import { redactError, sendWhole, type Fields, type WholeAnswer } from '@dragoman/core/provider'
import { routeHeaders } from '../answer-head.ts'
import { present, type Prepared } from '../bodies/request-work.ts'
import type { CallParts, Sending } from '../modes/send.ts'
import { forCaller } from '../modes/upstream-error.ts'
import type { OperationCall } from '../operations/operation.ts'
import type { Route } from '../route.ts'
import { redactOf } from '../route-facts.ts'
import { createUpstream } from './create-upstream.ts'
import type { MediaFacts } from './media-work.ts'
import { outgoingOf } from './outgoing-media.ts'
import type { PreparedMedia } from './prepared-media.ts'
import { readMediaAnswer } from './read-answer.ts'
import { createRunTransport, type Ran } from './run-transport.ts'
import type { MediaRequest, MediaRules, Taken } from './rules.ts'
import { streamContext } from './stream-context.ts'
import { writeAnswer } from './write-answer.ts'

/** An answer that is made out of several calls, by a driver, or into a stream. */
export function composeMedia<Request extends MediaRequest, Answer>(
  rules: MediaRules<Request, Answer>,
  call: OperationCall<MediaFacts>,
  route: Route,
  prepared: Prepared,
  asked: Request,
  sending: Omit<Sending, 'createHandler'>,
): Sending {
  const { settings, exchange } = call
  const { protocol } = exchange
  const media = present(prepared.media)
  const streamType = protocol.stream.contentType(undefined)
  let taken: Taken<Answer> | undefined
  let losses: readonly Loss[] = []
  return {
    ...sending,
    calls: callsOf(media),
    compose: (parts) =>
      createRunTransport<Drawn<Answer>>({
        run: (signal) => draw(rules, call, route, media, asked, parts, signal),
        done(drawn) {
          taken = drawn
          losses = drawn.losses
          // What a driver could not express is known only now.
          if (losses.length > 0) exchange.answer.front.described = describeLosses(call, route, prepared, losses)
        },
        failed(error) {
          taken = { error: redactError(error, redactOf(route)) }
        },
        statusOf: (error) => protocol.error.encode(error, '').status,
        errorOf: ({ status, text }) => redactError(route.protocol.error.decode(status, text()), redactOf(route)),
        clock: settings.clock,
        deadlineMs: parts.deadlines.head,
        // The first keep-alive follows after the same time: until then another route can be tried.
        stream: media.stream === false ? undefined : { type: streamType, afterMs: settings.keepAliveMs / 2 },
      }),
    createHandler: (upstreamCall) => ({
      call: upstreamCall,
      streamType,
      error: (status, text) =>
        taken !== undefined && 'error' in taken ? taken.error : route.protocol.error.decode(status, text),
      whole() {
        const { answer } = present(taken !== undefined && 'answer' in taken ? taken : undefined)
        return writeAnswer(rules, call, answer, asked, losses)
      },
      stream() {
        const take = (): Taken<Answer> => {
          const done = present(taken)
          return 'error' in done ? { error: forCaller(done.error) } : done
        }
        const context = streamContext(rules, call, route, media.operation, asked)
        const stream = present(rules.streams).emulate(protocol, take, context)
        return { ...stream, report: () => withLosses(stream.report(), losses) }
      },
    }),
  }
}

function withLosses<Report extends { readonly losses: readonly Loss[] }>(
  report: Report,
  losses: readonly Loss[],
): Report {
  return losses.length === 0 ? report : { ...report, losses: [...losses, ...report.losses] }
}

interface Drawn<Answer> {
  readonly answer: Answer
  readonly losses: readonly Loss[]
}

async function draw<Request extends MediaRequest, Answer>(
  rules: MediaRules<Request, Answer>,
  call: OperationCall<MediaFacts>,
  route: Route,
  media: PreparedMedia,
  asked: Request,
  parts: CallParts,
  signal: AbortSignal,
): Promise<Ran<Drawn<Answer>>> {
  const { settings } = call
  const ran = await (media.mode === 'driver'
    ? drive(rules, call, route, media, parts, signal)
    : callEach(rules, route, media, parts, settings.limits.answer, signal))
  if ('refused' in ran) return ran
  const clean = rules.redact?.(ran.result.answer, redactOf(route)) ?? ran.result.answer
  if (rules.finish === undefined) return { result: { ...ran.result, answer: clean } }
  const losses = createLosses()
  const upstream = createUpstream({ settings, route, deadlines: parts.deadlines, signal })
  const answer = await rules.finish(clean, asked, upstream, losses)
  return { result: { answer, losses: [...ran.result.losses, ...losses.entries()] } }
}

async function drive<Request extends MediaRequest, Answer>(
  rules: MediaRules<Request, Answer>,
  { settings, exchange }: OperationCall<MediaFacts>,
  route: Route,
  media: PreparedMedia,
  { transport, headers, deadlines }: CallParts,
  signal: AbortSignal,
): Promise<Ran<Drawn<Answer>>> {
  const call = present(rules.drive?.(route.provider))
  const requests = present(media.request) as readonly Request[] // by the work of the same kind
  const losses = createLosses()
  const answers = await Promise.all(
    requests.map((request, index) =>
      call(
        request,
        createUpstream({ settings, route, deadlines, signal, headers, transport }),
        index === 0 ? losses : createLosses(),
        { settings, exchange, route },
      ),
    ),
  )
  return { result: { answer: joined(rules, answers), losses: losses.entries() } }
}

/** Makes all calls side by side. If one fails, the whole call fails. */
async function callEach<Request extends MediaRequest, Answer>(
  rules: MediaRules<Request, Answer>,
  route: Route,
  media: PreparedMedia,
  { transport, call }: CallParts,
  limit: number,
  signal: AbortSignal,
): Promise<Ran<Drawn<Answer>>> {
  const bodies = media.parts.flatMap(({ body, times }) => Array.from({ length: times }, () => body))
  const answers = await Promise.all(
    bodies.map((body) => sendWhole(transport, call(outgoingOf(media, body)), { signal, limit })),
  )
  const refused = answers.find(isRefusal)
  if (refused !== undefined) return { refused }
  const losses = createLosses()
  const found = answers.map(({ bytes }, index) => {
    const read = readMediaAnswer(rules, route, media, bytes, index === 0 ? losses : createLosses())
    if ('error' in read) throw route.protocol.error.decode(200, read.error)
    return read.short.restore(read.answer)
  })
  return { result: { answer: joined(rules, found), losses: losses.entries() } }
}

/** The number of calls that draw. */
function callsOf({ mode, parts, request }: PreparedMedia): number {
  return mode === 'driver' ? (request?.length ?? 1) : parts.reduce((sum, { times }) => sum + times, 0)
}

function isRefusal({ status }: WholeAnswer): boolean {
  return status < 200 || status > 299
}

function joined<Request extends MediaRequest, Answer>(
  { join }: MediaRules<Request, Answer>,
  answers: readonly Answer[],
): Answer {
  const [first] = answers
  return answers.length === 1 || join === undefined ? present(first) : join(answers)
}

function describeLosses(
  { exchange }: OperationCall<MediaFacts>,
  route: Route,
  { plan, losses, lossCount }: Prepared,
  more: readonly Loss[],
): Fields {
  return routeHeaders(route, plan, [...losses, ...more], lossCount + more.length, exchange.meter.attempts)
}
