import type { Emit, StreamEvent } from '../../ir/stream.ts'
import type { DecodeContext } from '../context.ts'
import { decodeBlock } from './content.ts'
import { createDecodedBlocks, type DecodedBlocks } from './decode-blocks.ts'
import { createCitationReader } from './citations.ts'
import { isCall } from './response.ts'
import type { EventOf, MessagesEvent, WireBlockDelta } from './answer-schema.ts'
import type { Block } from './schema.ts'
import type { Part } from '../../ir/part.ts'
import { unwrap, type Seal } from '../../ir/seal.ts'
import type { Draft } from '../../lib/members.ts'

/** The content blocks of a streamed answer. */
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
  const blocks = createDecodedBlocks(emit, citations)
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

/** The seals of a streamed answer: signatures of thinking, and blocks that carry the seal of their neighbor. */
export interface SealReader {
  /** A block that carries a seal is on the wire. */
  readonly carrying: boolean
  /** True for a block that only carries a seal. */
  takeCarrier(block: Block): boolean
  /** The carrier has ended. */
  endCarrier(): void
  readSignature(signature: string | undefined): void
  /** The part with the seal that was carried for it. */
  sealed(part: Part): Part
}

export function createSealReader(blocks: DecodedBlocks, { issuer }: DecodeContext): SealReader {
  let forNext: Seal | undefined
  let forCall: Seal | undefined
  const seals: Draft<SealReader> = {
    carrying: false,
    takeCarrier(block) {
      const carrier = block.type === 'redacted_thinking' ? unwrap(block.data, issuer) : undefined
      if (carrier === undefined || carrier.target === 'self') return false
      seals.carrying = true
      if (carrier.target === 'next') forNext = carrier.seal
      else if (blocks.ending && carrier.seal !== undefined) blocks.patch({ seal: carrier.seal })
      return true
    },
    endCarrier() {
      seals.carrying = false
    },
    readSignature(signature) {
      const { seal, target } = unwrap(signature ?? '', issuer)
      if (target === 'next') forCall = seal
      else if (seal !== undefined) blocks.patch({ seal })
    },
    sealed(part) {
      const calls = part.type === 'tool-call'
      const seal = forNext ?? (calls ? forCall : undefined)
      forNext = undefined
      if (calls) forCall = undefined
      return seal === undefined ? part : { ...part, seal }
    },
  }
  return seals
}
