import { grow, streamedText } from '../../ir/fold.ts'
import type { Part } from '../../ir/part.ts'
import type { Seal } from '../../ir/seal.ts'
import type { Emit, StreamEvent } from '../../ir/stream.ts'
import type { Draft } from '../../lib/members.ts'
import { isStreamed } from './content.ts'
import type { CitationReader } from './read-citations.ts'

/** The blocks of one streamed answer. They have no boundaries on this wire: a text continues until another part comes. */
export interface DecodedBlocks {
  readonly open: Part | undefined
  /** The number of blocks so far. */
  readonly count: number
  /** Ends the previous block and begins another; its text is its first delta. */
  readonly begin: (part: Part) => void
  readonly grow: (text: string) => void
  /** A seal ends the open text: more text is another block. */
  readonly seal: (seal: Seal) => void
  readonly close: () => void
}

export function createDecodedBlocks(emit: Emit<StreamEvent>, citations: CitationReader): DecodedBlocks {
  const blocks: Draft<DecodedBlocks> = {
    open: undefined,
    count: 0,
    begin(part) {
      blocks.close()
      const block = blocks.count++
      blocks.open = part
      const text = streamedText(part)
      if (part.type === 'text') citations.openText(block)
      emit({ type: 'block-start', part: text === '' ? part : grow(part, '') })
      blocks.grow(text)
      if (!isStreamed(part)) blocks.close()
    },
    grow(text) {
      if (text === '') return
      if (blocks.open?.type === 'text') citations.grow(text)
      emit({ type: 'block-delta', text })
    },
    seal(seal) {
      if (blocks.open !== undefined) blocks.open = { ...blocks.open, seal }
      emit({ type: 'block-patch', seal })
    },
    close() {
      if (blocks.open === undefined) return
      if (blocks.open.type === 'text') citations.closeText()
      blocks.open = undefined
      emit({ type: 'block-end' })
    },
  }
  return blocks
}
