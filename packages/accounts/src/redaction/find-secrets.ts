import type { Span } from '../patterns/search.ts'
import { MOST_PER_STEP, type Steps } from './steps.ts'

/** API keys of this gateway and of providers. */
const SECRETS = /\b(?:dgm_[0-9A-Za-z]{8,}|sk-[\w-]{16,}|AIza[\w-]{30,}|gsk_\w{16,}|xai-[\w-]{16,})/g
const PART = /[\w-]/
/** A longer text without a space is media. */
const LONGEST = 1024

/** Finds API keys, in windows that end between words. */
export function* findSecrets(text: string): Steps<readonly Span[]> {
  const spans: Span[] = []
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + MOST_PER_STEP, text.length)
    const latest = Math.min(end + LONGEST, text.length)
    while (end < latest && PART.test(text.charAt(end))) end++
    for (const { index, 0: found } of text.slice(at, end).matchAll(SECRETS))
      spans.push({ from: at + index, to: at + index + found.length })
    yield end - at
    at = end
  }
  return spans
}
