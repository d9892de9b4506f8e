import { expect, it } from 'vitest'
import { createQueues, createHeap } from './queue.ts'

it('finds the first open item of a key', () => {
  const over = new Set<number>()
  const queues = createQueues<number>((item) => over.has(item))
  for (let item = 0; item < 6; item++) queues.add(item % 2 === 0 ? 'even' : 'odd', item)
  expect([queues.first('even'), queues.first('odd'), queues.first('other')]).toEqual([0, 1, undefined])
  over.add(0).add(1).add(3)
  expect([queues.first('even'), queues.first('odd')]).toEqual([2, 5])
  over.add(5)
  expect(queues.first('odd')).toBeUndefined()
  queues.add('odd', 7)
  expect(queues.first('odd')).toBe(7)
})

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
