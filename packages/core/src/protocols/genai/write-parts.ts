import { wrapBundle, type BundledReasoning, type BundleEntry, type Seal } from '../../ir/seal.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Pairs } from '../../ir/pairs.ts'
import type { Part, Reasoning } from '../../ir/part.ts'
import type { Draft } from '../../lib/members.ts'
import type { Encoding } from '../context.ts'
import type { WireCitation } from './answer-schema.ts'
import { createRuns } from './citations.ts'
import { encodePart } from './content.ts'
import { encodeUnsealed } from './reasoning.ts'
import { NAME, type WirePart } from './schema.ts'

/** A part on the wire, with its citations. */
interface Written {
  readonly wire: WirePart
  readonly citations: readonly WireCitation[]
}

/**
 * Writes the parts of a response. A function call carries the seals of other issuers that belong to the reasoning before it: that is
 * where Gemini has its own signatures, and several clients keep no others.
 */
export interface PartWriter {
  /** Undefined if nothing of the part is written now. */
  write(part: Part, losses: Losses, index: number): Written | undefined
  /** A part with the seals that no call has carried. */
  rest(): WirePart | undefined
}

/** The losses are those of the candidate. */
export function createPartWriter(losses: Losses, context: Encoding, pairs: Pairs): PartWriter {
  const runs = createRuns(losses, context, (index) => ['parts', index])
  let before: BundleEntry[] = []
  let sealed = false // something in it

  /** A part that would leave nothing on the wire between two texts is written: they would become one. */
  const isCarried = (part: Part): part is Reasoning => {
    if (context.toward !== 'client' || part.type !== 'reasoning') return false
    if (part.seal === undefined || part.seal.issuer === context.issuer) return false
    return isVisible(part) || (runs.open?.kind !== 'text' && part.extras?.[NAME] === undefined)
  }
  const note = (part: Part, joins: boolean, seal: Seal | undefined, wire: WirePart | undefined) => {
    const last = before.at(-1)
    if (part.type === 'reasoning') {
      const continued = joins && typeof last === 'object' ? last.length : 0
      const entry: Draft<BundledReasoning> = { length: continued + (part.hidden ? 0 : part.text.length) }
      if (seal !== undefined) entry.seal = seal
      if (part.hidden && seal !== undefined) entry.hidden = true
      if (wire?.thoughtSignature !== undefined) entry.signed = true
      if (joins && typeof last === 'object') before.pop()
      before.push(entry)
    } else if (typeof last === 'number') before[before.length - 1] = joins ? last : last + 1
    else before.push(1)
  }
  const take = (own: Seal | undefined): string => {
    const bundle = wrapBundle(own === undefined ? { before } : { before, own })
    forget()
    return bundle
  }
  const forget = () => {
    before = []
    sealed = false
  }
  return {
    write(part, at, index) {
      if (isCarried(part)) {
        const wire = encodeUnsealed(part, at, context)
        note(part, false, part.seal, wire)
        sealed = true
        runs.end('reasoning') // it stands alone: the bundle has its length
        if (wire === undefined) return undefined
        const citations = runs.add(wire, part, at, index)
        runs.end('reasoning')
        return { wire, citations }
      }
      const joins = runs.joins(part)
      const wire = encodePart(part, joins, at, context, pairs)
      if (wire === undefined) return undefined
      const citations = runs.add(wire, part, at, index)
      if (wire.functionCall === undefined) {
        note(part, joins, undefined, wire)
        return { wire, citations }
      }
      const carrier = sealed ? { ...wire, thoughtSignature: take(part.seal) } : wire
      forget()
      return { wire: carrier, citations }
    },
    rest: () => (sealed ? { text: '', thoughtSignature: take(undefined) } : undefined),
  }
}

function isVisible({ hidden, text }: Reasoning): boolean {
  return !hidden && text !== ''
}
