import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import type { Logprob } from '../../ir/response.ts'
import type { Draft } from '../../lib/members.ts'
import { logprob, type WireLogprob } from './answer-schema.ts'
import { NAME } from './schema.ts'

const LOGPROB = known(logprob)

export function decodeLogprob(wire: WireLogprob): Logprob {
  const { token, logprob, bytes, top_logprobs } = wire
  const one: Draft<Logprob> = { token, logprob }
  if (bytes != null) one.bytes = bytes
  if (top_logprobs !== undefined && top_logprobs.length > 0) one.top = top_logprobs.map(decodeLogprob)
  return keep(one, NAME, unknownOf(wire, LOGPROB))
}

export function encodeLogprob(one: Logprob): WireLogprob {
  return { ...encodeTop(one), top_logprobs: one.top?.map(encodeTop) ?? [] }
}

function encodeTop(one: Logprob): WireLogprob {
  const bytes = (one.bytes ?? null) as number[] | null // written, never changed
  return restore(NAME, one, { token: one.token, logprob: one.logprob, bytes })
}
