import { CHAT_DONE, chatDeltas, chatEnd, type AnswerCase } from '@dragoman/testkit'

/** An answer in chat, and what clients of every protocol understand. */
export const answer = (title: string, given: AnswerCase['answer'], expects: AnswerCase['expects']): AnswerCase => ({
  title,
  protocol: 'chat',
  answer: given,
  expects,
})

/** A stream that ends as usual. */
export const stream = (...deltas: readonly object[]): AnswerCase['answer'] => ({
  frames: [...chatDeltas(...deltas), chatEnd('stop'), CHAT_DONE],
})

export const TEXT = 'It scatters.'

/** Errors without an `error` member, in streams of several vendors. */
export const FLAT_ERRORS = [
  answer(
    'an error object of its own in a stream',
    { frames: ['data: {"object":"error","message":"Too many.","type":"BadRequestError","code":400}\n\n', CHAT_DONE] },
    { error: true },
  ),
  answer(
    'a flat error in a stream',
    { frames: ['data: {"message":"Too many.","type":"too_many_requests_error","param":"quota","code":"x"}\n\n'] },
    { error: true },
  ),
]
