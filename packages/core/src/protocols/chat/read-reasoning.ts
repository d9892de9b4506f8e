import type { Reasoning } from '../../ir/part.ts'
import { defined } from '../../lib/defined.ts'
import { isEmpty } from '../../lib/json.ts'
import type { DecodeContext } from '../context.ts'
import type { Blocks, StreamBlock } from './decode-blocks.ts'
import { decodeDetail } from './reasoning.ts'
import type { WireDetail } from './schema.ts'

/** The reasoning of a streamed response: plain strings, entries of reasoning_details, or both. */
export interface ReasoningReader {
  readonly appendText: (text: string) => void
  /** Begins another block, whose text may be empty. */
  readonly divide: () => void
  /** `position` is the index of an entry without one. */
  readonly readDetail: (wire: WireDetail, position: number) => void
}

export function createReasoningReader(
  { pendingBlocks, start, at, patch }: Blocks,
  context: DecodeContext,
): ReasoningReader {
  const complete = new Set<string>() // complete entries
  const grown = new Set<StreamBlock>() // blocks with text
  const settle = (pendingBlock: StreamBlock, { seal, extras, summary, hidden }: Reasoning) => {
    pendingBlock.settled = true
    const change = defined({ seal, extras, summary, hidden })
    if (!isEmpty(change)) patch(pendingBlock, change)
  }
  return {
    appendText(text) {
      let pendingBlock = pendingBlocks.active
      if (pendingBlock === undefined || !isPlain(pendingBlock))
        pendingBlock = start('reasoning', { type: 'reasoning', text: '' })
      grown.add(pendingBlock)
      pendingBlocks.grow(pendingBlock, text)
    },
    divide: () => void start('reasoning', { type: 'reasoning', text: '' }),
    readDetail(wire, position) {
      const { part, seal, index = position } = decodeDetail(wire, context)
      const entry = `${part === undefined ? 'seal' : 'part'} ${index}`
      if (complete.has(entry)) return
      const active = pendingBlocks.active
      const own = at(part === undefined ? index - 1 : index)
      if (part === undefined) {
        complete.add(entry)
        const sealed = own ?? active
        if (seal !== undefined && sealed !== undefined) patch(sealed, { seal })
      } else if (own !== undefined && isPlain(own) && (!part.hidden || !grown.has(own))) {
        complete.add(entry) // the whole text that plain strings have streamed, or none
        settle(own, part)
      } else if (active !== undefined && isPlain(active) && !part.hidden) {
        complete.add(entry)
        settle(active, part)
      } else if (part.hidden) {
        complete.add(entry)
        start('reasoning', part, { settled: true })
      } else if (active?.kind === 'reasoning' && active.detail === index) {
        if (part.text !== '') pendingBlocks.grow(active, part.text)
        if (part.seal === undefined) return
        patch(active, { seal: part.seal })
        complete.add(entry)
      } else {
        if (part.seal !== undefined) complete.add(entry) // a signed entry is complete
        const next = start('reasoning', { ...part, text: '' }, { detail: index })
        if (part.text !== '') pendingBlocks.grow(next, part.text)
      }
    },
  }
}

/** Reasoning from plain strings whose entry has not come yet. */
function isPlain({ kind, settled, detail }: StreamBlock): boolean {
  return kind === 'reasoning' && !settled && detail === undefined
}
