import { translateAnswer, type AnswerFacts, type AnswerTranslator, type Protocol } from '@dragoman/core'
import type { Call } from '@dragoman/core/provider'
import type { Route } from '../models/route.ts'
import { answerOptions } from '../models/route-facts.ts'
import type { Settings } from '../call/settings.ts'
import { uncountedTokens } from '../bodies/estimate.ts'
import { translateWhole } from '../bodies/answer-work.ts'
import { offloadFor } from '../bodies/offload.ts'
import type { StreamHandler, Handler } from './handler.ts'
import { restream } from './restream.ts'
import { forCaller } from '../routing/upstream-error.ts'

export interface Translated {
  readonly facts: AnswerFacts
  /** The name of the model in the answer. */
  readonly model: string
  readonly pricing?: Handler['pricing']
}

/** Translates the answer to a translated request. */
export function translate(
  settings: Settings,
  caller: Protocol,
  route: Route,
  call: Call,
  { facts, model, pricing }: Translated,
): Handler {
  const upstream = route.protocol
  const options = { ...answerOptions(route, settings), answerModel: model, showError: forCaller }
  return {
    call,
    pricing,
    streamType: upstream.stream.contentType(undefined),
    error: (status, text) => upstream.error.decode(status, text),
    whole(bytes) {
      const thread = offloadFor(settings.offload, bytes.length, [caller, upstream])
      return (
        thread?.answer({ mode: 'translate', operation: 'generate', caller, upstream, asked: facts, options }, bytes) ??
        translateWhole(caller, upstream, facts, options, bytes)
      )
    },
    stream: () => translateStream(translateAnswer(caller, upstream, facts, options)),
    restream: (answer) => restream(upstream, answer, options),
  }
}

function translateStream(translator: AnswerTranslator): StreamHandler {
  let text = ''
  const stream = translator.answerStream((piece) => {
    text += piece
  })
  // One write per upstream chunk, for any number of frames.
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
    begin() {
      stream.begin()
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
    isKept: true,
    failed: () => stream.failed,
    isDone: () => stream.done,
    withLineEnds: (frame) => frame,
    isBetweenFrames: () => true,
    usage: () => stream.usage,
    terms: () => stream.terms,
    report() {
      const isComplete = stream.done && stream.failed === undefined
      stream.stop()
      const { usage, terms, written, losses } = stream
      return { usage, terms, uncounted: uncountedTokens(usage, isComplete, written), losses }
    },
  }
}
