import { grow } from '../../ir/fold.ts'
import type { Losses } from '../../ir/loss.ts'
import { countCalls, type Pairs } from '../../ir/pairs.ts'
import type { Part, Reasoning, Text, ToolCall } from '../../ir/part.ts'
import type { Emit } from '../../ir/stream.ts'
import { createTextBuffer } from '../../lib/text-buffer.ts'
import { merge, type JsonObject } from '../../lib/json.ts'
import { template } from '../../lib/template.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { EncodeContext } from '../protocol.ts'
import type { BlockWriter } from '../stream-encoder.ts'
import { encodeOneText, ONLY_TEXT } from './assistant.ts'
import { encodeCall } from './calls.ts'
import { EMPTY_TEXT, encodePart } from './content.ts'
import { frame } from './frame.ts'
import { TABLES } from './members.ts'
import { carrierOf, encodeDetail } from './reasoning.ts'
import type { WireAnnotation } from './answer-schema.ts'
import { NAME, type WireDetail } from './schema.ts'

/** The blocks of one streamed response. */
export interface Blocks {
  readonly start: (shell: Part, losses: Losses, position: number) => BlockWriter
  /** A tool was called. */
  called(): boolean
}

/** Tracks what is on the wire, and has a writer for each kind of part. */
export function createBlocks(write: Emit<string>, chunkOf: (delta: object) => object, context: EncodeContext): Blocks {
  const output = createOutput(write, chunkOf, context)
  return {
    start(shell, losses, position) {
      switch (shell.type) {
        case 'text':
          return plainWriter('content', losses, position, output)
        case 'refusal':
          return plainWriter('refusal', losses, position, output)
        case 'reasoning':
          return reasoningWriter(shell, losses, position, output)
        case 'tool-call':
          return callWriter(shell, losses, position, output)
        case 'media':
          losses.dropped([], ONLY_TEXT)
          return NO_WRITER
        default:
          return wholeWriter(losses, position, output)
      }
    },
    called: () => output.calls > 0,
  }
}

/** The shared state of the writers of one response. */
interface Output {
  readonly context: EncodeContext
  readonly pairs: Pairs
  /** Citations so far. */
  readonly annotations: WireAnnotation[]
  /** Parts whose start a reader has seen. */
  parts: number
  calls: number
  /** Characters of content. */
  length: number
  /** Blocks that a reader sees as one. */
  run: { readonly kind: string; readonly position: number; readonly start: number } | undefined
  write: Emit<string>
  send(delta: object): void
  line(delta: (hole: string) => object): (text: string) => string
  /** Begins a block. One of the same kind directly after another is read as one. */
  begin(kind: 'content' | 'refusal' | 'other', position: number): void
  sendDetail(detail: WireDetail): void
}

function createOutput(write: Emit<string>, chunkOf: (delta: object) => object, context: EncodeContext): Output {
  const details: WireDetail[] = []
  const output: Output = {
    context,
    pairs: countCalls(),
    annotations: [],
    parts: 0,
    calls: 0,
    length: 0,
    run: undefined,
    write,
    send: (delta) => write(frame(chunkOf(delta))),
    line: (delta) => template((hole) => chunkOf(delta(hole)), 'data: ', '\n\n'),
    begin(kind, position) {
      const { run } = output
      if (kind !== 'other' && run?.kind === kind) {
        const owner = ['candidates', 0, 'parts']
        const reason = `chat streams one ${kind} at a time`
        return context.losses.merged([...owner, position], [...owner, run.position], reason)
      }
      output.run = { kind, position, start: output.length }
      output.parts++
    },
    /** All entries so far, because clients keep the last value of an unknown field. With very many, only the new ones. */
    sendDetail(detail) {
      details.push(detail)
      output.send({ reasoning_details: details.length > REPEATED ? [detail] : details })
    },
  }
  return output
}

