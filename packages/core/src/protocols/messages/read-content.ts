import type { Emit, StreamEvent } from '../../ir/stream.ts'
import type { DecodeContext } from '../protocol.ts'
import { decodeBlock } from './content.ts'
import { createBlocks } from './decode-blocks.ts'
import { createCitationReader } from './read-citations.ts'
import { createSealReader } from './read-reasoning.ts'
import type { Block, MessagesResponse, WireCitation, WireUsage } from './schema.ts'

/** One event of the wire, read leniently. */
export interface WireEvent {
  readonly type?: string
  readonly message?: MessagesResponse
  readonly content_block?: Block
  readonly delta?: WireDelta
  readonly usage?: WireUsage
  readonly error?: unknown
}

/** What an event adds: to its block, or to the answer. */
export interface WireDelta {
  readonly type?: string
  readonly text?: string
  readonly partial_json?: string
  readonly thinking?: string
  readonly signature?: string
  readonly citation?: WireCitation
  readonly stop_reason?: string | null
  readonly stop_sequence?: string | null
  readonly usage?: WireUsage
}

/** The content blocks of a streamed answer. */
export interface ContentReader {
  start(block: Block): void
  /** The text that an event adds to the open block; undefined where it adds none. */
  delta(event: WireEvent): string | undefined
  grow(text: string): void
  stop(): void
  /** Ends the block that is open, or waits for its seal. */
  close(): void
}

/** `begin` runs before a block starts. */
export function createContentReader(emit: Emit<StreamEvent>, context: DecodeContext, begin: () => void): ContentReader {
  const citations = createCitationReader(emit, context)
  const blocks = createBlocks(emit, citations)
  const seals = createSealReader(blocks, context)
  const patch = (change: WireDelta) => {
    if (change.type === 'signature_delta') seals.readSignature(change.signature)
    else if (change.type === 'citations_delta') citations.read(change.citation)
  }
  return {
    start(block) {
      if (seals.takeCarrier(block)) return
      blocks.close()
      begin()
      blocks.start(seals.sealed(decodeBlock(block, context)))
    },
    delta(event) {
      if (event.delta === undefined || blocks.open === undefined || seals.carrying) return undefined
      const text = grownBy(event)
      if (text === undefined) patch(event.delta)
      else blocks.grow(text)
      return text
    },
    grow: blocks.grow,
    stop() {
      if (seals.carrying) seals.endCarrier()
      else blocks.stop()
    },
    close: blocks.close,
  }
}

/** The text that an event adds to its block. */
export function grownBy({ delta }: WireEvent): string | undefined {
  const member = GROWN_OF[delta?.type ?? '']
  return member === undefined ? undefined : delta?.[member]
}

const GROWN_OF: { readonly [type: string]: 'text' | 'partial_json' | 'thinking' } = {
  text_delta: 'text',
  input_json_delta: 'partial_json',
  thinking_delta: 'thinking',
}
