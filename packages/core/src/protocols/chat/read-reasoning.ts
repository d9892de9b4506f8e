import type { Emit, StreamEvent } from '../../ir/stream.ts'
import { defined } from '../../lib/defined.ts'
import { isEmpty } from '../../lib/json.ts'
import type { DecodeContext } from '../protocol.ts'
import type { Blocks } from './decode-blocks.ts'
import { decodeDetail } from './reasoning.ts'
import type { WireDetail } from './schema.ts'

/** The reasoning of a streamed response: plain strings, entries of reasoning_details, or both. */
export interface ReasoningReader {
  readonly appendText: (text: string) => void
  /** `position` is the index of an entry without one. */
  readonly readDetail: (wire: WireDetail, position: number) => void
}

export function createReasoningReader(
  emit: Emit<StreamEvent>,
  { pendingBlocks, start }: Blocks,
  context: DecodeContext,
): ReasoningReader {
  const complete = new Set<string>() // complete entries
  return {
    appendText(text) {
      let pendingBlock = pendingBlocks.active
      if (pendingBlock?.kind !== 'reasoning' || pendingBlock.settled || pendingBlock.detail !== undefined)
        pendingBlock = start('reasoning', { type: 'reasoning', text: '' })
      pendingBlocks.grow(pendingBlock, text)
    },
    readDetail(wire, position) {
      const { part, seal, index = position } = decodeDetail(wire, context)
      const entry = `${part === undefined ? 'seal' : 'part'} ${index}`
      if (complete.has(entry)) return
      const pendingBlock = pendingBlocks.active
      if (part === undefined) {
        complete.add(entry)
        if (seal !== undefined && pendingBlock !== undefined) emit({ type: 'block-patch', seal })
      } else if (
        pendingBlock?.kind === 'reasoning' &&
        pendingBlock.detail === undefined &&
        !pendingBlock.settled &&
        !part.hidden
      ) {
        complete.add(entry) // the whole text that plain strings have streamed
        pendingBlock.settled = true
        const patch = defined({ seal: part.seal, extras: part.extras, summary: part.summary })
        if (!isEmpty(patch)) emit({ type: 'block-patch', ...patch })
      } else if (part.hidden) {
        complete.add(entry)
        start('reasoning', part, { settled: true })
      } else if (pendingBlock?.kind === 'reasoning' && pendingBlock.detail === index) {
        if (part.text !== '') pendingBlocks.grow(pendingBlock, part.text)
        if (part.seal === undefined) return
        emit({ type: 'block-patch', seal: part.seal })
        complete.add(entry)
      } else {
        if (part.seal !== undefined) complete.add(entry) // a signed entry is complete
        const next = start('reasoning', { ...part, text: '' }, { detail: index })
        if (part.text !== '') pendingBlocks.grow(next, part.text)
      }
    },
  }
}
