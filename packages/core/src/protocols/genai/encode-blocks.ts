import { restore } from '../../ir/extras.ts'
import { grow, grownText, patch } from '../../ir/fold.ts'
import { reportForeign } from '../../ir/leftovers.ts'
import { countCalls } from '../../ir/pairs.ts'
import type { Part, Reasoning, Text } from '../../ir/part.ts'
import type { BlockWriter } from '../../ir/stream.ts'
import { template } from '../../lib/template.ts'
import type { EncodeContext } from '../protocol.ts'
import { encodePart } from './content.ts'
import { createRuns } from './citations.ts'
import { NAME, type WireCandidate, type WirePart } from './schema.ts'

/** The blocks of one streamed answer. */
export interface Blocks {
  start(part: Part, position: number): BlockWriter
  /** A function was called. */
  readonly called: boolean
}

/** How chunks are written. */
export interface Chunks {
  /** A chunk with these members of its candidate. */
  send(candidate: Partial<WireCandidate>): void
  /** A chunk given as JSON text; false when the next one must be sent whole. */
  readonly begun: boolean
  write(json: string): void
  shape(candidate: Partial<WireCandidate>): object
}

/** Knows what is on the wire so far, and has a writer for each kind of part. */
export function createBlocks(chunks: Chunks, context: EncodeContext): Blocks {
  const { losses } = context
  const pairs = countCalls()
  const runs = createRuns(context, (index) => ['parts', index])
  let called = false

  const contentOf = (part: WirePart): Partial<WireCandidate> => ({ content: { role: 'model', parts: [part] } })
  const at = <T>(position: number, report: () => T): T => {
    losses.enter('candidates', 0)
    losses.enter('parts', position)
    const result = report()
    losses.leave()
    losses.leave()
    return result
  }
  const add = (wire: WirePart, part: Part, position: number) => {
    losses.enter('candidates', 0)
    const citations = runs.add(wire, part, position)
    losses.leave()
    if (citations.length > 0) chunks.send({ citationMetadata: { citations } })
  }

  /** Text and thoughts go out as they come; the seal follows in an empty piece, and so do the citations. */
  const growingWriter = (shell: Text | Reasoning, position: number): BlockWriter => {
    const thought = shell.type === 'reasoning'
    const piece = (text: string): WirePart => ({ text, ...(thought ? { thought } : {}) })
    let part: Part = shell
    let text = ''
    let line: ((text: string) => string) | undefined
    return {
      delta(more) {
        const first = line === undefined
        line ??= template((hole) => chunks.shape(contentOf(piece(hole))), '', '')
        text += more
        if (first) chunks.send(contentOf(restore(NAME, part, piece(more))))
        else if (chunks.begun) chunks.write(line(more))
        else chunks.send(contentOf(piece(more)))
      },
      patch(event) {
        const late = line !== undefined && event.extras?.[NAME] !== undefined
        if (late) at(position, () => losses.dropped(['extras', NAME], 'it came after the text had begun'))
        part = patch(part, late ? { ...event, extras: {} } : event)
      },
      end() {
        const whole = grow(part, text)
        const wire = at(position, () => encodePart(whole, runs.joins(whole), context, pairs))
        if (wire === undefined) return
        if (line === undefined) chunks.send(contentOf(wire))
        else if (wire.thoughtSignature !== undefined)
          chunks.send(contentOf({ ...piece(''), thoughtSignature: wire.thoughtSignature }))
        add(wire, whole, position)
      },
    }
  }
  /** For parts that this protocol cannot take in pieces. */
  const wholeWriter = (shell: Part, position: number): BlockWriter => {
    let part = shell
    let text = grownText(shell)
    return {
      delta(more) {
        text += more
      },
      patch(event) {
        part = patch(part, event)
      },
      end() {
        const whole = grow(part, text)
        const wire = at(position, () => encodePart(whole, runs.joins(whole), context, pairs))
        if (wire === undefined) return
        called ||= wire.functionCall !== undefined
        chunks.send(contentOf(wire))
        add(wire, whole, position)
      },
    }
  }

  return {
    start(part, position) {
      let seen = part
      const growing = part.type === 'text' || (part.type === 'reasoning' && !part.hidden)
      const writer = growing ? growingWriter(part, position) : wholeWriter(part, position)
      return {
        delta: writer.delta,
        patch(event) {
          seen = patch(seen, event)
          writer.patch(event)
        },
        end() {
          writer.end()
          at(position, () => reportForeign(seen, NAME, losses))
        },
      }
    },
    get called() {
      return called
    },
  }
}
