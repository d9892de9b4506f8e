import type { Part } from '../../ir/part.ts'
import type { Emit, EventOf, StreamEvent } from '../../ir/stream.ts'
import { createPendingBlocks, type PendingBlock, type PendingBlocks } from '../../lib/pending-blocks.ts'

/** A block of a streamed answer. On this wire several may be interleaved. */
export interface StreamBlock extends PendingBlock {
  readonly kind: 'text' | 'refusal' | 'reasoning' | 'call' | 'other'
  /** What its text comes from, for reasoning. */
  thought?: Thought | undefined
  /** Its position among the blocks of the response. */
  readonly index: number
  /** Members that came before it was its turn. */
  readonly waiting: Change[]
}

/**
 * What reasoning comes from: plain strings whose entry of reasoning_details is still to come, the entry with this index, or an entry that
 * is complete: more text is another block.
 */
export type Thought = 'strings' | number | 'complete'

type Change = Omit<EventOf<'block-patch'>, 'type' | 'block'>

/** The blocks of one streamed answer, one after another. */
export interface DecodedBlocks {
  readonly pendingBlocks: PendingBlocks<StreamBlock>
  readonly start: (
    kind: StreamBlock['kind'],
    part: Part,
    options?: Pick<StreamBlock, 'watch' | 'thought'>,
  ) => StreamBlock
  /** False if the block is already closed and the text is too late. */
  readonly grow: (pendingBlock: StreamBlock, text: string) => boolean
  readonly appendText: (kind: 'text' | 'refusal', text: string) => void
  readonly at: (index: number) => StreamBlock | undefined
  /** Late members of any block. */
  readonly patch: (pendingBlock: StreamBlock, change: Change) => void
}

/** Follows the texts of a response. */
export interface TextFollower {
  /** A text block begins. */
  begin(pendingBlock: StreamBlock): void
  /** Text was added to it. */
  addText(text: string): void
  /** The text is open: what waits for it is emitted. */
  settle(): void
}

/** Blocks of one response: citations and sources are read with their text. */
export function createDecodedBlocks(
  emit: Emit<StreamEvent>,
  citations: TextFollower,
  sources: Pick<TextFollower, 'settle'> | undefined,
): DecodedBlocks {
  const pendingBlocks = createPendingBlocks<StreamBlock>()
  const all: StreamBlock[] = []
  let ended = 0
  const blocks: DecodedBlocks = {
    pendingBlocks,
    start(kind, part, { watch, thought } = {}) {
      const pendingBlock: StreamBlock = {
        kind,
        thought,
        watch,
        index: all.length,
        waiting: [],
        open: () => emit({ type: 'block-start', part }),
        grow: (text) => emit({ type: 'block-delta', text }),
        close() {
          for (const change of pendingBlock.waiting) emit({ type: 'block-patch', ...change })
          if (kind === 'text') sources?.settle()
          ended++
          emit({ type: 'block-end' })
        },
      }
      all.push(pendingBlock)
      pendingBlocks.start(pendingBlock)
      return pendingBlock
    },
    grow(pendingBlock, text) {
      if (pendingBlock.kind === 'text') citations.addText(text)
      return pendingBlocks.grow(pendingBlock, text)
    },
    appendText(kind, text) {
      let pendingBlock = pendingBlocks.active
      if (pendingBlock?.kind !== kind) {
        pendingBlock = blocks.start(kind, { type: kind, text: '' })
        if (kind === 'text') citations.begin(pendingBlock)
      }
      blocks.grow(pendingBlock, text)
      if (kind === 'text') citations.settle()
    },
    at: (index) => all[index],
    patch(pendingBlock, change) {
      const { index } = pendingBlock
      if (index < ended) emit({ type: 'block-patch', block: index, ...change })
      else if (pendingBlock === pendingBlocks.active) emit({ type: 'block-patch', ...change })
      else pendingBlock.waiting.push(change)
    },
  }
  return blocks
}
