import { readArguments } from '../../ir/arguments.ts'
import type { Emit, StreamEvent } from '../../ir/stream.ts'
import { createGrown, type Grown } from '../../lib/grown.ts'

/** The input of the open call, which must be an object for a reader. */
export interface InputReader {
  add(text: string): void
  /** The call is over: an input that is not an object is kept inside one. */
  settle(): void
}

export function createInputReader(emit: Emit<StreamEvent>): InputReader {
  let input: Grown | undefined
  return {
    add(text) {
      input ??= createGrown()
      input.add(text)
    },
    settle() {
      if (input === undefined) return
      const { value, kept } = readArguments(input.text())
      input = undefined
      if (kept) emit({ type: 'block-patch', arguments: value })
    },
  }
}
