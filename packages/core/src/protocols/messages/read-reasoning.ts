import type { Part } from '../../ir/part.ts'
import { unwrap, type Seal } from '../../ir/seal.ts'
import type { Draft } from '../../lib/draft.ts'
import type { DecodeContext } from '../context.ts'
import type { Blocks } from './decode-blocks.ts'
import type { Block } from './schema.ts'

/** The seals of a streamed response: signatures of thinking, and blocks that carry the seal of their neighbor. */
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

export function createSealReader(blocks: Blocks, { issuer }: DecodeContext): SealReader {
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
