import { readArguments } from '../../ir/arguments.ts'
import type { Emit, StreamEvent } from '../../ir/stream.ts'
import { createGrown, type Grown } from '../../lib/grown.ts'

/** The input of the open call, which a reader must be able to read as an object. */
export interface InputReader {
  add(text: string): void
  /** The call is over: an input that is no object is kept in one. */
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
