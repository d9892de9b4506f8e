import { known, restore, unknownOf } from '../../ir/extras.ts'
import type { Logprob, Logprobs } from '../../ir/response.ts'
import { reportUnsaid } from '../../ir/unsaid.ts'
import type { Draft } from '../../lib/draft.ts'
import { isObject, listOf, objectOf } from '../../lib/json.ts'
import type { EncodeContext } from '../protocol.ts'
import { NAME, type WireLogprob, type WireLogprobs } from './schema.ts'

/** The chosen tokens, each with the alternatives that stood at its place. */
export function decodeLogprobs(wire: WireLogprobs): Logprob[] {
  const tops = listOf(wire.topCandidates)
  return listOf(wire.chosenCandidates).flatMap((chosen, index) => {
    const top = listOf(objectOf(tops[index]).candidates).filter(isObject).map(decodeLogprob)
    if (!isObject(chosen)) return []
    return top.length === 0 ? decodeLogprob(chosen) : { ...decodeLogprob(chosen), top }
  })
}

const LOGPROB = known('token logProbability')

function decodeLogprob(wire: WireLogprob): Logprob {
  const { token, logProbability: logprob } = wire
  const rest = unknownOf(wire, LOGPROB)
  return rest === undefined ? { token, logprob } : { token, logprob, extras: { [NAME]: rest } }
}

/** `first` is the number of tokens that went before. The losses stand at the candidate. */
export function encodeLogprobs(tokens: Logprobs['tokens'], first: number, { losses }: EncodeContext): WireLogprobs {
  for (const [index, one] of tokens.entries()) {
    const { top } = one
    const at = ['logprobs', 'tokens', first + index]
    reportUnsaid(one, ['bytes'], NAME, losses, at)
    if (top?.length === 0) losses.dropped([...at, 'top'], 'there are none')
    for (const [place, other] of top?.entries() ?? [])
      reportUnsaid(other, ['bytes'], NAME, losses, [...at, 'top', place])
  }
  const wire: Draft<WireLogprobs> = { chosenCandidates: tokens.map(encodeLogprob) }
  if (tokens.some(({ top = [] }) => top.length > 0))
    wire.topCandidates = tokens.map(({ top = [] }) => ({ candidates: top.map(encodeLogprob) }))
  return wire
}

function encodeLogprob(one: Logprob): WireLogprob {
  return restore(NAME, one, { token: one.token, logProbability: one.logprob })
}
