import { grow, openPart, type OpenPart } from '../../ir/fold.ts'
import type { Losses } from '../../ir/loss.ts'
import { countCalls, type Pairs } from '../../ir/pairs.ts'
import type { Part, Reasoning, ToolCall } from '../../ir/part.ts'
import type { Emit, EventOf } from '../../ir/stream.ts'
import { createTextBuffer, template } from '../../lib/streamed-text.ts'
import { merge, type JsonObject } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { EncodeContext } from '../context.ts'
import type { BlockWriter } from '../stream-encoder.ts'
import { encodeOneText, encodeTranscript, ONE_AUDIO, ONLY_TEXT } from './assistant.ts'
import { createAudioWriter, type AudioWriter } from './audio.ts'
import { encodeCall } from './calls.ts'
import { EMPTY_TEXT, encodePart } from './content.ts'
import { frame } from '../../lib/sse.ts'
import { encodeImage } from './media.ts'
import { TABLES } from './members.ts'
import { carrierOf, encodeDetail, whyUnsupported } from './reasoning.ts'
import type { WireAnnotation } from './answer-schema.ts'
import { NAME, type WireDetail, type WirePart } from './schema.ts'

/** The blocks of one streamed answer. */
export interface EncodedBlocks {
  readonly start: (shell: Part, losses: Losses, position: number) => BlockWriter
  /** Late members of a block that has ended. */
  readonly late: (event: EventOf<'block-patch'>, position: number, losses: Losses) => void
  /** Writes what clients must get once and complete: some keep the last value of a member, others add values up. */
  readonly finish: () => void
  /** A tool was called. */
  called(): boolean
}

type ChunkOf = (delta: object) => object
/** Tracks what is on the wire, and has a writer for each kind of part. */
export function createEncodedBlocks(write: Emit<string>, chunkOf: ChunkOf, context: EncodeContext): EncodedBlocks {
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
          return mediaWriter(losses, position, output)
        default:
          return wholeWriter(losses, position, output)
      }
    },
    late(event, position, losses) {
      const closing = output.closings.get(position)
      if (closing !== undefined) closing.part.patch(event)
      else if (event.seal !== undefined) losses.dropped(['seal'], TOO_LATE)
    },
    finish: () => finish(output),
    called: () => output.calls > 0,
  }
}

/** The shared state of the writers of one response. */
interface Output {
  readonly context: EncodeContext
  readonly pairs: Pairs
  /** Texts and reasoning that have ended, by their positions. */
  readonly closings: Map<number, Closing>
  /** Parts whose start a reader has seen. */
  parts: number
  calls: number
  images: number
  readonly audio: AudioWriter
  /** The position of the audio. */
  spoken: number | undefined
  /** The position of the block that began last. */
  last: number
  /** Characters of content. */
  length: number
  /** Blocks that a reader sees as one. */
  run: Run | undefined
  write: Emit<string>
  readonly send: (delta: object) => void
  line(delta: (hole: string) => object): (text: string) => string
  /** Begins a block. One of the same kind directly after another is read as one. */
  begin(kind: Run['kind'], position: number): void
}

interface Run {
  readonly kind: 'content' | 'refusal' | 'thought' | 'other'
  readonly position: number
  readonly start: number
  end: number
}

/** A part that has ended, and its place on the wire. */
interface Closing {
  readonly part: OpenPart
  readonly losses: Losses
  readonly run: Run
  /** The number of parts up to it. */
  readonly index: number
  /** Its offset in the whole content, and its length. */
  readonly start: number
  readonly length: number
}

function createOutput(write: Emit<string>, chunkOf: ChunkOf, context: EncodeContext): Output {
  const output: Output = {
    context,
    pairs: countCalls(),
    closings: new Map(),
    parts: 0,
    calls: 0,
    images: 0,
    audio: createAudioWriter(context),
    spoken: undefined,
    last: 0,
    length: 0,
    run: undefined,
    write,
    send: (delta) => write(frame(chunkOf(delta))),
    line: (delta) => template((hole) => chunkOf(delta(hole)), 'data: ', '\n\n'),
    begin(kind, position) {
      const { run, length } = output
      output.last = position
      if ((kind === 'content' || kind === 'refusal') && run?.kind === kind) {
        const reason = `chat streams one ${kind} at a time`
        return context.losses.merged([...PARTS, position], [...PARTS, run.position], reason)
      }
      output.run = { kind, position, start: length, end: length }
      output.parts++
    },
  }
  return output
}

const PARTS = ['candidates', 0, 'parts']

