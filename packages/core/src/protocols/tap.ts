import { DragomanError } from '../ir/error.ts'
import { withSearches, type PriceTerms, type Usage } from '../ir/usage.ts'
import { createCounts, type Draft } from '../lib/members.ts'
import { createFrames, createJoiner, joinBytes } from '../lib/frames.ts'
import { isObject, parseJson, type JsonObject } from '../lib/json.ts'
import { isErrorBody } from './http.ts'
import { createAnswerModel, type AnswerModel, type FrameModel } from './answer-model.ts'
import type { Tap, TapEnd, TapOptions } from './relay.ts'
import { learnTokenFrames, outputLength, outputOf, tokenLength, type TokenFrames } from './token-frames.ts'

/** What a protocol reads in one frame of a relayed stream. */
export interface FrameFacts {
  /** Usage on the wire: later counts overwrite earlier ones, member by member. */
  readonly counted?: unknown
  /** What the frame reports about the price; the last terms count. */
  readonly terms?: PriceTerms | undefined
  /** The searches of the response so far, if they are not in its usage. */
  readonly searches?: unknown
  /** The response is complete with this frame. */
  readonly complete?: boolean
  /** The frame is the upstream's error. */
  readonly failed?: DragomanError | undefined
  /** The client did not request this frame. */
  readonly strip?: boolean
}

/** What a tap must know about its protocol. */
export interface TapRules {
  /** Where frames name the model; absent if the client gets the upstream's name. */
  readonly model?: FrameModel
  /** Whether there can be frames that the client did not request. */
  readonly strips?: boolean
  /** Called with the text of one frame; most frames contain nothing of interest and cost one test. */
  frame(text: string): FrameFacts | undefined
  /** The names of members with output, or their ends: `content|reasoning`. Absent if output is not measured. */
  readonly output?: string
  /** The usage of a whole response. */
  whole(body: JsonObject): unknown
  usage(counted: JsonObject): Usage
  /** What a whole response reports about its price, if that is not in its usage. */
  terms?(body: JsonObject): PriceTerms | undefined
  /** The searches that a whole response shows, if they are not in its usage. */
  searches?(body: JsonObject): unknown
  /** The terms of price in a usage. */
  usageTerms?(counted: JsonObject): PriceTerms | undefined
}

/** The tap of every protocol: bytes in, the same bytes out except for declared edits, and facts about them. */
export function createTap(rules: TapRules, { stream, model }: TapOptions): Tap {
  const named = rules.model === undefined || model === undefined ? undefined : createAnswerModel(model, rules.model)
  return stream ? createStreamTap(rules, named) : createWholeTap(rules, named)
}

/** A frame of this size is only a line end. */
const BLANK = 2

/** A stream has few kinds of frames with tokens. In one that has others again and again, learning would cost more than it saves. */
const LESSONS = 8
const LESSONS_PER_TOKEN = 1 / 16
const NO_TOKENS: TokenFrames = { literals: [], outputs: [], head: undefined }

