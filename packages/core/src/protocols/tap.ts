import { DragomanError } from '../ir/error.ts'
import type { Usage } from '../ir/usage.ts'
import type { Draft } from '../lib/draft.ts'
import { createFrames, joinBytes } from '../lib/frames.ts'
import { createCounts } from '../lib/member-buffer.ts'
import { isObject, parseJson, type JsonObject } from '../lib/json.ts'
import type { Tap } from './protocol.ts'

/** What a protocol reads in one frame of a relayed stream. */
export interface FrameFacts {
  /** Usage on the wire: later counts overwrite earlier ones, member by member. */
  readonly counted?: unknown
  /** The response is complete with this frame. */
  readonly complete?: boolean
  /** The frame is the upstream's error. */
  readonly failed?: DragomanError | undefined
  /** The client did not request this frame. */
  readonly strip?: boolean
}

/** What a tap must know about its protocol. */
export interface TapRules {
  readonly stream: boolean
  /** Whether there can be frames that the client did not request. */
  readonly strips?: boolean
  /** Called with the text of one frame; most frames contain nothing of interest and cost one test. */
  frame(text: string): FrameFacts | undefined
  /** The usage of a whole response. */
  whole(body: JsonObject): unknown
  usage(counted: JsonObject): Usage
}

/** The tap of every protocol: bytes in, the same bytes out, and facts about them. */
export function createTap(rules: TapRules): Tap {
  return rules.stream ? createStreamTap(rules) : createWholeTap(rules)
}

/** A frame of this size is only a line end. */
const BLANK = 2

function createStreamTap(rules: TapRules): Tap {
  const frames = createFrames()
  const decoder = new TextDecoder()
  const counts = createCounts()
  let complete = false
  const cut = (chunk: Uint8Array): readonly Uint8Array[] => {
    try {
      return frames.push(chunk)
    } catch (cause) {
      tap.failed ??= new DragomanError('upstream', 'The upstream sent an event without end.', { cause })
      return []
    }
  }
  const tap: Draft<Tap> = {
    failed: undefined,
    push(chunk) {
      const waited = frames.waiting > 0
      const found = cut(chunk)
      let kept: Uint8Array[] | undefined
      for (const [index, bytes] of found.entries()) {
        const facts = bytes.length <= BLANK ? undefined : rules.frame(decoder.decode(bytes))
        if (facts === undefined) kept?.push(bytes)
        else {
          if (isObject(facts.counted)) counts.add(facts.counted)
          complete ||= facts.complete === true
          tap.failed ??= facts.failed
          if (facts.strip || facts.failed !== undefined) kept ??= found.slice(0, index)
          else kept?.push(bytes)
        }
      }
      if (kept === undefined && !waited && frames.waiting === 0) return chunk
      const out = kept ?? found
      return out.length === 0 ? undefined : joinBytes(out)
    },
    end() {
      const counted = counts.object()
      return { usage: counted === undefined ? undefined : rules.usage(counted), complete, rest: frames.rest() }
    },
    betweenFrames: true, // an unfinished frame is held back
    strips: rules.strips === true,
  }
  return tap
}

/** Has no state between calls, and costs more to create than to use. */
const UTF8 = new TextDecoder()

function createWholeTap(rules: TapRules): Tap {
  const chunks: Uint8Array[] = []
  return {
    failed: undefined,
    push(chunk) {
      chunks.push(chunk)
      return chunk
    },
    end() {
      const body = parseJson(UTF8.decode(joinBytes(chunks)))
      if (!isObject(body)) return { complete: false }
      const counted = rules.whole(body)
      // No protocol has an `error` member beside a response.
      const isError = body['error'] != null
      return { usage: isObject(counted) ? rules.usage(counted) : undefined, complete: true, isError }
    },
    betweenFrames: false,
    strips: false,
  }
}

/** The JSON object in a frame. */
export function frameData(frame: string): JsonObject | undefined {
  const start = frame.indexOf('data:')
  const data = start < 0 ? undefined : parseJson(frame.slice(start + 5))
  return isObject(data) ? data : undefined
}
