import { DragomanError } from '../ir/error.ts'
import { withSearches, type PriceTerms, type Usage } from '../ir/usage.ts'
import { createCounts, type Draft } from '../lib/members.ts'
import { createFrames, createJoiner, joinBytes } from '../lib/frames.ts'
import { isObject, parseJson, type JsonObject } from '../lib/json.ts'
import { isErrorBody } from './http.ts'
import { createAnswerModel, type AnswerModel, type FrameModel } from './answer-model.ts'
import type { Tap, TapEnd, TapOptions } from './relay.ts'

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
  /** The characters of output in a frame. Called for almost every frame, so it must not parse them. */
  written?(text: string): number
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

function createStreamTap(rules: TapRules, model: AnswerModel | undefined): Tap {
  const frames = createFrames()
  const join = createJoiner()
  const decoder = new TextDecoder()
  const counts = createCounts()
  let complete = false
  let isFirst = true
  let written = 0
  let terms: PriceTerms | undefined
  let searches: unknown
  const cut = (chunk: Uint8Array): readonly Uint8Array[] => {
    try {
      return frames.push(chunk)
    } catch (cause) {
      tap.failed ??= new DragomanError('upstream', 'The upstream sent an event without end.', { cause })
      return []
    }
  }
  /** Notes the facts of a frame. Returns false if the client must not get it. */
  const note = ({
    counted,
    terms: reported,
    searches: shown,
    complete: isLast,
    failed,
    strip,
  }: FrameFacts): boolean => {
    terms = reported ?? terms
    searches = shown ?? searches
    if (isObject(counted)) {
      counts.add(counted)
      written = 0
    }
    complete ||= isLast === true
    tap.failed ??= failed
    return strip !== true && failed === undefined
  }
  const tap: Draft<Tap> = {
    failed: undefined,
    push(chunk) {
      const waited = frames.waiting > 0
      const found = cut(chunk)
      // Most chunks stay as they are and need no list of their own.
      let out: Uint8Array[] | undefined
      for (let index = 0; index < found.length; index++) {
        const frame = found[index] as Uint8Array // within the list
        const text = frame.length <= BLANK ? undefined : decoder.decode(frame)
        if (isFirst && text !== undefined) {
          isFirst = false
          tap.lineEnd = lineEndOf(frame)
        }
        const facts = text === undefined ? undefined : rules.frame(text)
        if (text !== undefined && rules.written !== undefined) written += rules.written(text)
        const isKept = facts === undefined || note(facts)
        const renamed = isKept && text !== undefined ? model?.rename(frame, text) : undefined
        if (renamed !== undefined && index === 0) out = renamed
        else if (renamed !== undefined || !isKept) {
          out ??= found.slice(0, index)
          for (const piece of renamed ?? NOTHING) out.push(piece)
        } else out?.push(frame)
      }
      if (out === undefined && !waited && frames.waiting === 0) return chunk
      const pieces = out ?? found
      return pieces.length === 0 ? undefined : join(pieces)
    },
    end() {
      const counted = counts.object()
      return {
        ...countedFacts(rules, counted ?? (complete ? undefined : NOT_COUNTED), terms, searches),
        complete,
        rest: frames.rest(),
        written: rules.written === undefined ? undefined : written,
      }
    },
    betweenFrames: true, // an unfinished frame is held back
    lineEnd: '\n',
    strips: rules.strips === true,
  }
  return tap
}

const NOTHING: readonly Uint8Array[] = []
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
      const body = parseJson(UTF8.decode(bytes))
      if (!isObject(body)) return { complete: false }
      const counted = rules.whole(body)
      const isError = isErrorBody(body)
      const facts = countedFacts(
        rules,
        isObject(counted) ? counted : undefined,
        rules.terms?.(body),
        rules.searches?.(body),
      )
      return { ...facts, complete: true, isError, rest: model?.whole(bytes) }
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

/**
 * The length of the first string that a member with one of these names has in a frame, without parsing. Names have no first quote, for
 * the reason given in `answer-model.ts`: `text":`.
 */
export function stringLength(frame: string, names: readonly string[]): number {
  let length = 0
  for (const name of names) {
    const found = frame.indexOf(name)
    if (found < 0) continue
    let start = found + name.length
    if (frame.charCodeAt(start) === SPACE) start++
    if (frame.charCodeAt(start) === QUOTE) length += endOfText(frame, start + 1) - start - 1
  }
  return length
}

const SPACE = 32
const QUOTE = 34
const BACKSLASH = 92

/** The position of the quote that ends a string. */
function endOfText(frame: string, start: number): number {
  for (let quote = frame.indexOf('"', start); quote >= 0; quote = frame.indexOf('"', quote + 1)) {
    let before = quote - 1
    while (before >= start && frame.charCodeAt(before) === BACKSLASH) before--
    if ((quote - before) % 2 === 1) return quote
  }
  return frame.length
}
