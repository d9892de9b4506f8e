import { DragomanError } from '../../ir/error.ts'
import { stringOf } from '../../lib/json.ts'
import { createObjectWatch, type Watch } from '../../lib/object-watch.ts'
import type { DecodeContext } from '../protocol.ts'
import { decodeShell } from './calls.ts'
import type { StreamBlock, Blocks } from './decode-blocks.ts'
import type { WireCallDelta } from './answer-schema.ts'

/** The tool calls of a streamed response, found by their index or their id. */
export interface CallReader {
  readonly read: (wire: WireCallDelta) => void
  /** A tool was called. */
  readonly called: () => boolean
}

interface Call {
  readonly pendingBlock: StreamBlock
  readonly id: string | undefined
}

/** `begin` runs before a call starts. */
export function createCallReader(
  { pendingBlocks, start }: Blocks,
  context: DecodeContext,
  begin: () => void,
): CallReader {
  const byIndex = new Map<number, Call>()
  const byId = new Map<string, Call>()
  let last: Call | undefined

  const startCall = (wire: WireCallDelta, index: number | undefined, id: string): StreamBlock => {
    begin()
    const part = decodeShell(wire, context)
    const pendingBlock = start('call', part, { watch: part.custom ? NEVER : createObjectWatch() })
    last = { pendingBlock, id: id === '' ? undefined : id }
    if (index !== undefined) byIndex.set(index, last)
    if (id !== '' && !byId.has(id)) byId.set(id, last)
    return pendingBlock
  }
  return {
    read(wire) {
      const { index } = wire
      const id = wire.id ?? ''
      const known = index !== undefined ? byIndex.get(index) : id === '' ? last : byId.get(id)
      const another = known === undefined || (id !== '' && known.id !== undefined && known.id !== id)
      const text = stringOf(wire.function?.arguments ?? wire.custom?.input)
      const pendingBlock = another ? startCall(wire, index, id) : known.pendingBlock
      if (text !== '' && !pendingBlocks.grow(pendingBlock, text) && text.trim() !== '')
        throw new DragomanError('upstream', 'The upstream sent more arguments for a tool call that was complete.')
    },
    called: () => last !== undefined,
  }
}

/** Free text has no detectable end. */
const NEVER: Watch = { add() {}, complete: () => false }
