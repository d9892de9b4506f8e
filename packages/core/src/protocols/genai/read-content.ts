import { streamedText } from '../../ir/fold.ts'
import type { Part } from '../../ir/part.ts'
import { isObject } from '../../lib/json.ts'
import type { DecodeContext } from '../context.ts'
import { appendPart, continues, decodePart, isNothing, plainText } from './content.ts'
import type { Blocks } from './decode-blocks.ts'
import { createCallReader } from './read-calls.ts'
import { goesOn } from './read-reasoning.ts'
import type { WirePart } from './schema.ts'

/** The parts of a streamed response. */
export interface ContentReader {
  /** The parts of one chunk. */
  read(wires: readonly WirePart[]): void
  /** Reads the unfinished call. */
  flush(): void
  /** A function was called. */
  called(): boolean
}

export function createContentReader(blocks: Blocks, context: DecodeContext): ContentReader {
  const calls = createCallReader()
  let called = false
  const readWhole = (wire: WirePart) => readPart(decodePart(wire, context))
  const readPart = (part: Part) => {
    if (isNothing(part)) return
    if (part.type === 'tool-call') called = true
    if (blocks.open === undefined || !continues(blocks.open, part)) return blocks.begin(part)
    blocks.grow(streamedText(part))
    if (part.seal !== undefined) blocks.seal(part.seal)
  }
  const readOne = (wire: WirePart) => {
    const text = plainText(wire)
    if (text !== undefined && goesOn(blocks.open, wire)) blocks.grow(text)
    else readWhole(wire)
  }
  /** A text begins with the seal that the same chunk has for it: some encoders write it before the text. */
  const readSeveral = (wires: readonly WirePart[]) => {
    const parts: Part[] = []
    for (const wire of wires) {
      if (!isObject(wire.functionCall)) appendPart(parts, decodePart(wire, context))
      else {
        parts.splice(0).forEach(readPart)
        calls.read(wire).forEach(readWhole)
      }
    }
    parts.forEach(readPart)
  }
  return {
    read(wires) {
      const [wire, other] = wires
      if (other !== undefined) readSeveral(wires)
      else if (isObject(wire?.functionCall)) calls.read(wire).forEach(readWhole)
      else if (wire !== undefined) readOne(wire)
    },
    flush: () => calls.flush().forEach(readWhole),
    called: () => called,
  }
}
