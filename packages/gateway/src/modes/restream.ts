import { createLosses, type AnswerTranslatorOptions, type JsonObject, type Loss, type Protocol } from '@dragoman/core'
import { unfold } from '@dragoman/core/provider'
import { randomId } from '../ports/ports.ts'

/** A whole answer as a stream. */
export interface Restreamed {
  /** The frames that the upstream would have written. */
  readonly text: string
  readonly losses: readonly Loss[]
}

/** A whole answer as its upstream would stream it, for upstreams that ignore the request for a stream. Throws if it is not an answer. */
export function restream(upstream: Protocol, answer: JsonObject, options: AnswerTranslatorOptions): Restreamed {
  const { issuer = upstream.issuer, dialect, id = randomId, now = 0 } = options
  const losses = createLosses()
  const response = upstream.response.decode(answer, { issuer, dialect, caller: upstream.name })
  let text = ''
  const write = (piece: string): void => {
    text += piece
  }
  const context = { issuer, dialect, losses, toward: 'client', id, now, asked: { usage: true } } as const
  const encoder = upstream.stream.encode(write, context)
  for (const event of unfold(response)) encoder.push(event)
  return { text, losses: [...losses.entries(), ...otherCandidates(response.candidates.length)] }
}

/** Streams have one candidate. */
function otherCandidates(count: number): readonly Loss[] {
  return Array.from({ length: Math.max(0, count - 1) }, (_, index) => ({
    kind: 'dropped',
    path: ['candidates', index + 1],
    reason: 'a stream has one candidate',
  }))
}