/** The end of the audio, and one delta with all annotations and all entries of reasoning_details. */
function finish({ closings, context, send, audio, spoken, last: latest }: Output): void {
  if (spoken !== undefined) {
    if (latest > spoken) context.losses.moved([...PARTS, spoken], PARTS, 'chat has audio last')
    send({ audio: audio.end() })
  }
  const annotations: WireAnnotation[] = []
  const details: WireDetail[] = []
  let last: Run | undefined
  for (const { run } of closings.values()) if (run.kind === 'content') last = run
  for (const [position, { part: open, losses, run, index, start, length }] of closings) {
    const part = open.part()
    if (part.type === 'reasoning') {
      const detail = encodeDetail(part, index - 1, losses, context)
      if (detail !== undefined) details.push(detail)
    } else if (part.type === 'text') {
      // Ranges are counted in the consecutive texts that a reader sees as one, and written as ranges of the whole content.
      const span = {
        length,
        offset: start - run.start,
        base: run.start,
        last: run === last ? undefined : run.end - run.start - 1,
      }
      const first = run.position === position
      for (const annotation of encodeOneText(part, span, first, losses, context)) annotations.push(annotation)
      if (part.seal !== undefined && first) details.push(carrierOf(part.seal, index))
    }
  }
  if (annotations.length === 0 && details.length === 0) return
  const signed = details.some(({ signature, data }) => (signature ?? data) !== undefined)
  send({
    ...(annotations.length === 0 ? {} : { annotations }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    // LiteLLM drops other members of streams, and sends this one back.
    ...(signed ? { provider_specific_fields: { reasoning_details: details } } : {}),
  })
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
      const { run, context, closings, parts } = output
      if (piece === undefined || run === undefined) return losses.dropped([], EMPTY_TEXT)
      if (part.type === 'refusal') return reportUnsupported(part, TABLES.part.refusal, losses, context)
      run.end = output.length
      closings.set(position, { part: openPart(part), losses, run, index: parts, start, length })
    },
  }
}

/** Its entry comes at the end. A reader sees where it begins by an empty piece, if its text does not show that. */
function reasoningWriter(shell: Reasoning, losses: Losses, position: number, output: Output): BlockWriter {
  const textBuffer = createTextBuffer()
  const piece = output.line((hole) => ({ reasoning: hole, reasoning_content: hole }))
  let begun = false
  return {
    delta(more) {
      textBuffer.add(more)
      if (shell.hidden) return
      if (!begun && output.run?.kind === 'thought') output.write(piece(''))
      begun = true
      output.write(piece(more))
    },
    end(part) {
      const whole = grow(part, textBuffer.text()) as Reasoning // grow keeps the kind
      const why = whyUnsupported(whole, output.context)
      if (why !== undefined) return losses.dropped([], why)
      if (!begun) output.write(piece(''))
      output.begin('thought', position)
      const { run, parts, length } = output
      if (run !== undefined)
        output.closings.set(position, { part: openPart(whole), losses, run, index: parts, start: length, length: 0 })
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

/** One delta for each image, and for each piece of audio. A reader sees audio behind everything else. */
function mediaWriter(losses: Losses, position: number, output: Output): BlockWriter {
  return {
    end(part) {
      if (part.type !== 'media') return
      const { spoken = position, context } = output
      const audio = output.audio.piece(part, losses)
      if (audio !== undefined) {
        output.spoken = spoken
        if (spoken < position) context.losses.merged([...PARTS, position], [...PARTS, spoken], ONE_AUDIO)
        return output.send({ audio })
      }
      const image = encodeImage(part, output.images, losses, context)
      const text = image === undefined ? encodeTranscript(part, losses) : undefined
      if (text !== undefined) return writeText(text, losses, position, output)
      if (image === undefined) return losses.dropped([], ONLY_TEXT)
      output.images++
      output.begin('other', position)
      output.send({ images: [image] })
    },
  }
}

/** For parts that chat writes as text. */
function wholeWriter(losses: Losses, position: number, output: Output): BlockWriter {
  return { end: (part) => writeText(encodePart(part, losses, output.context), losses, position, output) }
}

function writeText(wire: WirePart | undefined, losses: Losses, position: number, output: Output): void {
  if (wire === undefined) return
  if (wire.type !== 'text') return losses.dropped([], ONLY_TEXT)
  output.begin('content', position)
  output.length += wire.text.length
  if (output.run !== undefined) output.run.end = output.length
  output.send({ content: wire.text })
}

const TOO_LATE = 'it came after the call had begun'
const NO_WRITER: BlockWriter = { delta() {}, end() {} }
