import { parsePattern } from '../patterns/parse.ts'
import type { Program } from '../patterns/program.ts'
import type { BodyPolicy } from '../store/stored-key.ts'
import { applyEdits, mediaEdits, secretEdits } from './edits.ts'
import { MOST_PER_STEP, runSteps, type Steps } from './steps.ts'
import { redactStream } from './stream-texts.ts'

/** Makes a body fit to be stored: without media, and without text that looks like a secret, by the operator's patterns or ours. */
export type Redact = (body: Uint8Array) => Promise<string>

/** Larger bodies are cut before anything else is done with them. */
const MOST_BYTES = 4 * 1024 * 1024
const MOST_CHARACTERS = 1024 * 1024
/** Longer matches that begin before the end of what is kept are not found there. */
const LONGEST_MATCH = 64 * 1024
/** The end of a cut body may be the beginning of a secret that cannot be recognized any more. */
const CUT_WORD = /[\w+/=.\\-]{1,512}$/

/**
 * Throws if an expression of the policy cannot be searched for in linear time: then nothing can be stored. What the expressions are and what
 * callers write cannot stop other calls: `pause` is awaited about every millisecond.
 */
export function createRedact({ redact }: BodyPolicy, pause: (done: number) => Promise<void>): Redact {
  const programs = redact.map(parsePattern)
  return (body) => runSteps(redactBody(body, programs), pause)
}

function* redactBody(body: Uint8Array, programs: readonly Program[]): Steps<string> {
  const isCut = body.length > MOST_BYTES
  let text = yield* decode(isCut ? body.subarray(0, MOST_BYTES) : body)
  if (isCut) text = withoutLastWord(text)
  text = yield* redactStream(text, programs)
  text = yield* applyEdits(text, yield* mediaEdits(text))
  // Text far behind the end of what is kept needs no search.
  const isLong = text.length > MOST_CHARACTERS + LONGEST_MATCH
  if (isLong) text = withoutLastWord(text.slice(0, MOST_CHARACTERS + LONGEST_MATCH))
  text = yield* applyEdits(text, yield* secretEdits(text, programs))
  const rest = isCut ? `[cut off: ${body.length} bytes in all]` : ''
  const kept = isLong || text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}[cut off]` : text
  return `${kept.toWellFormed().replaceAll('\0', '')}${rest}`
}

/** Characters of several bytes may be cut by a step, not by its result. */
function* decode(bytes: Uint8Array): Steps<string> {
  const decoder = new TextDecoder()
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += MOST_PER_STEP) {
    pieces.push(decoder.decode(bytes.subarray(at, at + MOST_PER_STEP), { stream: true }))
    yield MOST_PER_STEP
  }
  pieces.push(decoder.decode())
  return pieces.join('')
}

function withoutLastWord(text: string): string {
  const end = text.slice(-1024)
  return text.slice(0, text.length - end.length) + end.replace(CUT_WORD, '')
}
