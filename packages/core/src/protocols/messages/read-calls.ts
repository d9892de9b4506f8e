import { readArguments } from '../../ir/arguments.ts'
import type { Emit, StreamEvent } from '../../ir/stream.ts'
import { createTextBuffer, type TextBuffer } from '../../lib/text-buffer.ts'

/** The input of the open call, which must be an object for a reader. */
export interface InputReader {
  add(text: string): void
  /** The call is over: an input that is not an object is kept inside one. */
  settle(): void
}

export function createInputReader(emit: Emit<StreamEvent>): InputReader {
  let input: TextBuffer | undefined
  return {
    add(text) {
      input ??= createTextBuffer()
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
