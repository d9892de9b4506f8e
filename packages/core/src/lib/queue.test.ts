import { expect, it } from 'vitest'
import { createQueues } from './queue.ts'

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