/** Text under `member`, opened by its first piece. */
function plainWriter(member: 'content' | 'refusal', losses: Losses, position: number, output: Output): BlockWriter {
  let piece: ((text: string) => string) | undefined
  let start = 0 // the offset of this text in the whole content
  let length = 0
  return {
    delta(text) {
      if (piece === undefined) {
        output.begin(member, position)
        start = output.length
        piece = output.line((hole) => ({ [member]: hole }))
      }
      length += text.length
      if (member === 'content') output.length += text.length
      output.write(piece(text))
    },
    end(part) {
      if (piece === undefined) return losses.dropped([], EMPTY_TEXT)
      if (part.type === 'refusal') reportUnsupported(part, TABLES.part.refusal, losses, output.context)
      else if (part.type === 'text') finishText(part, losses, { position, start, length }, output)
    },
  }
}

function finishText(
  part: Text,
  losses: Losses,
  { position, start, length }: { readonly position: number; readonly start: number; readonly length: number },
  output: Output,
): void {
  const { run, annotations, context } = output
  const first = run?.position === position
  // Ranges are counted in the consecutive texts that a reader sees as one, and written as ranges of the whole content.
  const base = run?.start ?? 0
  const cited = encodeOneText(part, { length, offset: start - base, base }, first, losses, context)
  for (const annotation of cited) annotations.push(annotation)
  if (cited.length > 0) output.send({ annotations: annotations.length > REPEATED ? cited : annotations })
  if (part.seal !== undefined && first) output.sendDetail(carrierOf(part.seal, output.parts))
}

function reasoningWriter(shell: Reasoning, losses: Losses, position: number, output: Output): BlockWriter {
  const textBuffer = createTextBuffer()
  const piece = output.line((hole) => ({ reasoning: hole, reasoning_content: hole }))
  return {
    delta(more) {
      textBuffer.add(more)
      if (!shell.hidden) output.write(piece(more))
    },
    end(part) {
      const whole = grow(part, textBuffer.text()) as Reasoning // grow keeps the kind
      const detail = encodeDetail(whole, output.parts, losses, output.context)
      if (detail === undefined) return
      output.begin('other', position)
      output.sendDetail(detail)
    },
  }
}

function callWriter(shell: ToolCall, losses: Losses, position: number, output: Output): BlockWriter {
  const wire = encodeCall(shell, losses, output.context, output.pairs)
  if (wire === undefined) return NO_WRITER
  output.begin('other', position)
  const index = output.calls++
  const shape = (text: string) =>
    wire.type === 'custom' ? { custom: { input: text } } : { function: { arguments: text } }
  const whole = typeof shell.arguments !== 'string'
  output.send({ tool_calls: [merge({ index, ...wire, ...(whole ? {} : shape('')) }, wire as JsonObject)] }) // the length of its members
  const piece = output.line((hole) => ({ tool_calls: [{ index, ...shape(hole) }] }))
  const textBuffer = createTextBuffer()
  return {
    delta(more) {
      textBuffer.add(more)
      output.write(piece(more))
    },
    patch({ seal, extras }) {
      if (seal !== undefined) losses.dropped(['seal'], TOO_LATE)
      if (extras?.[NAME] !== undefined) losses.dropped(['extras', NAME], TOO_LATE)
    },
    end(part) {
      if (whole) return
      const text = textBuffer.text()
      if (text === '' && !shell.custom) output.write(piece('{}'))
      if (part.type === 'tool-call' && typeof part.arguments !== 'string')
        losses.changed(['arguments'], text, 'chat has the text as it came')
    },
  }
}

/** For parts that chat writes as text. */
function wholeWriter(losses: Losses, position: number, output: Output): BlockWriter {
  return {
    end(part) {
      const wire = encodePart(part, losses, output.context)
      if (wire === undefined) return
      if (wire.type !== 'text') return losses.dropped([], ONLY_TEXT)
      output.begin('content', position)
      output.length += wire.text.length
      output.send({ content: wire.text })
    },
  }
}

/** More entries than any real response has. Repeating all of them with each new one would take quadratic time. */
const REPEATED = 64
const TOO_LATE = 'it came after the call had begun'
const NO_WRITER: BlockWriter = { delta() {}, end() {} }
