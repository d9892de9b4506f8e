import { createLosses } from '@dragoman/core'
import type { Call } from '@dragoman/core/provider'
import type { ErrorInside, Outgoing } from '../bodies/answer-work.ts'
import { offloadFor } from '../bodies/offload.ts'
import { present } from '../bodies/request-work.ts'
import type { Handler } from '../modes/handler.ts'
import { redactOf } from '../models/route-facts.ts'
import { readAnswers, translateAnswers, writeAnswer } from './answers.ts'
import { createUpstream } from './create-upstream.ts'
import type { AnsweredMedia } from './answered-media.ts'
import type { MediaRules } from './rules.ts'
import { streamContext } from './stream-context.ts'

/** Translates the answer to a translated media request. */
export function translateMedia(rules: MediaRules, answered: AnsweredMedia, call: Call): Handler {
  const { caller, upstream, media, options, pricing } = answered
  const context = () => streamContext(rules, caller, upstream, media, options)
  return {
    call,
    pricing,
    streamType: upstream.stream.contentType(undefined),
    error: (status, text) => upstream.error.decode(status, text),
    whole: (bytes, signal) =>
      isPlain(rules) ? translateBytes(rules, answered, [bytes]) : finishOne(rules, answered, bytes, signal),
    stream: () => present(rules.streams).translate(caller, upstream, context()),
    restream: rules.streams && ((answer) => present(rules.streams).restream(upstream, answer, context())),
  }
}

/** Whether answers only need to be translated, which another thread can do. */
export function isPlain(rules: MediaRules): boolean {
  return rules.finish === undefined && rules.redact === undefined
}

/** Translates the answers to all upstream calls. Large ones are translated by another thread. */
export function translateBytes(
  rules: MediaRules,
  { settings, caller, upstream, media, options }: AnsweredMedia,
  answers: readonly Uint8Array[],
): Outgoing | ErrorInside | Promise<Outgoing | ErrorInside> {
  const size = answers.reduce((sum, { length }) => sum + length, 0)
  const thread = offloadFor(settings.offload, size, [caller, upstream])
  const task = { mode: 'translate', operation: rules.name, caller, upstream, asked: media, options } as const
  return thread?.answer(task, ...answers) ?? translateAnswers(rules, caller, upstream, media, options, answers)
}

/** The answer is changed as the caller needs it, before it is written. */
function finishOne(
  rules: MediaRules,
  { settings, route, caller, upstream, media, options }: AnsweredMedia,
  bytes: Uint8Array,
  signal: () => AbortSignal,
): Outgoing | ErrorInside | Promise<Outgoing> {
  const losses = createLosses()
  const read = readAnswers(rules, upstream, media, options, [bytes], losses)
  if ('error' in read) return read
  const clean = rules.redact?.(read.answer, redactOf(route)) ?? read.answer
  const ofFinish = createLosses()
  const connection = createUpstream({ settings, route, deadlines: settings.deadlines, signal: signal() })
  const finished = rules.finish?.(clean, media.brief, connection, ofFinish) ?? clean
  const outgoing = (answer: unknown): Outgoing =>
    writeAnswer(rules, caller, media, options, { ...read, answer }, [...losses.entries(), ...ofFinish.entries()])
  return finished instanceof Promise ? finished.then(outgoing) : outgoing(finished)
}
