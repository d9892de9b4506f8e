import { restore } from '../../ir/extras.ts'
import { grow, streamedText, openPart } from '../../ir/fold.ts'
import type { Losses } from '../../ir/loss.ts'
import { countCalls } from '../../ir/pairs.ts'
import type { Part } from '../../ir/part.ts'
import type { Draft } from '../../lib/members.ts'
import { createTextBuffer, template } from '../../lib/streamed-text.ts'
import type { EncodeContext } from '../context.ts'
import type { BlockWriter } from '../stream-encoder.ts'
import type { WireCandidate } from './answer-schema.ts'
import { NAME, type WirePart } from './schema.ts'
import { createPartWriter } from './write-parts.ts'

/** The blocks of one streamed answer. */
export interface EncodedBlocks {
  readonly start: (shell: Part, losses: Losses, position: number) => BlockWriter
  /** A function was called. */
  readonly called: boolean
  /** Writes the calls that have waited for the end of the response. */
  readonly flush: () => void
  /** The parts for the last chunk: the calls that have waited for it, or seals that no call has carried. */
  readonly lastParts: () => readonly WirePart[]
}

/** How chunks are written. */
export interface Chunks {
  /** A chunk with these members of its candidate. */
  send(candidate: Partial<WireCandidate>): void
  /** A chunk given as JSON text. */
  write(json: string): void
  shape(candidate: Partial<WireCandidate>): object
}

/** Tracks what is on the wire. */
export function createEncodedBlocks(chunks: Chunks, context: EncodeContext): EncodedBlocks {
  const writer = createPartWriter(context.losses.at('candidates', 0), context, countCalls())
  let calls: WirePart[] = [] // without anything after them so far

  const sendPart = (part: WirePart) => {
    blocks.flush()
    chunks.send(contentOf([part]))
  }
  /** Written whole at its end, except for text that was already streamed: then its seal follows in an empty piece. */
  const finish = (part: Part, losses: Losses, position: number, piece: WirePart | undefined) => {
    const { wire, citations = [] } = writer.write(part, losses, position) ?? {}
    if (wire === undefined) return
    const { thoughtSignature } = wire
    if (wire.functionCall !== undefined) {
      blocks.called = true
      calls.push(wire)
    } else if (piece === undefined) sendPart(wire)
    else if (thoughtSignature !== undefined) sendPart({ ...piece, thoughtSignature })
    if (citations.length > 0) chunks.send({ citationMetadata: { citations: [...citations] } })
  }
  const blocks: Draft<EncodedBlocks> = {
    called: false,
    flush() {
      if (calls.length > 0) chunks.send(contentOf(calls))
      calls = []
    },
    lastParts() {
      const rest = writer.rest()
      if (rest === undefined) return calls
      blocks.flush()
      return [rest]
    },
    start(shell, losses, position) {
      const thought = shell.type === 'reasoning'
      const grows = shell.type === 'text' || (thought && !shell.hidden)
      const piece = (text: string): WirePart => (thought ? { text, thought } : { text })
      if (!grows) return { end: (part) => finish(part, losses, position, undefined) }
      const textBuffer = createTextBuffer(streamedText(shell)) // citations count its bytes
      let line: ((text: string) => string) | undefined // for the pieces after the first
      const part = openPart(shell) // without extras that came too late
      return {
        delta(more) {
          textBuffer.add(more)
          if (line !== undefined) return chunks.write(line(more))
          sendPart(restore(NAME, part.part(), piece(more)))
          line = template((hole) => chunks.shape(contentOf([piece(hole)])), '', '')
        },
        patch(event) {
          if (line === undefined || event.extras?.[NAME] === undefined) part.patch(event)
          else {
            const { [NAME]: _late, ...extras } = event.extras
            losses.dropped(['extras', NAME], 'it came after the text had begun')
            part.patch({ ...event, extras })
          }
        },
        end: () =>
          finish(grow(part.part(), textBuffer.text()), losses, position, line === undefined ? undefined : piece('')),
      }
    },
  }
  return blocks
}

function contentOf(parts: WirePart[]): Partial<WireCandidate> {
  return { content: { role: 'model', parts } }
}
