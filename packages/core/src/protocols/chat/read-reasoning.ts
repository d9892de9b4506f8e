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
  { lanes, start }: Blocks,
  context: DecodeContext,
): ReasoningReader {
  const complete = new Set<string>() // complete entries
  return {
    appendText(text) {
      let lane = lanes.active
      if (lane?.kind !== 'reasoning' || lane.settled || lane.detail !== undefined)
        lane = start('reasoning', { type: 'reasoning', text: '' })
      lanes.grow(lane, text)
    },
    readDetail(wire, position) {
      const { part, seal, index = position } = decodeDetail(wire, context)
      const entry = `${part === undefined ? 'seal' : 'part'} ${index}`
      if (complete.has(entry)) return
      const lane = lanes.active
      if (part === undefined) {
        complete.add(entry)
        if (seal !== undefined && lane !== undefined) emit({ type: 'block-patch', seal })
      } else if (lane?.kind === 'reasoning' && lane.detail === undefined && !lane.settled && !part.hidden) {
        complete.add(entry) // the whole text that plain strings have streamed
        lane.settled = true
        const patch = defined({ seal: part.seal, extras: part.extras, summary: part.summary })
        if (!isEmpty(patch)) emit({ type: 'block-patch', ...patch })
      } else if (part.hidden) {
        complete.add(entry)
        start('reasoning', part, { settled: true })
      } else if (lane?.kind === 'reasoning' && lane.detail === index) {
        if (part.text !== '') lanes.grow(lane, part.text)
        if (part.seal === undefined) return
        emit({ type: 'block-patch', seal: part.seal })
        complete.add(entry)
      } else {
        if (part.seal !== undefined) complete.add(entry) // a signed entry is complete
        const next = start('reasoning', { ...part, text: '' }, { detail: index })
        if (part.text !== '') lanes.grow(next, part.text)
      }
    },
  }
}
