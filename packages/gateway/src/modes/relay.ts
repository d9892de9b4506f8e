import { createLosses, DragomanError, type Protocol, type Tap, type TapOptions } from '@dragoman/core'
import type { Call } from '@dragoman/core/provider'
import { decodeText } from '../ports/collect.ts'
import type { Settings } from '../call/settings.ts'
import { uncountedTokens } from '../bodies/estimate.ts'
import { relayAnswer } from '../bodies/answer-work.ts'
import { offloadFor } from '../bodies/offload.ts'
import type { StreamHandler, Handler } from './handler.ts'
import { answerOptions } from '../models/route-facts.ts'
import type { Route } from '../models/route.ts'
import { restream } from './restream.ts'
import { forCaller } from '../routing/upstream-error.ts'

/** Relays the answer's bytes, with the name of the model that the caller asked for. */
export function relay(
  settings: Settings,
  inbound: Protocol,
  route: Route,
  call: Call,
  { usage, model, pricing }: Omit<TapOptions, 'stream'> & Pick<Handler, 'pricing'>,
): Handler {
  return {
    call,
    pricing,
    streamType: inbound.stream.contentType(undefined),
    error: (status, text) => inbound.error.decode(status, text),
    whole(bytes) {
      const thread = offloadFor(settings.offload, bytes.length, [inbound])
      return (
        thread?.answer({ mode: 'relay', operation: 'generate', caller: inbound, model }, bytes) ??
        relayAnswer(inbound, model, bytes)
      )
    },
    stream() {
      const tap = inbound.relay.tap({ stream: true, usage, model })
      return relayStream(tap, (error) => errorFrame(settings, inbound, error))
    },
    restream: (answer) => restream(inbound, answer, answerOptions(route, settings)),
  }
}

export function relayStream(tap: Tap, frame: (error: DragomanError) => string): StreamHandler {
  let failed: DragomanError | undefined
  let ending: ReturnType<Tap['end']> | undefined
  const fail = (error: DragomanError): string => {
    failed = error
    // An incomplete frame is closed first, so that the error is a frame of its own.
    return withLineEnds(`${tap.betweenFrames ? '' : '\n\n'}${frame(error)}`)
  }
  const withLineEnds = (text: string): string => (tap.lineEnd === '\n' ? text : text.replaceAll('\n', tap.lineEnd))
  return {
    push(chunk) {
      const passed = tap.push(chunk)
      if (tap.failed === undefined || failed !== undefined) return passed
      // The upstream's own error, written by this protocol's codec, as text so that secrets can be removed.
      return `${passed === undefined ? '' : decodeText(passed)}${fail(forCaller(tap.failed))}`
    },
    end() {
      ending ??= tap.end()
      if (ending.complete) return ending.rest
      return fail(new DragomanError('interrupted', 'The upstream ended its answer early.'))
    },
    isUntouched: !tap.strips,
    isKept: false,
    fail,
    failed: () => failed,
    // Bytes between the terminal event and the end of the upstream are relayed too.
    isDone: () => failed !== undefined,
    withLineEnds,
    isBetweenFrames: () => tap.betweenFrames,
    usage: () => tap.end().usage,
    terms: () => tap.end().terms,
    report() {
      ending ??= tap.end()
      const { usage, terms, complete, written } = ending
      return { usage, terms, uncounted: uncountedTokens(usage, complete, written), losses: [] }
    },
  }
}

function errorFrame(settings: Settings, protocol: Protocol, error: DragomanError): string {
  let text = ''
  const machine = protocol.stream.encode((piece) => (text += piece), {
    issuer: protocol.issuer,
    losses: createLosses(),
    toward: 'client',
    id: settings.ids,
    now: Math.floor(settings.clock.now() / 1000),
  })
  machine.push({ type: 'error', error })
  return text
}
