import type { Part } from '../../ir/part.ts'
import type { Emit, EventOf, StreamEvent } from '../../ir/stream.ts'
import { createPendingBlocks, type PendingBlock } from '../../lib/pending-blocks.ts'
import type { Watch } from '../../lib/json-pieces.ts'

type Change = Omit<EventOf<'block-patch'>, 'type' | 'block'>

/** A block of a streamed answer. On this wire several may be interleaved. */
export interface StreamBlock extends PendingBlock {
  /** The length of the text that has arrived. */
  length: number
  /** Late members: they are emitted at its end. */
  readonly changes: Change[]
  /** Its item is complete. */
  complete: boolean
}

/** The blocks of one streamed answer, one after another. */
export interface DecodedBlocks {
  start(part: Part): StreamBlock
  grow(block: StreamBlock, text: string): void
  /** A part that comes whole. */
  add(part: Part): void
  /** The block that was started last. */
  last(): StreamBlock | undefined
  /** Ends all blocks. */
  finish(): void
}

export function createDecodedBlocks(emit: Emit<StreamEvent>): DecodedBlocks {
  const pending = createPendingBlocks<StreamBlock>()
  let last: StreamBlock | undefined
  const blocks: DecodedBlocks = {
    start(part) {
      const watch: Watch = { add() {}, complete: () => block.complete }
      const block: StreamBlock = {
        length: 0,
        changes: [],
        complete: false,
        watch,
        open: () => emit({ type: 'block-start', part }),
        grow: (text) => emit({ type: 'block-delta', text }),
        close() {
          for (const change of block.changes) emit({ type: 'block-patch', ...change })
          emit({ type: 'block-end' })
        },
      }
      last = block
      pending.start(block)
      return block
    },
    grow(block, text) {
      if (text === '') return
      block.length += text.length
      pending.grow(block, text)
    },
    add(part) {
      const { shell, text } = shellOf(part)
      const block = blocks.start(shell)
      blocks.grow(block, text)
      block.complete = true
    },
    last: () => last,
    finish: () => pending.finish(),
  }
  return blocks
}

/** A streamed block starts empty: its text is its first delta. */
export function shellOf(part: Part): { readonly shell: Part; readonly text: string } {
  if (part.type === 'tool-call' && typeof part.arguments === 'string')
    return { shell: { ...part, arguments: '' }, text: part.arguments }
  if (TEXTS.has(part.type) && 'text' in part && !('hidden' in part))
    return { shell: { ...part, text: '' }, text: part.text }
  return { shell: part, text: '' }
}

const TEXTS: ReadonlySet<Part['type']> = new Set(['text', 'refusal', 'reasoning', 'code', 'code-output'])
