import { restore } from '../../ir/extras.ts'
import { grow, grownText, patch } from '../../ir/fold.ts'
import { reportForeign } from '../../ir/leftovers.ts'
import { countCalls } from '../../ir/pairs.ts'
import type { Citation, Part, Reasoning, Text, ToolCall } from '../../ir/part.ts'
import { carry } from '../../ir/seal.ts'
import type { BlockWriter, Emit, EventOf } from '../../ir/stream.ts'
import { isEmpty, type Json } from '../../lib/json.ts'
import { template } from '../../lib/template.ts'
import type { EncodeContext } from '../protocol.ts'
import { encodeCache } from './cache.ts'
import { encodeCitation } from './citations.ts'
import { encodePart } from './content.ts'
import { frame, frameHead } from './frame.ts'
import { carrierOf } from './reasoning.ts'
import { NAME, type Block } from './schema.ts'
import { encodeCall } from './calls.ts'

/** The blocks of one streamed answer. */
export interface Blocks {
  start(part: Part, position: number): BlockWriter
}

/** Numbers the blocks on the wire, and has a writer for each kind of part. */
export function createBlocks(write: Emit<string>, context: EncodeContext): Blocks {
  const { losses } = context
  const pairs = countCalls()
  let next = 0

  const open = (content_block: object) => write(frame('content_block_start', { index: next, content_block }))
  const delta = (change: object) => write(frame('content_block_delta', { index: next, delta: change }))
  const close = () => write(frame('content_block_stop', { index: next++ }))
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
      for (const citation of citations ?? []) delta({ type: 'citations_delta', citation })
    } else if (block.type === 'tool_use' || block.type === 'server_tool_use') {
      open({ ...block, input: {} })
      delta({ type: 'input_json_delta', partial_json: JSON.stringify(block.input) })
    } else open(block)
    close()
  }
  const at = <T>(position: number, report: () => T): T => {
    losses.enter('candidates', 0)
    losses.enter('parts', position)
    const result = report()
    losses.leave()
    losses.leave()
    return result
  }

  /** Leftovers that come late for a block that is on the wire already. */
  const tooLate = (event: EventOf<'block-patch'>, position: number) => {
    const { citations, ...others } = event.extras?.[NAME] ?? {}
    if (isEmpty(others)) return
    at(position, () => losses.dropped(['extras', NAME], 'it came after the block had begun'))
  }

  /** Opened by its first piece: an empty text block is never given to a client. Citations come when the text is there. */
  const textWriter = (part: Text, position: number): BlockWriter => {
    const citations: Citation[] = [...(part.citations ?? [])]
    let strange: readonly Json[] = [] // of kinds that only their own protocol may know
    let text: ((piece: string) => string) | undefined
    let { seal } = part
    const cite = () => {
      for (const citation of strange) delta({ type: 'citations_delta', citation })
      for (const [index, citation] of citations.entries()) {
        losses.enter('citations', index)
        const wire = encodeCitation(citation, context)
        losses.leave()
        if (wire !== undefined) delta({ type: 'citations_delta', citation: restore(NAME, citation, wire) })
      }
    }
    return {
      delta(piece) {
        if (text === undefined) {
          open(restore(NAME, part, { type: 'text', text: '', ...encodeCache(part, context) }))
          text = line('text_delta', 'text')
        }
        write(text(piece))
      },
      patch(event) {
        seal = event.seal ?? seal
        if (event.citation !== undefined) citations.push(event.citation)
        const unknown = event.extras?.[NAME]?.['citations']
        if (Array.isArray(unknown)) strange = unknown as readonly Json[] // Array.isArray forgets the type
        tooLate(event, position)
      },
      end() {
        if (text === undefined) return at(position, () => losses.dropped([], 'an empty text block is refused'))
        at(position, cite)
        close()
        if (seal !== undefined) writeWhole(carrierOf(seal, 'previous'))
      },
    }
  }
  const reasoningWriter = (part: Reasoning, position: number): BlockWriter => {
    let { seal } = part
    open(restore(NAME, part, { type: 'thinking', thinking: '', signature: '' }))
    const thinking = line('thinking_delta', 'thinking')
    return {
      delta: (piece) => write(thinking(piece)),
      patch(event) {
        seal = event.seal ?? seal
        tooLate(event, position)
      },
      end() {
        delta({ type: 'signature_delta', signature: carry(seal, context.issuer) })
        close()
      },
    }
  }
  const callWriter = (part: ToolCall, position: number): BlockWriter => {
    if (part.seal !== undefined) writeWhole(carrierOf(part.seal, 'next'))
    open(at(position, () => encodeCall(part, context, pairs)))
    const input = line('input_json_delta', 'partial_json')
    return {
      delta: (piece) => write(input(piece)),
      patch(event) {
        if (event.seal !== undefined) at(position, () => losses.dropped(['seal'], 'it came after the call had begun'))
        tooLate(event, position)
      },
      end: close,
    }
  }
  /** For parts that this protocol cannot take in pieces. */
  const wholeWriter = (shell: Part, position: number): BlockWriter => {
    let part = shell
    let text = grownText(shell)
    return {
      delta(piece) {
        text += piece
      },
      patch(event) {
        part = patch(part, event)
      },
      end() {
        const blocks: Block[] = []
        at(position, () => encodePart(grow(part, text), blocks, context, pairs))
        for (const block of blocks) writeWhole(block)
      },
    }
  }
  const writerOf = (part: Part, position: number): BlockWriter => {
    if (part.type === 'text') return textWriter(part, position)
    if (part.type === 'reasoning' && !part.hidden) return reasoningWriter(part, position)
    if (part.type === 'tool-call' && !part.custom && part.arguments === '') return callWriter(part, position)
    return wholeWriter(part, position)
  }

  return {
    start(part, position) {
      let seen = part
      const writer = writerOf(part, position)
      return {
        delta: writer.delta,
        patch(event) {
          seen = patch(seen, event)
          writer.patch(event)
        },
        end() {
          writer.end()
          at(position, () => {
            if (seen.item !== undefined) losses.dropped(['item'], 'messages has no output items')
            if (seen.type === 'reasoning' && seen.summary)
              losses.dropped(['summary'], 'messages does not tell summaries apart')
            if (seen.type === 'reasoning' && seen.cache !== undefined)
              losses.dropped(['cache'], 'messages reasoning has no cache mark')
            reportForeign(seen, NAME, losses)
          })
        },
      }
    },
  }
}
