import type { Part } from '../../ir/part.ts'
import type { WirePart } from './schema.ts'

/** Reasoning continues with reasoning and text with text, until it is sealed. */
export function goesOn(open: Part | undefined, wire: WirePart): boolean {
  const kind = wire.thought === true ? 'reasoning' : 'text'
  return open?.type === kind && open.seal === undefined
}
