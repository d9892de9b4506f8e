import { readArguments, reportKept } from '../../ir/tool.ts'
import { restore } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import { countCalls, type Pairs } from '../../ir/pairs.ts'
import type { Part, Reasoning, Text, ToolCall } from '../../ir/part.ts'
import { carry, wrap, type Seal } from '../../ir/seal.ts'
import type { Emit, EventOf } from '../../ir/stream.ts'
import { defined } from '../../lib/members.ts'
import { createTextBuffer, template } from '../../lib/streamed-text.ts'
import { isEmpty, listOf, type Json } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import type { BlockWriter } from '../stream-encoder.ts'
import { mark } from './cache.ts'
import { encodeCall } from './calls.ts'
import { encodeCitations } from './citations.ts'
import { EMPTY_TEXT, encodeBlock, encodePart } from './content.ts'
import { TABLES } from './members.ts'
import { carrierOf, isState } from './reasoning.ts'
import { NAME, type Block, type BlockOf } from './schema.ts'

/** The blocks of one streamed answer. */
export interface EncodedBlocks {
  /** The writer for a kind of part. */
  readonly start: (shell: Part, losses: Losses) => BlockWriter
  /** Ends the block that has waited for the next one. State that has waited for one is written or reported as lost. */
  readonly settle: () => void
}

export function createEncodedBlocks(write: Emit<string>, context: Encoding): EncodedBlocks {
  const output = createOutput(write, context)
  return {
    start(shell, losses) {
      const isCall = shell.type === 'tool-call'
      const inThinking = output.settle(isCall ? shell.seal : undefined)
      if (shell.type === 'text') return textWriter(shell, losses, output)
      if (shell.type === 'reasoning' && !shell.hidden) return reasoningWriter(shell, losses, output)
      if (!isCall) return wholeWriter(losses, output)
      if (shell.custom || shell.arguments !== '')
        return inThinking ? callOnly(losses, output) : wholeWriter(losses, output)
      if (shell.seal !== undefined && !inThinking) output.writeWhole(carrierOf(shell.seal, 'next'))
      return callWriter(shell, losses, output)
    },
    settle() {
      output.settle(undefined)
      output.endState()
    },
  }
}

/** The shared state of the writers of one response: it numbers the blocks. */
interface Output {
  readonly context: Encoding
  readonly pairs: Pairs
  write: Emit<string>
  readonly open: (block: Typed) => void
  readonly delta: (change: object) => void
  readonly close: () => void
  /** Unsigned thinking stays open until the next block begins: it may carry the seal of a call. */
  readonly await: () => void
  /** Ends such thinking, with the seal of the call that follows it. True if it was there and has taken the seal. */
  readonly settle: (seal: Seal | undefined) => boolean
  readonly cite: (citations: readonly unknown[] | null | undefined) => void
  /** Writes deltas of this type of the open block. */
  readonly line: (type: string, member: string) => (text: string) => string
  readonly writeWhole: (block: Block) => void
  /** Writes the state of another vendor with the next block: behind the last text, clients would print it. `lose` reports it. */
  readonly writeState: (block: BlockOf<'redacted_thinking'>, lose: () => void) => void
  /** No block follows. */
  readonly endState: () => void
}

/** A block on the wire. */
interface Typed {
  readonly type: string
  readonly [member: string]: unknown
}

function createOutput(write: Emit<string>, context: Encoding): Output {
  let index = 0
  let waits = false
  let last: string | undefined
  let state: (readonly [block: BlockOf<'redacted_thinking'>, lose: () => void])[] = []
  const begin = (content_block: Typed) => {
    last = content_block.type
    write(frame('content_block_start', { index, content_block }))
  }
  const flushState = () => {
    const waiting = state
    state = []
    for (const [block] of waiting) {
      begin(block)
      output.close()
    }
  }
  const output: Output = {
    context,
    pairs: countCalls(),
    write,
    open(content_block) {
      if (state.length > 0) flushState()
      begin(content_block)
    },
    delta: (change) => write(frame('content_block_delta', { index, delta: change })),
    close: () => write(frame('content_block_stop', { index: index++ })),
    await() {
      waits = true
    },
    settle(seal) {
      if (!waits) return false
      waits = false
      output.delta({ type: 'signature_delta', signature: wrap(seal, seal === undefined ? 'self' : 'next') })
      output.close()
      return seal !== undefined
    },
    cite(citations) {
      for (const citation of citations ?? []) output.delta({ type: 'citations_delta', citation })
    },
    line(type, member) {
      const own = index
      const shape = (hole: string) => ({ type: 'content_block_delta', index: own, delta: { type, [member]: hole } })
      return template(shape, frameHead('content_block_delta'), '\n\n')
    },
    /** A block that is complete: clients still read text and input from deltas. */
    writeWhole(block) {
      if (block.type === 'text') {
        const { citations, ...shell } = block
        output.open({ ...shell, text: '' })
        output.delta({ type: 'text_delta', text: block.text })
        output.cite(citations)
      } else if ('input' in block) {
        output.open({ ...block, input: {} })
        output.delta({ type: 'input_json_delta', partial_json: JSON.stringify(block.input) })
      } else if ((block as Typed).type === 'compaction') {
        // kept as a whole: the grammar does not have it
        const { content, encrypted_content } = block
        output.open({ ...block, content: null })
        output.delta(defined({ type: 'compaction_delta', content, encrypted_content }))
      } else output.open(block)
      output.close()
    },
    writeState: (block, lose) => void state.push([block, lose]),
    endState() {
      if (last !== 'text') flushState()
      for (const [, lose] of state) lose()
    },
  }
  return output
}

