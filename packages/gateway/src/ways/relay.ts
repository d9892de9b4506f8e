import {
  createLosses,
  DragomanError,
  editTopLevel,
  type Bytes,
  type JsonObject,
  type Protocol,
  type Tap,
} from '@dragoman/core'
import { decodeText } from '../collect.ts'
import type { Route } from '../resolve.ts'
import type { Settings } from '../settings.ts'
import { upstreamName, type Asking } from './outbound.ts'
import type { StreamWay, Way } from './way.ts'

/** A request body as it came and as it was read. */
export interface Body {
  readonly bytes: Uint8Array
  readonly json: JsonObject
  /** Members that are taken out. */
  readonly ignored?: readonly string[]
  /** The client asked for the usage of a stream. */
  readonly usage?: boolean | undefined
}

/** The client's own bytes with the named members edited; the answer's bytes as they are, with a tap beside them. */
export function relay(settings: Settings, inbound: Protocol, body: Body, route: Route, asking: Asking): Way {
  const left = Object.fromEntries((body.ignored ?? []).map((member) => [member, null]))
  const edits = { ...inbound.relay.edits(body.json, upstreamName(route)), ...left }
  const openTap = (): Tap => inbound.relay.tap({ stream: asking.stream, usage: body.usage })
  return {
    call: asking.call(editTopLevel(body.bytes, edits)),
    losses: [],
    streamType: inbound.stream.contentType(undefined),
    error: (status, text) => inbound.error.decode(status, text),
    whole(bytes) {
      const tap = openTap()
      const passed = tap.push(bytes)
      const { usage, complete, isError, rest } = tap.end()
      if (isError === true) return undefined
      if (!complete) throw new DragomanError('upstream', 'The upstream gave an answer that cannot be read.')
      return { body: joined(passed, rest), usage, losses: [] }
    },
    stream: () => relayStream(openTap(), (error) => errorFrame(settings, inbound, error)),
  }
}

function relayStream(tap: Tap, frame: (error: DragomanError) => string): StreamWay {
  let failed: DragomanError | undefined
  let ending: ReturnType<Tap['end']> | undefined
  const fail = (error: DragomanError): string => {
    failed = error
    // A frame that was cut in the middle is closed first, so that the error stands alone.
    return `${tap.betweenFrames ? '' : '\n\n'}${frame(error)}`
  }
  return {
    push(chunk) {
      const passed = tap.push(chunk)
      if (tap.failed === undefined || failed !== undefined) return passed
      // The upstream's own error, in the words of this protocol, and as text: what it says must be fit to be shown.
      return `${passed === undefined ? '' : decodeText(passed)}${fail(tap.failed)}`
    },
    end() {
      ending ??= tap.end()
      if (ending.complete) return ending.rest
      return fail(new DragomanError('interrupted', 'The upstream ended its answer early.'))
    },
    isUntouched: !tap.strips,
    fail,
    failed: () => failed,
    // The upstream's own end follows its terminal event, and what stands between them is relayed too.
    isDone: () => failed !== undefined,
    isBetweenFrames: () => tap.betweenFrames,
    report() {
      ending ??= tap.end()
      return { usage: ending.usage, losses: [] }
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

function joined(first: Uint8Array | undefined, rest: Uint8Array | undefined): Bytes {
  if (rest === undefined || rest.length === 0) return first ?? ''
  if (first === undefined) return rest
  const whole = new Uint8Array(first.length + rest.length)
  whole.set(first)
  whole.set(rest, first.length)
  return whole
}
