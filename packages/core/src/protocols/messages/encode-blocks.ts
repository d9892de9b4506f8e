import { readArguments, reportKept } from '../../ir/arguments.ts'
import { restore } from '../../ir/extras.ts'
import { countCalls } from '../../ir/pairs.ts'
import type { Part, Reasoning, Text, ToolCall } from '../../ir/part.ts'
import { carry } from '../../ir/seal.ts'
import type { Emit, EventOf } from '../../ir/stream.ts'
import { createGrown } from '../../lib/grown.ts'
import { isEmpty, listOf, type Json } from '../../lib/json.ts'
import { template } from '../../lib/template.ts'
import type { EncodeContext } from '../protocol.ts'
import { atPart, type BlockWriter } from '../stream-encoder.ts'
import { mark } from './cache.ts'
import { encodeCall } from './calls.ts'
import { encodeCitations } from './citations.ts'
import { EMPTY_TEXT, encodePart, NO_ITEMS } from './content.ts'
import { frame, frameHead } from './frame.ts'
import { carrierOf, reportThought } from './reasoning.ts'
import { NAME, type Block, type BlockOf } from './schema.ts'

/** Numbers the blocks of a streamed answer on the wire, and has a writer for each kind of part. */
export function createBlocks(
  write: Emit<string>,
  context: EncodeContext,
): (shell: Part, position: number) => BlockWriter {
  const { losses } = context
  const pairs = countCalls()
  let next = 0

  const open = (content_block: object) => write(frame('content_block_start', { index: next, content_block }))
  const delta = (change: object) => write(frame('content_block_delta', { index: next, delta: change }))
  const close = () => write(frame('content_block_stop', { index: next++ }))
  const cite = (citations: readonly unknown[] | null | undefined) => {
    for (const citation of citations ?? []) delta({ type: 'citations_delta', citation })
  }
  const line = (type: string, member: string) => {
    const index = next
    const shape = (hole: string) => ({ type: 'content_block_delta', index, delta: { type, [member]: hole } })
    return template(shape, frameHead('content_block_delta'), '\n\n')
  }
  /** A block that is known as a whole: clients read text and input from deltas all the same. */
  const writeWhole = (block: Block) => {
    if (block.type === 'text') {
      const { citations, ...shell } = block
      open({ ...shell, text: '' })
      delta({ type: 'text_delta', text: block.text })
      cite(citations)
    } else if (block.type === 'tool_use' || block.type === 'server_tool_use') {
      open({ ...block, input: {} })
      delta({ type: 'input_json_delta', partial_json: JSON.stringify(block.input) })
    } else open(block)
    close()
  }
  /** Leftovers that come late for a block that is on the wire already. */
  const tooLate = (event: EventOf<'block-patch'>, position: number) => {
    const { citations, ...others } = event.extras?.[NAME] ?? {}
    if (isEmpty(others)) return
    atPart(losses, position, () => losses.dropped(['extras', NAME], 'it came after the block had begun'))
  }

  /** Opened by its first piece: an empty text block is never given to a client. Citations come when the text is there. */
  const textWriter = (shell: Text, position: number): BlockWriter => {
    const block: BlockOf<'text'> = { type: 'text', text: '' }
    atPart(losses, position, () => mark(block, shell, context))
    let text: ((piece: string) => string) | undefined
    return {
      delta(piece) {
        if (text === undefined) {
          open(restore(NAME, shell, block))
          text = line('text_delta', 'text')
        }
        write(text(piece))
      },
      patch: (event) => tooLate(event, position),
      end(part) {
        if (text === undefined) return atPart(losses, position, () => losses.dropped([], EMPTY_TEXT))
        cite(listOf(part.extras?.[NAME]?.['citations'] as readonly Json[] | undefined)) // of kinds that only their own protocol may know
        if (part.type === 'text' && part.citations !== undefined)
          cite(atPart(losses, position, () => encodeCitations(part.citations ?? [], context)))
        close()
        if (part.seal !== undefined) writeWhole(carrierOf(part.seal, 'previous'))
      },
    }
  }
  const reasoningWriter = (shell: Reasoning, position: number): BlockWriter => {
    open(restore(NAME, shell, { type: 'thinking', thinking: '', signature: '' }))
    const thinking = line('thinking_delta', 'thinking')
    return {
      delta: (piece) => write(thinking(piece)),
      patch: (event) => tooLate(event, position),
      end(part) {
        atPart(losses, position, () => reportThought(part, context))
        delta({ type: 'signature_delta', signature: carry(part.seal, context.issuer) })
        close()
      },
    }
  }
  const callWriter = (shell: ToolCall, position: number): BlockWriter => {
    if (shell.seal !== undefined) writeWhole(carrierOf(shell.seal, 'next'))
    open(atPart(losses, position, () => encodeCall(shell, context, pairs)))
    const input = line('input_json_delta', 'partial_json')
    const grown = createGrown()
    let begun = false
    let wrapped = false // in an object that keeps it: what does not begin like an object is none
    return {
      delta(piece) {
        grown.add(piece)
        const begins = !begun && piece.trim() !== ''
        begun ||= begins
        wrapped ||= begins && !piece.trimStart().startsWith('{')
        if (!wrapped) write(input(piece))
        else write(input((begins ? '{"text":"' : '') + JSON.stringify(begins ? grown.text() : piece).slice(1, -1)))
      },
      patch(event) {
        if (event.seal !== undefined)
          atPart(losses, position, () => losses.dropped(['seal'], 'it came after the call had begun'))
        tooLate(event, position)
      },
      end(part) {
        const { value, kept } = readArguments(grown.text())
        if (wrapped) write(input('"}'))
        if (kept && part.type === 'tool-call' && typeof part.arguments === 'string')
          atPart(losses, position, () => reportKept(value, NAME, losses))
        close()
      },
    }
  }
  /** For parts that this protocol cannot take in pieces. */
  const wholeWriter = (position: number): BlockWriter => ({
    end(part) {
      const blocks: Block[] = []
      atPart(losses, position, () => encodePart(part, blocks, context, pairs))
      blocks.forEach(writeWhole)
    },
  })
  const writerOf = (shell: Part, position: number): BlockWriter => {
    if (shell.type === 'text') return textWriter(shell, position)
    if (shell.type === 'reasoning' && !shell.hidden) return reasoningWriter(shell, position)
    if (shell.type === 'tool-call' && !shell.custom && shell.arguments === '') return callWriter(shell, position)
    return wholeWriter(position)
  }
  return (shell, position) => {
    const writer = writerOf(shell, position)
    if (writer.delta !== undefined && shell.item !== undefined)
      atPart(losses, position, () => losses.dropped(['item'], NO_ITEMS))
    return writer
  }
}
