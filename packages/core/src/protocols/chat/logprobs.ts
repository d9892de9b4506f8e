import type { Logprob } from '../../ir/response.ts'
import type { WireLogprob } from './schema.ts'

export function decodeLogprob(wire: WireLogprob): Logprob {
  const { token, logprob, bytes, top_logprobs } = wire
  return {
    token,
    logprob,
    ...(bytes == null ? {} : { bytes }),
    ...(top_logprobs === undefined || top_logprobs.length === 0 ? {} : { top: top_logprobs.map(decodeLogprob) }),
  }
}

export function encodeLogprob({ token, logprob, bytes, top }: Logprob): WireLogprob {
  return { token, logprob, bytes: bytes ?? null, top_logprobs: top?.map(encodeTop) ?? [] }
}

function encodeTop({ token, logprob, bytes }: Logprob): WireLogprob {
  return { token, logprob, bytes: bytes ?? null }
}
