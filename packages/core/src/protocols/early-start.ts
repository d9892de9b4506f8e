import type { Losses } from '../ir/loss.ts'
import type { EventOf, Machine, StreamEvent } from '../ir/stream.ts'
import type { Usage } from '../ir/usage.ts'

/** An encoder that may get a start before that of the upstream. */
export interface EarlyStart extends Machine<StreamEvent> {
  hasStarted(): boolean
}

/** Of a second start, the encoder gets what can be written later: usage and extras. An id and a time stay as they were written. */
export function createEarlyStart(encoder: Machine<StreamEvent>, losses: Losses): EarlyStart {
  let hasStarted = false
  let usage: Usage | undefined
  const catchUp = ({ response, usage: counted }: EventOf<'start'>): void => {
    usage = counted
    const { id, created, extras } = response
    if (id !== undefined) losses.dropped(['id'], BEGUN)
    if (created !== undefined) losses.dropped(['created'], BEGUN)
    if (extras !== undefined) encoder.push({ type: 'extras', of: 'response', extras })
  }
  return {
    hasStarted: () => hasStarted,
    push(event) {
      if (event.type === 'start' && hasStarted) return catchUp(event)
      if (event.type === 'start') hasStarted = true
      const isLate = event.type === 'end' && usage !== undefined
      encoder.push(isLate ? { ...event, usage: { ...usage, ...event.usage } } : event)
    },
    end: () => encoder.end(),
  }
}

const BEGUN = 'the stream had begun before the upstream'