const BEHIND = 'state of reasoning after the last text, and clients print the last block'

/** Extras that come too late for a block that is already on the wire. */
function reportLate(event: EventOf<'block-patch'>, losses: Losses): void {
  const { citations, ...others } = event.extras?.[NAME] ?? {}
  if (!isEmpty(others)) losses.dropped(['extras', NAME], 'it came after the block had begun')
}

/** Opened by its first piece: a client never gets an empty text block. Citations follow the text. */
function textWriter(shell: Text, losses: Losses, output: Output): BlockWriter {
  const { context } = output
  const block: BlockOf<'text'> = { type: 'text', text: '' }
  reportUnsupported(shell, TABLES.part.text, losses, context)
  mark(block, shell, losses, context)
  let text: ((piece: string) => string) | undefined
  return {
    delta(piece) {
      if (text === undefined) {
        if (shell.seal !== undefined) output.writeWhole(carrierOf(shell.seal, 'next'))
        output.open(restore(NAME, shell, block))
        text = output.line('text_delta', 'text')
      }
      output.write(text(piece))
    },
    patch: (event) => reportLate(event, losses),
    end(part) {
      if (text === undefined) return losses.dropped([], EMPTY_TEXT)
      output.cite(listOf(part.extras?.[NAME]?.['citations'] as readonly Json[] | undefined)) // of kinds that only their own protocol may know
      if (part.type === 'text' && part.citations !== undefined)
        output.cite(encodeCitations(part.citations, losses, context))
      output.close()
      if (part.seal !== undefined && shell.seal === undefined)
        output.writeState(carrierOf(part.seal, 'previous'), () => losses.dropped(['seal'], BEHIND))
    },
  }
}

function reasoningWriter(shell: Reasoning, losses: Losses, output: Output): BlockWriter {
  const { context } = output
  output.open(restore(NAME, shell, { type: 'thinking', thinking: '', signature: '' }))
  const thinking = output.line('thinking_delta', 'thinking')
  return {
    delta: (piece) => output.write(thinking(piece)),
    patch: (event) => reportLate(event, losses),
    end(part) {
      if (part.type === 'reasoning') reportUnsupported(part, TABLES.part.reasoning, losses, context)
      if (part.seal === undefined) return output.await()
      output.delta({ type: 'signature_delta', signature: carry(part.seal, context.issuer) })
      output.close()
    },
  }
}

function callWriter(shell: ToolCall, losses: Losses, output: Output): BlockWriter {
  const { context, pairs, write } = output
  output.open(encodeCall(shell, losses, context, pairs))
  const input = output.line('input_json_delta', 'partial_json')
  const textBuffer = createTextBuffer()
  let begun = false
  let wrapped = false // inside an object: text that does not begin like an object is not one
  return {
    delta(piece) {
      textBuffer.add(piece)
      const begins = !begun && piece.trim() !== ''
      begun ||= begins
      wrapped ||= begins && !piece.trimStart().startsWith('{')
      if (!wrapped) write(input(piece))
      else write(input((begins ? '{"text":"' : '') + JSON.stringify(begins ? textBuffer.text() : piece).slice(1, -1)))
    },
    patch(event) {
      if (event.seal !== undefined) losses.dropped(['seal'], 'it came after the call had begun')
      reportLate(event, losses)
    },
    end(part) {
      const { value, kept } = readArguments(textBuffer.text())
      if (wrapped) write(input('"}'))
      if (kept && part.type === 'tool-call' && typeof part.arguments === 'string') reportKept(value, NAME, losses)
      output.close()
    },
  }
}

/** For a whole call whose seal is in the thinking before it. */
function callOnly(losses: Losses, { context, pairs, writeWhole }: Output): BlockWriter {
  return {
    end(part) {
      const block = encodeBlock(part, losses, context, pairs)
      if (block !== undefined) writeWhole(block)
    },
  }
}

/** For parts that this protocol cannot stream. */
function wholeWriter(losses: Losses, { context, pairs, writeWhole, writeState }: Output): BlockWriter {
  return {
    end(part) {
      const blocks: Block[] = []
      encodePart(part, blocks, losses, context, pairs)
      for (const block of blocks) {
        if (isState(block)) writeState(block, () => losses.dropped([], BEHIND))
        else writeWhole(block)
      }
    },
  }
}

/** The text of one event on the wire. */
export function frame(type: string, members: object): string {
  return `${frameHead(type)}${JSON.stringify({ type, ...members })}\n\n`
}

export function frameHead(type: string): string {
  return `event: ${type}\ndata: `
}
