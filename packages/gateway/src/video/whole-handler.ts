import type { DragomanError } from '@dragoman/core'
import { redactError, type Call } from '@dragoman/core/provider'
import { present } from '../bodies/request-work.ts'
import { createUpstream, type KeyedUpstream } from '../media/create-upstream.ts'
import { createRunTransport } from '../media/run-transport.ts'
import type { Handler } from '../modes/handler.ts'
import { noStream } from '../modes/no-stream.ts'
import type { OperationCall } from '../pipeline/operation.ts'
import type { Sending } from '../modes/send.ts'
import type { Route } from '../models/route.ts'
import { redactOf } from '../models/route-facts.ts'

/** The handling of an answer that is never streamed. */
export function wholeHandler({ protocol }: Route, call: Call, whole: Handler['whole']): Handler {
  return {
    call,
    streamType: '',
    error: (status, text) => protocol.error.decode(status, text),
    whole,
    stream: noStream,
  }
}

/** How the driver of a route makes an answer, by calls of its own. */
export function driveWhole<Result>(
  { settings, exchange }: Pick<OperationCall, 'settings' | 'exchange'>,
  route: Route,
  drive: (upstream: KeyedUpstream) => Promise<Result>,
  whole: (result: Result) => ReturnType<Handler['whole']>,
): Pick<Sending, 'createHandler' | 'compose'> {
  let found: Result | undefined
  let error: DragomanError | undefined
  return {
    createHandler: (call) => ({
      ...wholeHandler(route, call, () => whole(present(found))),
      error: () => present(error),
    }),
    compose: ({ transport, headers, deadlines }) =>
      createRunTransport<Result>({
        run: async (signal) => ({
          result: await drive(createUpstream({ settings, route, deadlines, signal, headers, transport })),
        }),
        done: (result) => (found = result),
        failed: (thrown) => (error = redactError(thrown, redactOf(route))),
        statusOf: (thrown) => exchange.protocol.error.encode(thrown, '').status,
        clock: settings.clock,
        deadlineMs: deadlines.head,
      }),
  }
}
