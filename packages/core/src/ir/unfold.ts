import type { Part } from './part.ts'
import type { ModelResponse } from './response.ts'
import type { StreamEvent } from './stream.ts'

/** Cuts a text into the deltas of a stream. */
export type CutText = (text: string) => Iterable<string>

/**
 * A whole response as the events of a stream, block after block. Folding them gives the response again, with its first candidate: streams
 * have no other.
 */
export function unfold(response: ModelResponse, cut: CutText = inOnePiece): Generator<StreamEvent> {
  return eventsOf(response, cut)
}

function* eventsOf(response: ModelResponse, cut: CutText): Generator<StreamEvent> {
  const { candidates, usage, blocked, serviceTier, ...head } = response
  const { parts, logprobs, ...ending } = candidates[0] ?? NO_CANDIDATE
  yield { type: 'start', response: head, ...(usage?.output === undefined ? {} : { usage: { ...usage, output: 0 } }) }
  for (const part of parts) yield* blockOf(part, cut)
  if (logprobs !== undefined) yield { type: 'logprobs', ...logprobs }
  yield {
    type: 'end',
    candidate: ending,
    ...(usage === undefined ? {} : { usage }),
    ...(blocked === undefined ? {} : { blocked }),
    ...(serviceTier === undefined ? {} : { serviceTier }),
  }
}

const NO_CANDIDATE: ModelResponse['candidates'][number] = { parts: [], finish: { reason: 'content-filter' } }

function inOnePiece(text: string): readonly string[] {
  return [text]
}

function* blockOf(part: Part, cut: CutText): Generator<StreamEvent> {
  switch (part.type) {
    case 'text': {
      const { citations = [], ...shell } = part
      yield { type: 'block-start', part: { ...shell, text: '' } }
      yield* deltasOf(part.text, cut)
      for (const citation of citations) yield { type: 'block-patch', citation }
      break
    }
    case 'refusal':
    case 'reasoning': {
      if (part.type === 'reasoning' && part.hidden) {
        yield { type: 'block-start', part }
        break
      }
      const { seal, ...shell } = part
      yield { type: 'block-start', part: { ...shell, text: '' } }
      yield* deltasOf(part.text, cut)
      if (seal !== undefined) yield { type: 'block-patch', seal }
      break
    }
    case 'tool-call':
      yield { type: 'block-start', part: typeof part.arguments === 'string' ? { ...part, arguments: '' } : part }
      if (typeof part.arguments === 'string') yield* deltasOf(part.arguments, cut)
      break
    default:
      yield { type: 'block-start', part }
  }
  yield { type: 'block-end' }
}

function* deltasOf(text: string, cut: CutText): Generator<StreamEvent> {
  if (text !== '') for (const piece of cut(text)) yield { type: 'block-delta', text: piece }
}
