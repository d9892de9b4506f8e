import { DragomanError } from '@dragoman/core'
import type { Offer } from './model-index.ts'

const NOT_FOUND = { param: 'model', code: 'model_not_found' }

export function ambiguous(id: string, candidates: readonly Offer[]): DragomanError {
  const message = `The model "${shortName(id)}" is offered by several providers: ask for ${listOf(candidates)}.`
  return new DragomanError('not-found', message, NOT_FOUND)
}

export function notFound(id: string, near: readonly string[]): DragomanError {
  const hint = near.length === 0 ? '.' : `; did you mean ${near.slice(0, 3).join(' or ')}?`
  return new DragomanError('not-found', `The model "${shortName(id)}" does not exist${hint}`, NOT_FOUND)
}

export function unoffered({ card }: Offer, peers: readonly Offer[]): DragomanError {
  const message = `None of the providers asked for has the model "${card.name}": it is offered as ${listOf(peers)}.`
  return new DragomanError('not-found', message, { param: 'provider', code: 'model_not_found' })
}

function listOf(candidates: readonly Offer[]): string {
  return candidates.map(({ id }) => id).join(' or ')
}

/** A name from a request, shortened and without control characters. */
export function shortName(id: string): string {
  const printable = id.replace(/\p{C}/gu, '?')
  return printable.length > 200 ? `${printable.slice(0, 200)}…` : printable
}
