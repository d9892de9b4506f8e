import { REQUEST_SHAPE } from '../ir/request.ts'
import type { Shape } from '../ir/shape.ts'
import { didYouMean } from '../lib/near.ts'

/** Why a path does not exist in a request; undefined if it does. `*` is every element of a list. */
export function wrongPath(path: string): string | undefined {
  let shape: Shape = REQUEST_SHAPE
  for (const step of path.split('.')) {
    if (shape === 'json' && step !== '') return undefined
    const members: { readonly [member: string]: Shape } = isList(shape)
      ? { '*': shape[0] }
      : typeof shape === 'object'
        ? shape
        : {}
    const next = Object.hasOwn(members, step) ? members[step] : undefined
    if (next === undefined) return `names no member of a request${didYouMean(step, Object.keys(members))}`
    shape = next
  }
  return undefined
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape)
}
