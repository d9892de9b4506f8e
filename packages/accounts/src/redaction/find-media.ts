import type { Span } from '../patterns/search.ts'
import { MOST_PER_STEP, type Steps } from './steps.ts'

/** Base64, of both alphabets: no text that is written by hand is as long. */
const SHORTEST = 256
const LONGEST_PREFIX = 200
const PADDING = 61
const MARK = ';base64,'
const IS_BASE64 = Array.from({ length: 128 }, (_, unit) => /[\w+/-]/.test(String.fromCharCode(unit)))

/** Finds media in a text, with the beginning of a data URL if there is one. */
export function* findMedia(text: string): Steps<readonly Span[]> {
  const spans: Span[] = []
  let begin = 0
  for (let at = 0; at <= text.length; at++) {
    if (at % MOST_PER_STEP === MOST_PER_STEP - 1) yield MOST_PER_STEP
    if (IS_BASE64[text.charCodeAt(at)] === true) continue
    if (at - begin >= SHORTEST)
      spans.push({ from: begin - prefixLength(text, begin), to: at + paddingLength(text, at) })
    begin = at + 1
  }
  return spans
}

/** The number of its bytes. */
export function mediaSize(media: string): number {
  const data = media.slice(media.lastIndexOf(',') + 1)
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  return Math.floor(((data.length - padding) * 3) / 4)
}

function prefixLength(text: string, begin: number): number {
  const before = text.slice(Math.max(0, begin - LONGEST_PREFIX), begin)
  const from = before.endsWith(MARK) ? before.lastIndexOf('data:') : -1
  if (from < 0) return 0
  const prefix = before.slice(from)
  return /^data:[\w.+/;=-]+,$/.test(prefix) ? prefix.length : 0
}

function paddingLength(text: string, at: number): number {
  if (text.charCodeAt(at) !== PADDING) return 0
  return text.charCodeAt(at + 1) === PADDING ? 2 : 1
}
