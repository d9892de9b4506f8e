import {
  dialectOf,
  DragomanError,
  translate as translateRequest,
  type JsonObject,
  type Loss,
  type Match,
  type Protocol,
  type Translation,
} from '@dragoman/core'
import { decodeText } from '../collect.ts'
import { limitsOf } from '../plan.ts'
import type { Route } from '../resolve.ts'
import type { Settings } from '../settings.ts'
import { upstreamName, type Asking } from './outbound.ts'
import type { StreamWay, Way } from './way.ts'

/** Through the IR in both directions, everything that could not be carried reported. */
export function translate(
  settings: Settings,
  inbound: Protocol,
  match: Match,
  body: JsonObject,
  route: Route,
  asking: Asking,
  seals?: 'without seals',
): Way {
  const translation = translateRequest(inbound, route.protocol, body, {
    model: upstreamName(route),
    answerModel: route.id,
    issuer: route.card.issuer ?? route.protocol.issuer,
    withoutSeals: seals !== undefined,
    limits: limitsOf(route),
    dialect: dialectOf(route.card, route.protocol.name),
    quirks: route.card.quirks?.[route.protocol.name],
    id: settings.ids,
    now: Math.floor(settings.clock.now() / 1000),
    match,
  })
  return {
    losses: translation.losses,
    call: asking.call(JSON.stringify(translation.body)),
    streamType: route.protocol.stream.contentType(undefined),
    error: (status, text) => translation.error(status, text),
    whole(bytes) {
      const said = parseAnswer(bytes)
      if (said['error'] != null) return undefined
      const answer = translation.response(said)
      return { body: JSON.stringify(answer.body), usage: answer.usage, losses: answer.losses }
    },
    stream: () => translateStream(translation),
  }
}

/** Any loss but a default is more than a strict caller allows. */
export function refuseLosses(losses: readonly Loss[]): void {
  const loss = losses.find(({ kind }) => kind !== 'added')
  if (loss === undefined) return
  const path = loss.path.join('.')
  throw new DragomanError('invalid-request', `Strict mode: ${path} would be ${loss.kind}: ${loss.reason}.`, {
    param: path,
    code: 'lossy_translation',
  })
}

function translateStream(translation: Translation): StreamWay {
  let text = ''
  const stream = translation.answerStream((piece) => {
    text += piece
  })
  // One write per upstream chunk, however many frames it held.
  const take = (): string | undefined => {
    const taken = text
    text = ''
    return taken === '' ? undefined : taken
  }
  return {
    push(chunk) {
      stream.push(chunk)
      return take()
    },
    end() {
      stream.end()
      return take()
    },
    fail(error) {
      stream.fail(error)
      return take()
    },
    isUntouched: false,
    failed: () => stream.failed,
    isDone: () => stream.done,
    isBetweenFrames: () => true,
    report() {
      stream.stop()
      return { usage: stream.usage, losses: stream.losses }
    },
  }
}

function parseAnswer(bytes: Uint8Array): JsonObject {
  const parsed = parse(decodeText(bytes))
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as JsonObject // parsed JSON
  throw new DragomanError('upstream', 'The upstream gave an answer that is not a JSON object.')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Without a cause: its text would quote the answer.
    throw new DragomanError('upstream', 'The upstream gave an answer that is not JSON.')
  }
}
