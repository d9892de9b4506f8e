import type { ModelResponse, StreamEvent } from '@dragoman/core'
import { unfold } from '@dragoman/core/provider'

/** A response as a stream of events, a few characters at a time. */
export function eventsOf(response: ModelResponse): Generator<StreamEvent> {
  return unfold(response, cutWords)
}

function* cutWords(text: string): Generator<string> {
  for (const [piece] of text.matchAll(/\s*\S{1,8}|\s+/gu)) yield piece
}
