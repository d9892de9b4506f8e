import { expect, it } from 'vitest'
import { createKeptFilms } from './kept-films.ts'

function setUp(most: number) {
  const films = createKeptFilms(most)
  const made: string[] = []
  const open = (key: string, size = 10): Promise<Uint8Array> =>
    films.get(key, async () => {
      made.push(key)
      return new Uint8Array(size)
    })
  return { films, made, open }
}

it('makes a film once for all that open it, also at the same time', async () => {
  const { made, open } = setUp(100)
  const [one, two] = await Promise.all([open('a'), open('a')])
  expect(await open('a')).toBe(one)
  expect(two).toBe(one)
  expect(made).toEqual(['a'])
})

it('keeps those that were opened last, and no more than it has room for', async () => {
  const { made, open } = setUp(25)
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await open(key)
  expect(made).toEqual(['a', 'b', 'c', 'b'])
  await open('large', 30)
  await open('large', 30)
  expect(made.slice(4)).toEqual(['large', 'large'])
})

it('does not keep a failure', async () => {
  const { films, open } = setUp(100)
  await expect(films.get('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await open('a')).toHaveLength(10)
})
