import type { DragomanError } from '../ir/error.ts'
import { grow, streamedText, openPart, type OpenPart } from '../ir/fold.ts'
import { reportForeign, reportForeignExtras } from '../ir/foreign-extras.ts'
import type { Losses } from '../ir/loss.ts'
import type { Part } from '../ir/part.ts'
import type { EventOf, Machine, StreamEvent } from '../ir/stream.ts'
import { overwrite, type Usage } from '../ir/usage.ts'
import { createTextBuffer, type TextBuffer } from '../lib/streamed-text.ts'

/** What a protocol writes for a streamed answer. */
export interface AnswerWriter {
  start(event: EventOf<'start'>): void
  /** A block begins. The losses are those of its part; `position` is its index among the parts of the response. */
  block(shell: Part, losses: Losses, position: number): BlockWriter
  /** Late members of the block at `position`, which has ended. Absent if they cannot be written: they are reported. */
  readonly late?: (event: EventOf<'block-patch'>, position: number, losses: Losses) => void
  logprobs(event: EventOf<'logprobs'>): void
  extras(event: EventOf<'extras'>): void
  end(event: EventOf<'end'>, usage: Usage | undefined): void
  error(error: DragomanError): void
}

/** Writes one block of a streamed answer. */
export interface BlockWriter {
  /** Absent if the block is written when it is complete. */
  readonly delta?: (text: string) => void
  /** Only for members that are needed before the end. */
  readonly patch?: (event: EventOf<'block-patch'>) => void
  /** The complete block; with its text if there is no `delta`. */
  readonly end: (part: Part) => void
}

/** The machine around a protocol's writer: it tracks the open block and its late members, and reports what is lost. */
export function createStreamEncoder(protocol: string, losses: Losses, writer: AnswerWriter): Machine<StreamEvent> {
  let open:
    | {
        readonly writer: BlockWriter
        readonly losses: Losses
        readonly textBuffer: TextBuffer
        readonly part: OpenPart
      }
    | undefined
  let blocks = 0
  let usage: Usage | undefined
  let done = false
  const candidate = losses.at('candidates', 0)
  const ended = createEndedBlocks(candidate, writer)
  return {
    push(event) {
      if (done) return
      switch (event.type) {
        case 'block-delta':
          if (open?.writer.delta !== undefined) open.writer.delta(event.text)
          else open?.textBuffer.add(event.text)
          return
        case 'start':
          usage = event.usage
          reportForeignExtras(event.response.extras, protocol, losses)
          writer.start(event)
          return
        case 'block-start': {
          const { part } = event
          const position = blocks++
          const at = candidate.at('parts', position)
          open = {
            writer: writer.block(part, at, position),
            losses: at,
            part: openPart(part),
            textBuffer: createTextBuffer(streamedText(part)),
          }
          return
        }
        case 'block-patch':
          if (event.block !== undefined) return ended.patch(event, event.block)
          if (open === undefined) return
          open.part.patch(event)
          open.writer.patch?.(event)
          return
        case 'block-end': {
          if (open === undefined) return
          const { writer: block, losses: at, textBuffer } = open
          const part = open.part.part()
          const whole = block.delta === undefined ? grow(part, textBuffer.text()) : part
          open = undefined
          ended.add(whole)
          block.end(whole)
          reportForeign(whole, protocol, at)
          return
        }
        case 'logprobs':
          writer.logprobs(event)
          return
        case 'extras':
          reportForeignExtras(event.extras, protocol, event.of === 'response' ? losses : candidate)
          writer.extras(event)
          return
        case 'end':
          if (event.blocked === undefined) reportForeignExtras(event.candidate.extras, protocol, candidate)
          writer.end(event, overwrite(usage, event.usage))
          done = true // now: an error while writing ends the stream with an error
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

/** Late members of blocks that have ended: written by the protocol if it can, and reported if not. */
function createEndedBlocks(candidate: Losses, writer: AnswerWriter) {
  const cited: number[] = [] // citations of each block, for the paths of losses
  return {
    add: (part: Part) => void cited.push(part.type === 'text' ? (part.citations?.length ?? 0) : 0),
    patch(event: EventOf<'block-patch'>, position: number) {
      const at = candidate.at('parts', position)
      const citation = cited[position] ?? 0
      if (event.citation !== undefined) cited[position] = citation + 1
      if (writer.late !== undefined) return writer.late(event, position, at)
      if (event.citation !== undefined) at.dropped(['citations', citation], TOO_LATE)
      if (event.hidden) at.dropped(['hidden'], 'the reasoning had ended as an empty text')
      if (event.seal !== undefined) at.dropped(['seal'], TOO_LATE)
      if (event.extras !== undefined) at.dropped(['extras'], TOO_LATE)
    },
  }
}

const TOO_LATE = 'it came after the block had ended'
