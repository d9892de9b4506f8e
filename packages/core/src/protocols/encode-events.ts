import type { DragomanError } from '../ir/error.ts'
import type { Part } from '../ir/part.ts'
import type { BlockWriter, EventOf, Machine, StreamEvent } from '../ir/stream.ts'
import { overwrite, type Usage } from '../ir/usage.ts'

/** What a protocol writes for the events of a stream. */
export interface EventWriter {
  start(event: EventOf<'start'>): void
  /** Begins the block at this place of the answer. */
  block(part: Part, position: number): BlockWriter
  logprobs(event: EventOf<'logprobs'>): void
  extras(event: EventOf<'extras'>): void
  /** With what was counted from the start on. */
  end(event: EventOf<'end'>, usage: Usage | undefined): void
  error(error: DragomanError): void
}

/** Leads the events of one stream to their writer: one block at a time, and nothing behind the end. */
export function createEventEncoder(writer: EventWriter): Machine<StreamEvent> {
  let position = 0
  let open: BlockWriter | undefined
  let usage: Usage | undefined
  let done = false
  return {
    push(event) {
      if (done) return
      switch (event.type) {
        case 'block-delta':
          open?.delta(event.text)
          return
        case 'start':
          ;({ usage } = event)
          writer.start(event)
          return
        case 'block-start':
          open = writer.block(event.part, position++)
          return
        case 'block-patch':
          open?.patch(event)
          return
        case 'block-end': {
          const closed = open
          open = undefined
          closed?.end()
          return
        }
        case 'logprobs':
          writer.logprobs(event)
          return
        case 'extras':
          writer.extras(event)
          return
        case 'end':
          writer.end(event, overwrite(usage, event.usage))
          done = true
          return
        case 'error':
          done = true
          writer.error(event.error)
          return
        default:
          event satisfies never
      }
    },
    end() {},
  }
}
