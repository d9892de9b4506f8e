import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Logprob, Logprobs } from '../../ir/response.ts'
import type { Draft } from '../../lib/members.ts'
import { isObject, listOf, objectOf } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import { TABLES } from './members.ts'
import { logprob, type WireLogprob, type WireLogprobs } from './answer-schema.ts'
import { NAME } from './schema.ts'

/** The chosen tokens, each with its alternatives. */
export function decodeLogprobs(wire: WireLogprobs): Logprob[] {
  const tops = listOf(wire.topCandidates)
  return listOf(wire.chosenCandidates).flatMap((chosen, index) => {
    const top = listOf(objectOf(tops[index]).candidates).filter(isObject).map(decodeLogprob)
    if (!isObject(chosen)) return []
    return top.length === 0 ? decodeLogprob(chosen) : { ...decodeLogprob(chosen), top }
  })
}

const LOGPROB = known(logprob)

function decodeLogprob(wire: WireLogprob): Logprob {
  const { token, logProbability } = wire
  return keep({ token, logprob: logProbability }, NAME, unknownOf(wire, LOGPROB))
}

/** `first` is the number of earlier tokens. */
export function encodeLogprobs(
  tokens: Logprobs['tokens'],
  first: number,
  losses: Losses,
  context: Encoding,
): WireLogprobs {
  for (const [index, one] of tokens.entries()) {
    const { top } = one
    const at = losses.at('tokens', first + index)
    reportUnsupported(one, TABLES.logprob, at, context)
    if (top?.length === 0) at.dropped(['top'], 'there are none')
    for (const [other, each] of top?.entries() ?? [])
      reportUnsupported(each, TABLES.logprob, at.at('top', other), context)
  }
  const wire: Draft<WireLogprobs> = { chosenCandidates: tokens.map(encodeLogprob) }
  if (tokens.some(({ top = [] }) => top.length > 0))
    wire.topCandidates = tokens.map(({ top = [] }) => ({ candidates: top.map(encodeLogprob) }))
  return wire
}

function encodeLogprob(one: Logprob): WireLogprob {
  return restore(NAME, one, { token: one.token, logProbability: one.logprob })
}
