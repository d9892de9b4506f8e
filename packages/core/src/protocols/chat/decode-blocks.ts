import type { Part } from '../../ir/part.ts'
import type { Emit, StreamEvent } from '../../ir/stream.ts'
import { createLanes, type Lane, type Lanes } from '../../lib/lanes.ts'
import type { CitationReader, SourceReader } from './read-citations.ts'

/** A block of a streamed response. On this wire several may be interleaved. */
export interface BlockLane extends Lane {
  readonly kind: 'text' | 'refusal' | 'reasoning' | 'call' | 'other'
  /** Reasoning: the entry of reasoning_details that it is read from; undefined for plain strings. */
  readonly detail?: number | undefined
  /** Reasoning from plain strings whose entry has arrived: more text is another block. */
  settled?: boolean | undefined
}

/** The blocks of one streamed response, one after another. */
export interface Blocks {
  readonly lanes: Lanes<BlockLane>
  readonly start: (
    kind: BlockLane['kind'],
    part: Part,
    options?: Pick<BlockLane, 'watch' | 'detail' | 'settled'>,
  ) => BlockLane
  /** False if the block is already closed and the text is too late. */
  readonly grow: (lane: BlockLane, text: string) => boolean
  readonly appendText: (kind: 'text' | 'refusal', text: string) => void
}

/** Blocks of one response: citations and sources are read with their text. */
export function createBlocks(
  emit: Emit<StreamEvent>,
  citations: CitationReader,
  sources: SourceReader | undefined,
): Blocks {
  const lanes = createLanes<BlockLane>()
  const blocks: Blocks = {
    lanes,
    start(kind, part, { watch, detail, settled } = {}) {
      const lane: BlockLane = {
        kind,
        detail,
        settled,
        watch,
        open: () => emit({ type: 'block-start', part }),
        grow: (text) => emit({ type: 'block-delta', text }),
        close() {
          if (kind === 'text') sources?.settle()
          emit({ type: 'block-end' })
        },
      }
      lanes.start(lane)
      return lane
    },
    grow(lane, text) {
      if (lane.kind === 'text') citations.said(text)
      return lanes.grow(lane, text)
    },
    appendText(kind, text) {
      let lane = lanes.active
      if (lane?.kind !== kind) {
        if (kind === 'text') citations.begin()
        lane = blocks.start(kind, { type: kind, text: '' })
      }
      blocks.grow(lane, text)
      if (kind === 'text') citations.settle()
    },
  }
  return blocks
}
