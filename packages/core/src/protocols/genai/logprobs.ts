import type { Logprob, Logprobs } from '../../ir/response.ts'
import { isObject, listOf } from '../../lib/json.ts'
import type { EncodeContext } from '../protocol.ts'
import type { WireLogprob, WireLogprobs } from './schema.ts'

/** The chosen tokens, each with the alternatives that stood at its place. */
export function decodeLogprobs(wire: WireLogprobs): Logprob[] {
  const tops = listOf(wire.topCandidates)
  return listOf(wire.chosenCandidates).flatMap((chosen, index) => {
    if (!isObject(chosen)) return []
    const top = listOf(tops[index]?.candidates).flatMap((each) => (isObject(each) ? [decodeLogprob(each)] : []))
    return [{ ...decodeLogprob(chosen), ...(top.length === 0 ? {} : { top }) }]
  })
}

function decodeLogprob({ token, logProbability }: WireLogprob): Logprob {
  return { token, logprob: logProbability }
}

/** `first` is the number of tokens that went before. The losses stand at the candidate. */
export function encodeLogprobs(tokens: Logprobs['tokens'], first: number, { losses }: EncodeContext): WireLogprobs {
  const at = (index: number) => ['logprobs', 'tokens', first + index]
  for (const [index, { bytes, top }] of tokens.entries()) {
    if (bytes !== undefined) losses.dropped([...at(index), 'bytes'], 'genai tokens have no bytes')
    if (top?.length === 0) losses.dropped([...at(index), 'top'], 'there are none')
    for (const [place, other] of top?.entries() ?? []) {
      if (other.bytes !== undefined) losses.dropped([...at(index), 'top', place, 'bytes'], 'genai tokens have no bytes')
    }
  }
  const topped = tokens.some(({ top }) => top !== undefined && top.length > 0)
  return {
    chosenCandidates: tokens.map(encodeLogprob),
    ...(topped ? { topCandidates: tokens.map(({ top }) => ({ candidates: top?.map(encodeLogprob) ?? [] })) } : {}),
  }
}

function encodeLogprob({ token, logprob }: Logprob): WireLogprob {
  return { token, logProbability: logprob }
}
