import { expect, it } from 'vitest'
import { createHeap } from './heap.ts'

it('returns the least item first, for any input order', () => {
  const heap = createHeap<number>((item) => item)
  const ranks = Array.from({ length: 100 }, (_, index) => (index * 37) % 50)
  for (const rank of ranks.slice(0, 60)) heap.add(rank)
  const first = [heap.take(), heap.take(), heap.take()]
  for (const rank of ranks.slice(60)) heap.add(rank)
  expect(heap.least()).toBe(Math.min(...without(ranks, first)))
  const rest: number[] = []
  while (heap.size > 0) rest.push(heap.take() ?? -1)
  expect(rest).toEqual(without(ranks, first))
  expect([heap.take(), heap.least()]).toEqual([undefined, undefined])
})

function without(ranks: readonly number[], taken: readonly (number | undefined)[]): number[] {
  const rest = [...ranks]
  for (const rank of taken) rest.splice(rest.indexOf(rank ?? -1), 1)
  return rest.sort((one, other) => one - other)
}
