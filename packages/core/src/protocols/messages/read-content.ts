import type { Emit, StreamEvent } from '../../ir/stream.ts'
import type { DecodeContext } from '../context.ts'
import { decodeBlock } from './content.ts'
import { createBlocks } from './decode-blocks.ts'
import { createCitationReader } from './read-citations.ts'
import { createSealReader } from './read-reasoning.ts'
import { isCall } from './response.ts'
import type { EventOf, MessagesEvent, WireBlockDelta } from './answer-schema.ts'
import type { Block } from './schema.ts'

/** The content blocks of a streamed response. */
export interface ContentReader {
  start(block: Block): void
  delta(event: EventOf<'content_block_delta'>): void
  grow(text: string): void
  stop(): void
  /** Ends the open block, or waits for its seal. */
  readonly close: () => void
  /** A tool of the client was called. */
  called(): boolean
}

export function createContentReader(emit: Emit<StreamEvent>, context: DecodeContext): ContentReader {
  const citations = createCitationReader(emit, context)
  const blocks = createBlocks(emit, citations)
  const seals = createSealReader(blocks, context)
  let called = false
  const patch = (change: WireBlockDelta) => {
    if (change.type === 'signature_delta') seals.readSignature(change.signature)
    else if (change.type === 'citations_delta') citations.read(change.citation)
  }
  return {
    start(block) {
      if (seals.takeCarrier(block)) return
      blocks.close()
      const part = seals.sealed(decodeBlock(block, context))
      called ||= isCall(part)
      blocks.start(part)
    },
    delta(event) {
      if (event.delta === undefined || blocks.open === undefined || seals.carrying) return
      if (blocks.open.type === 'opaque') return blocks.merge(event.delta)
      const text = addedText(event)
      if (text === undefined) patch(event.delta)
      else blocks.grow(text)
    },
    grow: blocks.grow,
    stop() {
      if (seals.carrying) seals.endCarrier()
      else blocks.stop()
    },
    close: blocks.close,
    called: () => called,
  }
}

/** The text that an event adds to its block. */
export function addedText(event: MessagesEvent): string | undefined {
  const delta = event.type === 'content_block_delta' ? event.delta : undefined
  switch (delta?.type) {
    case 'text_delta':
      return delta.text
    case 'input_json_delta':
      return delta.partial_json
    case 'thinking_delta':
      return delta.thinking
    default:
      return undefined
  }
}
