import { grow } from '../../ir/fold.ts'
import { countCalls } from '../../ir/pairs.ts'
import type { Part, Reasoning, Text, ToolCall } from '../../ir/part.ts'
import type { Emit } from '../../ir/stream.ts'
import { createGrown } from '../../lib/grown.ts'
import { merge, type JsonObject } from '../../lib/json.ts'
import { template } from '../../lib/template.ts'
import type { EncodeContext } from '../protocol.ts'
import { atPart, type BlockWriter } from '../stream-encoder.ts'
import { encodeOneText, ONLY_TEXT, reportRefusal } from './assistant.ts'
import { encodeCall } from './calls.ts'
import { EMPTY_TEXT, encodePart } from './content.ts'
import { frame } from './frame.ts'
import { carrierOf, encodeDetail } from './reasoning.ts'
import { NAME, type WireAnnotation, type WireDetail } from './schema.ts'

/** The blocks of one streamed answer. */
export interface Blocks {
  readonly start: (shell: Part, position: number) => BlockWriter
  /** A tool was called. */
  called(): boolean
}

/** Knows what is on the wire so far, and has a writer for each kind of part. */
export function createBlocks(write: Emit<string>, chunkOf: (delta: object) => object, context: EncodeContext): Blocks {
  const { losses } = context
  const pairs = countCalls()
  const details: WireDetail[] = []
  const annotations: WireAnnotation[] = []
  let place = 0 // parts that a reader has seen begin
  let calls = 0
  let said = 0 // characters of content
  let run: { readonly kind: string; readonly position: number; readonly start: number } | undefined // blocks that a reader sees as one

  const send = (delta: object) => write(frame(chunkOf(delta)))
  const line = (delta: (hole: string) => object) => template((hole) => chunkOf(delta(hole)), 'data: ', '\n\n')
  const at = <T>(position: number, report: () => T): T => atPart(losses, position, report)
  const drop = (position: number, reason: string, ...keys: string[]) => at(position, () => losses.dropped(keys, reason))
  /** Begins a block; one of the same kind right behind another is read as one. */
  const begin = (kind: 'content' | 'refusal' | 'other', position: number) => {
    if (kind !== 'other' && run?.kind === kind) {
      const owner = ['candidates', 0, 'parts']
      losses.merged([...owner, position], [...owner, run.position], `chat streams one ${kind} at a time`)
      return
    }
    run = { kind, position, start: said }
    place++
  }

  /** Text under `member`, opened by its first piece. */
  const plainWriter = (member: 'content' | 'refusal', position: number): BlockWriter => {
    let piece: ((text: string) => string) | undefined
    let start = 0 // of this text among all that was said
    let length = 0
    return {
      delta(text) {
        if (piece === undefined) {
          begin(member, position)
          start = said
          piece = line((hole) => ({ [member]: hole }))
        }
        length += text.length
        if (member === 'content') said += text.length
        write(piece(text))
      },
      end(part) {
        if (piece === undefined) return drop(position, EMPTY_TEXT)
        if (part.type === 'refusal') at(position, () => reportRefusal(part, context))
        else if (part.type === 'text') finishText(part, position, start, length)
      },
    }
  }
  const finishText = (part: Text, position: number, start: number, length: number) => {
    const first = run?.position === position
    // Places are counted in the run of texts that a reader takes for one, and written as places in all that was said.
    const base = run?.start ?? 0
    const cited = at(position, () => encodeOneText(part, { length, offset: start - base, base }, first, context))
    for (const annotation of cited) annotations.push(annotation)
    if (cited.length > 0) send({ annotations: annotations.length > REPEATED ? cited : annotations })
    if (part.seal !== undefined && first) tell(carrierOf(part.seal, place))
  }
  /** All entries so far: clients keep the last value of a field they do not know. Of very many only the new ones. */
  const tell = (detail: WireDetail) => {
    details.push(detail)
    send({ reasoning_details: details.length > REPEATED ? [detail] : details })
  }
  const reasoningWriter = (shell: Reasoning, position: number): BlockWriter => {
    const grown = createGrown()
    const piece = line((hole) => ({ reasoning: hole, reasoning_content: hole }))
    return {
      delta(more) {
        grown.add(more)
        if (!shell.hidden) write(piece(more))
      },
      end(part) {
        const detail = at(position, () => encodeDetail(grow(part, grown.text()) as Reasoning, place, context)) // grow keeps the kind
        if (detail === undefined) return
        begin('other', position)
        tell(detail)
      },
    }
  }
  const callWriter = (shell: ToolCall, position: number): BlockWriter => {
    const wire = at(position, () => encodeCall(shell, context, pairs))
    if (wire === undefined) return NO_WRITER
    begin('other', position)
    const index = calls++
    const shape = (text: string) =>
      wire.type === 'custom' ? { custom: { input: text } } : { function: { arguments: text } }
    const whole = typeof shell.arguments !== 'string'
    send({ tool_calls: [merge({ index, ...wire, ...(whole ? {} : shape('')) }, wire as JsonObject)] }) // of its members
    const piece = line((hole) => ({ tool_calls: [{ index, ...shape(hole) }] }))
    const grown = createGrown()
    return {
      delta(more) {
        grown.add(more)
        write(piece(more))
      },
      patch({ seal, extras }) {
        if (seal !== undefined) drop(position, TOO_LATE, 'seal')
        if (extras?.[NAME] !== undefined) drop(position, TOO_LATE, 'extras', NAME)
      },
      end(part) {
        if (whole) return
        const text = grown.text()
        if (text === '' && !shell.custom) write(piece('{}'))
        if (part.type === 'tool-call' && typeof part.arguments !== 'string')
          at(position, () => losses.changed(['arguments'], text, 'chat has the text as it came'))
      },
    }
  }
  /** For parts that chat says in other words. */
  const wholeWriter = (position: number): BlockWriter => ({
    end(part) {
      const wire = at(position, () => encodePart(part, context))
      if (wire === undefined) return
      if (wire.type !== 'text') return drop(position, ONLY_TEXT)
      begin('content', position)
      said += wire.text.length
      send({ content: wire.text })
    },
  })

  return {
    start(shell, position) {
      switch (shell.type) {
        case 'text':
          return plainWriter('content', position)
        case 'refusal':
          return plainWriter('refusal', position)
        case 'reasoning':
          return reasoningWriter(shell, position)
        case 'tool-call':
          return callWriter(shell, position)
        case 'media':
          drop(position, ONLY_TEXT)
          return NO_WRITER
        default:
          return wholeWriter(position)
      }
    },
    called: () => calls > 0,
  }
}

/** More entries than any real answer has: to repeat all of them with each new one would take quadratic time. */
const REPEATED = 64
const TOO_LATE = 'it came after the call had begun'
const NO_WRITER: BlockWriter = { delta() {}, end() {} }
