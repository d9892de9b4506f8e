import type { Part, ModelResponse, StreamEvent } from '@dragoman/core'

/** A response as a stream of events: block after block, a few characters at a time. */
export function* eventsOf({ candidates, usage, blocked, ...response }: ModelResponse): Generator<StreamEvent> {
  const [candidate] = candidates
  const input = usage?.input
  yield { type: 'start', response, ...(input === undefined ? {} : { usage: { input, output: 0, cacheRead: 0 } }) }
  for (const part of candidate?.parts ?? []) yield* blockOf(part)
  const { parts, logprobs, ...ending } = candidate ?? { finish: { reason: 'content-filter' as const } }
  yield {
    type: 'end',
    candidate: ending,
    ...(usage === undefined ? {} : { usage }),
    ...(blocked === undefined ? {} : { blocked }),
  }
}

function* blockOf(part: Part): Generator<StreamEvent> {
  switch (part.type) {
    case 'text': {
      const { citations = [], ...shell } = part
      yield { type: 'block-start', part: { ...shell, text: '' } }
      yield* deltasOf(part.text)
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
      yield* deltasOf(part.text)
      if (seal !== undefined) yield { type: 'block-patch', seal }
      break
    }
    case 'tool-call':
      yield { type: 'block-start', part: typeof part.arguments === 'string' ? { ...part, arguments: '' } : part }
      if (typeof part.arguments === 'string') yield* deltasOf(part.arguments)
      break
    default:
      yield { type: 'block-start', part }
  }
  yield { type: 'block-end' }
}

function* deltasOf(text: string): Generator<StreamEvent> {
  for (const [piece] of text.matchAll(/\s*\S{1,8}|\s+/gu)) yield { type: 'block-delta', text: piece }
}