function createStreamTap(rules: TapRules, model: AnswerModel | undefined): Tap {
  const output = rules.output === undefined ? undefined : outputOf(rules.output)
  const frames = createFrames()
  const join = createJoiner()
  const counts = createCounts()
  let complete = false
  let lineEnd: string | undefined
  let written = 0
  let terms: PriceTerms | undefined
  let searches: unknown
  let tokens = NO_TOKENS
  let lessons = LESSONS
  const cut = (chunk: Uint8Array): readonly Uint8Array[] => {
    try {
      return frames.push(chunk)
    } catch (cause) {
      tap.failed ??= new DragomanError('upstream', 'The upstream sent an event without end.', { cause })
      return []
    }
  }
  /** Notes the facts of a frame. Returns false if the client must not get it. */
  const note = (facts: FrameFacts): boolean => {
    terms = facts.terms ?? terms
    searches = facts.searches ?? searches
    if (isObject(facts.counted)) {
      counts.add(facts.counted)
      written = 0
    }
    complete ||= facts.complete === true
    tap.failed ??= facts.failed
    return facts.strip !== true && facts.failed === undefined
  }
  /** The frame for the client; empty if it does not get it. */
  const read = (frame: Uint8Array): Uint8Array => {
    const text = UTF8.decode(frame)
    tap.lineEnd = lineEnd ??= lineEndOf(frame)
    const facts = rules.frame(text)
    if (output !== undefined) written += outputLength(text, output)
    const out = facts === undefined || note(facts) ? (model?.rename(frame, text) ?? frame) : NOTHING
    // A frame with nothing of interest but output is followed by many of its kind.
    if (facts === undefined && output !== undefined && lessons >= 1 && frameData(text) !== undefined) {
      lessons--
      tokens = learnTokenFrames(frame, text, out, output) ?? tokens
    }
    return out
  }
  const tap: Draft<Tap> = {
    failed: undefined,
    push(chunk) {
      const waited = frames.waiting > 0
      const length = waited ? -1 : tokenLength(tokens, chunk)
      if (length >= 0) {
        written += length
        lessons += LESSONS_PER_TOKEN
        return tokens.head === undefined ? chunk : join([tokens.head, chunk.subarray(tokens.literals[0]?.length)])
      }
      const out: Uint8Array[] = []
      let isSame = !waited
      for (const frame of cut(chunk)) {
        const passed = frame.length <= BLANK ? frame : read(frame)
        isSame &&= passed === frame
        if (passed.length > 0) out.push(passed)
      }
      if (isSame && frames.waiting === 0) return chunk
      return out.length === 0 ? undefined : join(out)
    },
    end() {
      const counted = counts.object()
      return {
        ...countedFacts(rules, counted ?? (complete ? undefined : NOT_COUNTED), terms, searches),
        complete,
        rest: frames.rest(),
        written: output === undefined ? undefined : written,
      }
    },
    betweenFrames: true, // an unfinished frame is held back
    lineEnd: '\n',
    strips: rules.strips === true,
  }
  return tap
}

const NOTHING = new Uint8Array()
const CR = 13

function lineEndOf(frame: Uint8Array): string {
  if (frame.at(-1) === CR) return '\r'
  return frame.at(-2) === CR ? '\r\n' : '\n'
}

/** Has no state between calls, and costs more to create than to use. */
const UTF8 = new TextDecoder()

function createWholeTap(rules: TapRules, model: AnswerModel | undefined): Tap {
  const chunks: Uint8Array[] = []
  return {
    failed: undefined,
    push(chunk) {
      chunks.push(chunk)
      return model === undefined ? chunk : undefined
    },
    end() {
      const bytes = joinBytes(chunks)
      const text = UTF8.decode(bytes)
      const body = parseJson(text)
      if (!isObject(body)) return { complete: false }
      const counted = rules.whole(body)
      const isError = isErrorBody(body)
      const facts = countedFacts(
        rules,
        isObject(counted) ? counted : undefined,
        rules.terms?.(body),
        rules.searches?.(body),
      )
      return { ...facts, complete: true, isError, rest: model?.whole(bytes, { text, json: body }) }
    },
    betweenFrames: false,
    lineEnd: '\n',
    strips: false,
  }
}

function countedFacts(
  rules: TapRules,
  counted: JsonObject | undefined,
  terms: PriceTerms | undefined,
  searches: unknown,
): Pick<TapEnd, 'usage' | 'terms'> {
  if (counted === undefined) return { terms }
  const usage = counted === NOT_COUNTED ? undefined : rules.usage(counted)
  return { usage: withSearches(usage, searches), terms: terms ?? rules.usageTerms?.(counted) }
}

/** Of a stream that breaks off before its usage: its searches are billed nevertheless. */
const NOT_COUNTED: JsonObject = {}

/** The JSON object in a frame. */
export function frameData(frame: string): JsonObject | undefined {
  const start = frame.indexOf('data:')
  const data = start < 0 ? undefined : parseJson(frame.slice(start + 5))
  return isObject(data) ? data : undefined
}
