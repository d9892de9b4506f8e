import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import type { Logprob } from '../../ir/response.ts'
import type { Draft } from '../../lib/draft.ts'
import { isObject, listOf } from '../../lib/json.ts'
import { logprob, NAME, type WireLogprob } from './schema.ts'

const LOGPROB = known(logprob)

/** The tokens of one text. */
export function decodeLogprobs(wire: readonly WireLogprob[] | null | undefined): Logprob[] {
  return listOf(wire).filter(isLogprob).map(decodeLogprob)
}

function isLogprob(wire: WireLogprob): boolean {
  return isObject(wire) && typeof wire.token === 'string' && typeof wire.logprob === 'number'
}

function decodeLogprob(wire: WireLogprob): Logprob {
  const { token, logprob, bytes, top_logprobs } = wire
  const one: Draft<Logprob> = { token, logprob }
  if (Array.isArray(bytes) && bytes.length > 0) one.bytes = bytes
  const top = decodeLogprobs(top_logprobs)
  if (top.length > 0) one.top = top
  return keep(one, NAME, unknownOf(wire, LOGPROB))
}

export function encodeLogprob(one: Logprob): WireLogprob {
  return { ...encodeTop(one), top_logprobs: one.top?.map(encodeTop) ?? [] }
}

function encodeTop(one: Logprob): WireLogprob {
  const bytes = (one.bytes ?? []) as number[] // written, never changed
  return restore(NAME, one, { token: one.token, logprob: one.logprob, bytes })
}

/** Divides the tokens of a response among its texts, by their lengths. */
export interface TokenShares {
  /** The tokens of the next text. */
  next(text: string): WireLogprob[]
  /** The tokens that no text has taken. */
  rest(): readonly Logprob[]
}

export function createTokenShares(tokens: readonly Logprob[]): TokenShares {
  let at = 0
  return {
    next(text) {
      const share: WireLogprob[] = []
      for (let length = 0; length < text.length && at < tokens.length; at++) {
        const token = tokens[at] as Logprob // within the list
        length += token.token.length || 1
        share.push(encodeLogprob(token))
      }
      return share
    },
    rest() {
      const left = tokens.slice(at)
      at = tokens.length
      return left
    },
  }
}
