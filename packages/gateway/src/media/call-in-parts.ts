import type { DragomanError } from '@dragoman/core'
import { redactError, sendWhole, type OutgoingBody, type WholeAnswer } from '@dragoman/core/provider'
import { present, type Prepared } from '../bodies/request-work.ts'
import type { CallParts, Sending } from '../modes/send.ts'
import type { OperationCall } from '../operations/operation.ts'
import type { Route } from '../route.ts'
import { redactOf } from '../route-facts.ts'
import { common, writeVectors } from './embedding-answers.ts'
import type { MediaFacts } from './media-work.ts'
import { createRunTransport, type Ran } from './run-transport.ts'
import { readVectors } from './vector-answer.ts'

/** More calls would be a burst that upstreams refuse. */
const SIDE_BY_SIDE = 8

/** Makes one answer out of several calls, each with some of the inputs. If one of them fails, all of them do. */
export function callInParts(
  call: OperationCall<MediaFacts>,
  route: Route,
  prepared: Prepared,
): Pick<Sending, 'calls' | 'compose' | 'createHandler'> {
  const { settings, exchange } = call
  const { parts } = present(prepared.media)
  let found: readonly Uint8Array[] | undefined
  let error: DragomanError | undefined
  return {
    calls: parts.length,
    compose: (given) =>
      createRunTransport<readonly Uint8Array[]>({
        run: (signal) =>
          callEach(
            given,
            route,
            parts.map(({ body }) => body),
            settings.limits.answer,
            signal,
          ),
        done: (answers) => (found = answers),
        failed: (thrown) => (error = redactError(thrown, redactOf(route))),
        statusOf: (thrown) => exchange.protocol.error.encode(thrown, '').status,
        clock: settings.clock,
        deadlineMs: given.deadlines.head,
      }),
    createHandler(upstreamCall) {
      const handler = common(call, route, upstreamCall)
      return {
        ...handler,
        error: (status, text) => error ?? handler.error(status, text),
        whole: () => writeVectors(call, route, prepared, present(found)),
      }
    },
  }
}

async function callEach(
  { transport, call }: CallParts,
  { protocol }: Route,
  bodies: readonly OutgoingBody[],
  limit: number,
  signal: AbortSignal,
): Promise<Ran<readonly Uint8Array[]>> {
  const found: Uint8Array[] = []
  let refused: WholeAnswer | undefined
  let next = 0
  const work = async (): Promise<void> => {
    while (next < bodies.length && refused === undefined) {
      const index = next++
      const answer = await sendWhole(transport, call(bodies[index]), { limit, signal })
      if (answer.status < 200 || answer.status > 299) refused = answer
      else found[index] = bytesOf(answer, (text) => protocol.error.decode(answer.status, text))
    }
  }
  await Promise.all(Array.from({ length: Math.min(SIDE_BY_SIDE, bodies.length) }, work))
  return refused === undefined ? { result: found } : { refused }
}

/** Errors have little text. Only they are found here, while another attempt is possible; the rest is read with all other answers. */
const LONGEST_ERROR = 16 * 1024

function bytesOf({ bytes }: WholeAnswer, errorOf: (text: string) => DragomanError): Uint8Array {
  if (bytes.length > LONGEST_ERROR) return bytes
  const read = readVectors(bytes)
  if ('error' in read) throw errorOf(read.error)
  return bytes
}
