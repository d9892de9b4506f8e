import { createLosses, type DragomanError, type Loss } from '@dragoman/core'
import { sendWhole, type Call, type Fields, type WholeAnswer } from '@dragoman/core/provider'
import { routeHeaders } from '../answer-head.ts'
import { present, type Prepared } from '../bodies/request-work.ts'
import type { Handler } from '../modes/handler.ts'
import { send, type CallParts, type Sending } from '../modes/send.ts'
import { acceptPlan } from '../operations/accept-plan.ts'
import type { OperationCall } from '../operations/operation.ts'
import type { Route } from '../route.ts'
import type { Next } from '../routing/next.ts'
import { createUpstream } from './create-upstream.ts'
import type { MediaFacts } from './media-work.ts'
import type { PreparedMedia } from './prepared-media.ts'
import { readMediaAnswer } from './read-answer.ts'
import { relayMedia } from './relay-media.ts'
import { createRunTransport, type Ran } from './run-transport.ts'
import type { MediaRequest, MediaRules } from './rules.ts'
import { noStream } from './no-stream.ts'
import { translateMedia } from './translate-media.ts'
import { writeAnswer } from './write-answer.ts'

/** Calls the upstream of a route with a prepared media request. */
export function askMedia<Request extends MediaRequest, Answer>(
  rules: MediaRules<Request, Answer>,
  call: OperationCall<MediaFacts>,
  route: Route,
  prepared: Prepared,
  next: Next,
): void {
  const { settings, exchange, fail } = call
  if (exchange.answer.over || !acceptPlan(call, route, prepared, next)) return
  const media = present(prepared.media)
  const asked = media.asked as Request // by the work of the same kind
  const sending = { operation: media.operation, body: prepared.body, stream: false, next, fail }
  const isOneCall = media.mode !== 'driver' && media.parts.length === 0
  if (!isOneCall) return send(settings, exchange, route, composed(rules, call, route, prepared, asked, sending))
  const createHandler = (upstreamCall: Call): Handler =>
    prepared.plan.mode === 'relay'
      ? relayMedia(rules, call, upstreamCall, asked)
      : translateMedia(rules, call, route, upstreamCall, media, asked)
  send(settings, exchange, route, { ...sending, createHandler })
}

/** An answer that is made out of several calls, or by a driver. */
function composed<Request extends MediaRequest, Answer>(
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
  let drawn: Drawn<Answer> | undefined
  let error: DragomanError | undefined
  return {
    ...sending,
    compose: (parts) =>
      createRunTransport<Drawn<Answer>>({
        run: (signal) =>
          media.mode === 'driver'
            ? drive(rules, call, route, media, parts, signal)
            : callEach(rules, route, media, parts, signal),
        done: (result) => (drawn = result),
        failed: (thrown) => (error = thrown),
        statusOf: (thrown) => protocol.error.encode(thrown, '').status,
        clock: settings.clock,
        deadlineMs: parts.deadlines.head,
      }),
    createHandler: (upstreamCall) => ({
      call: upstreamCall,
      streamType: '',
      error: (status, text) => error ?? route.protocol.error.decode(status, text),
      async whole() {
        const { answer, losses } = present(drawn)
        // What a driver could not express is known only now.
        if (losses.length > 0) exchange.answer.front.described = describeLosses(call, route, prepared, losses)
        const upstream = createUpstream({ settings, route, deadlines: settings.deadlines, signal: NEVER })
        const ofAnswer = createLosses()
        const finished = (await rules.finish?.(answer, asked, upstream, ofAnswer)) ?? answer
        return writeAnswer(rules, call, finished, asked, [...losses, ...ofAnswer.entries()])
      },
      stream: noStream,
    }),
  }
}

interface Drawn<Answer> {
  readonly answer: Answer
  readonly losses: readonly Loss[]
}

const NEVER = new AbortController().signal

async function drive<Request extends MediaRequest, Answer>(
  rules: MediaRules<Request, Answer>,
  { settings, exchange }: OperationCall<MediaFacts>,
  route: Route,
  media: PreparedMedia,
  { headers, deadlines }: CallParts,
  signal: AbortSignal,
): Promise<Ran<Drawn<Answer>>> {
  const call = present(rules.drive?.(route.provider))
  const requests = [media.request].flat() as Request[] // by the work of the same kind
  const losses = createLosses()
  const answers = await Promise.all(
    requests.map((request, index) =>
      call(
        request,
        createUpstream({ settings, route, deadlines, signal, headers }),
        index === 0 ? losses : createLosses(),
        { settings, exchange, route },
      ),
    ),
  )
  return { result: { answer: joined(rules, answers), losses: losses.entries() } }
}

/** Makes all calls side by side. If one fails, the whole call fails: what the others cost is not known to the caller. */
async function callEach<Request extends MediaRequest, Answer>(
  rules: MediaRules<Request, Answer>,
  route: Route,
  media: PreparedMedia,
  { transport, call }: CallParts,
  signal: AbortSignal,
): Promise<Ran<Drawn<Answer>>> {
  const bodies = media.parts.flatMap(({ body, times }) => Array.from({ length: times }, () => body))
  const answers = await Promise.all(bodies.map((body) => sendWhole(transport, call(body), { signal })))
  const refused = answers.find(isRefusal)
  if (refused !== undefined) return { refused }
  const read = answers.map(({ bytes }) => readMediaAnswer(rules, route, media, bytes))
  const error = read.find((each) => 'error' in each)
  if (error !== undefined && 'error' in error) throw route.protocol.error.decode(200, error.error)
  const found = read.flatMap((each) => ('answer' in each ? [each.short.restore(each.answer)] : []))
  return { result: { answer: joined(rules, found), losses: [] } }
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
