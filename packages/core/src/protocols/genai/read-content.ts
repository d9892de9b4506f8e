import { streamedText } from '../../ir/fold.ts'
import { isObject } from '../../lib/json.ts'
import type { DecodeContext } from '../context.ts'
import { continues, decodePart, isNothing, plainText } from './content.ts'
import type { Blocks } from './decode-blocks.ts'
import { createCallReader } from './read-calls.ts'
import { goesOn } from './read-reasoning.ts'
import type { WirePart } from './schema.ts'

/** The parts of a streamed response. */
export interface ContentReader {
  read(wire: WirePart): void
  /** Reads the unfinished call. */
  flush(): void
  /** A function was called. */
  called(): boolean
}

export function createContentReader(blocks: Blocks, context: DecodeContext): ContentReader {
  const calls = createCallReader()
  let called = false
  const readWhole = (wire: WirePart) => {
    const part = decodePart(wire, context)
    if (isNothing(part)) return
    if (part.type === 'tool-call') called = true
    if (blocks.open === undefined || !continues(blocks.open, part)) return blocks.begin(part)
    blocks.grow(streamedText(part))
    if (part.seal !== undefined) blocks.seal(part.seal)
  }
  return {
    read(wire) {
      const text = plainText(wire)
      if (text !== undefined && goesOn(blocks.open, wire)) blocks.grow(text)
      else if (isObject(wire.functionCall)) calls.read(wire).forEach(readWhole)
      else readWhole(wire)
    },
    flush: () => calls.flush().forEach(readWhole),
    called: () => called,
  }
}
