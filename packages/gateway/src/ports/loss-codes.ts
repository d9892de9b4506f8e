import { lossCode, type Loss, type LossCode } from '@dragoman/core'

/** The codes of losses, each once. */
export function lossCodes(losses: readonly Loss[]): readonly LossCode[] {
  return losses.length === 0 ? NONE : [...new Set(losses.map(lossCode))]
}

const NONE: readonly LossCode[] = []
