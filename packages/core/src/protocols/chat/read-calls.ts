import { DragomanError } from '../../ir/error.ts'
import { stringOf } from '../../lib/json.ts'
import { createObjectWatch, type Watch } from '../../lib/json-pieces.ts'
import type { DecodeContext } from '../context.ts'
import { decodeShell } from './calls.ts'
import type { StreamBlock, DecodedBlocks } from './decode-blocks.ts'
import type { WireCallDelta } from './answer-schema.ts'

/** The tool calls of a streamed answer, found by their index or their id. */
export interface CallReader {
  readonly read: (wire: WireCallDelta) => void
  /** Starts the calls that wait for their ids: none will come. */
  readonly flush: () => void
  /** A tool was called. */
  readonly called: () => boolean
}

/** A call whose id comes after its first piece waits for it, and the calls behind it wait too. */
interface Call {
  wire: WireCallDelta
  id: string
  /** The arguments of a call that waits. */
  text: string
  pendingBlock?: StreamBlock
}

/** `begin` runs before a call starts. */
export function createCallReader(
  { pendingBlocks, start }: DecodedBlocks,
  context: DecodeContext,
  begin: () => void,
): CallReader {
  const byIndex = new Map<number, Call>()
  const byId = new Map<string, Call>()
  let waiting: Call[] = []
  let last: Call | undefined

  const startCall = (call: Call) => {
    begin()
    const part = decodeShell(call.wire, context)
    call.pendingBlock = start('call', part, { watch: part.custom ? NEVER : createObjectWatch() })
    grow(call, call.text)
  }
  const grow = (call: Call, text: string) => {
    if (call.pendingBlock === undefined) call.text += text
    else if (text !== '' && !pendingBlocks.grow(call.pendingBlock, text) && text.trim() !== '')
      throw new DragomanError('upstream', 'The upstream sent more arguments for a tool call that was complete.')
  }
  const addCall = (wire: WireCallDelta): Call => {
    const call: Call = { wire, id: '', text: '' }
    if (wire.index !== undefined) byIndex.set(wire.index, call)
    waiting.push(call)
    return (last = call)
  }
  const identify = (call: Call, wire: WireCallDelta, id: string) => {
    call.id = id
    if (call.pendingBlock === undefined) call.wire = { ...wire, ...call.wire, id } // the name came with the first piece
    if (!byId.has(id)) byId.set(id, call)
  }
  const startKnown = () => {
    const unknown = waiting.findIndex(({ id }) => id === '')
    const known = unknown < 0 ? waiting : waiting.slice(0, unknown)
    if (known.length === 0) return
    waiting = unknown < 0 ? [] : waiting.slice(unknown)
    known.forEach(startCall)
  }
  return {
    read(wire) {
      const { index } = wire
      const id = wire.id ?? ''
      const known = index !== undefined ? byIndex.get(index) : id === '' ? last : byId.get(id)
      const another = known === undefined || (id !== '' && known.id !== '' && known.id !== id)
      const call = another ? addCall(wire) : known
      if (id !== '' && call.id === '') identify(call, wire, id)
      grow(call, stringOf(wire.function?.arguments ?? wire.custom?.input))
      if (waiting.length > 0) startKnown()
    },
    flush() {
      for (const call of waiting.splice(0)) startCall(call)
    },
    called: () => last !== undefined,
  }
}

/** Free text has no detectable end. */
const NEVER: Watch = { add() {}, complete: () => false }
