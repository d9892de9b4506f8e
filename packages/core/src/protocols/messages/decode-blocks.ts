import type { Opaque, Part } from '../../ir/part.ts'
import type { Emit, EventOf, StreamEvent } from '../../ir/stream.ts'
import type { Draft } from '../../lib/members.ts'
import { isEmpty, parseJson, stringOf, type JsonObject } from '../../lib/json.ts'
import type { WireBlockDelta } from './answer-schema.ts'
import type { CitationReader } from './citations.ts'
import { readArguments } from '../../ir/tool.ts'
import { createTextBuffer, type TextBuffer } from '../../lib/streamed-text.ts'

/** The blocks of one streamed answer, one after another. */
export interface DecodedBlocks {
  /** The open block; undefined between blocks. */
  readonly open: Part | undefined
  /** A text has ended on the wire, but its seal may follow. */
  readonly ending: boolean
  readonly start: (part: Part) => void
  readonly grow: (text: unknown) => void
  /** A delta of a block of an unknown kind. */
  readonly merge: (delta: WireBlockDelta) => void
  readonly patch: (change: Omit<EventOf<'block-patch'>, 'type'>) => void
  /** The block has ended on the wire. */
  readonly stop: () => void
  /** Ends the previous block: at once if it was left open, late for a text that waited for its seal. */
  readonly close: () => void
}

export function createDecodedBlocks(emit: Emit<StreamEvent>, citations: CitationReader): DecodedBlocks {
  const input = createInputReader(emit)
  let deltas: WireBlockDelta[] = []
  const blocks: Draft<DecodedBlocks> = {
    open: undefined,
    ending: false,
    start(given) {
      const { part, text } = shellOf(given)
      blocks.open = part
      if (part.type === 'opaque') return // it comes whole, at its end
      emit({ type: 'block-start', part })
      blocks.grow(text)
    },
    grow(text) {
      if (typeof text !== 'string' || text === '') return
      if (blocks.open?.type === 'tool-call') input.add(text)
      emit({ type: 'block-delta', text })
    },
    merge: (delta) => void deltas.push(delta),
    patch: (change) => emit({ type: 'block-patch', ...change }),
    stop() {
      if (blocks.open?.type !== 'text') return blocks.close()
      blocks.ending = true
      blocks.open = undefined
    },
    close() {
      const { open, ending } = blocks
      blocks.ending = false // first: a block that cannot be written is not tried again
      blocks.open = undefined
      input.settle()
      citations.settle()
      if (open?.type === 'opaque') emit({ type: 'block-start', part: completed(open, deltas) })
      deltas = []
      if (ending || open !== undefined) emit({ type: 'block-end' })
    },
  }
  return blocks
}

/** A block of an unknown kind with its deltas: those of its input are pieces, and others have members of the block. */
function completed(part: Opaque, deltas: readonly WireBlockDelta[]): Opaque {
  let { value } = part
  let input = ''
  for (const { type, ...members } of deltas) {
    if ('partial_json' in members) input += stringOf(members.partial_json)
    else value = { ...value, ...(members as JsonObject) } // parsed JSON
  }
  return { ...part, value: input === '' ? value : { ...value, input: parseJson(input) ?? input } }
}

/** A streamed block starts empty; content that an upstream put into its start is its first delta. */
function shellOf(part: Part): { readonly part: Part; readonly text: string } {
  if (part.type === 'tool-call' && typeof part.arguments !== 'string') {
    return { part: { ...part, arguments: '' }, text: isEmpty(part.arguments) ? '' : JSON.stringify(part.arguments) }
  }
  if (part.type === 'text' || (part.type === 'reasoning' && !part.hidden))
    return { part: { ...part, text: '' }, text: part.text }
  return { part, text: '' }
}

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
