import { describe, expect, it } from 'vitest'
import { findProblem } from './check.ts'
import {
  anything,
  atLeast,
  atMost,
  byTag,
  filled,
  list,
  mapOf,
  number,
  object,
  only,
  optional,
  refine,
  text,
  textOr,
  whole,
} from './schema.ts'

const block = byTag('type', {
  text: object({ type: only('text'), text }),
  image: object({ type: only('image'), source: object({ url: text }) }),
})
const schema = object({
  count: optional(atMost(atLeast(whole, 1), 10)),
  mode: optional(only('auto', 'none')),
  bias: optional(mapOf(number)),
  messages: filled(list(object({ content: textOr(list(block)) }))),
})
const good = { messages: [{ content: 'hello' }] }

describe('findProblem', () => {
  it('finds none in a value that fits, with members nobody knows', () => {
    expect(findProblem(schema, { ...good, other: 1 })).toBeUndefined()
  })

  it.each([
    [{}, 'messages', 'expected'],
    [{ messages: [] }, 'messages', 'must not be empty'],
    [{ ...good, count: 0 }, 'count', 'at least 1'],
    [{ ...good, count: 11 }, 'count', 'at most 10'],
    [{ ...good, count: 1.5 }, 'count', 'whole number'],
    [{ ...good, bias: { a: 1, b: '2' } }, 'bias.b', 'expected number'],
    [{ ...good, mode: 'never' }, 'mode', '"auto" or "none"'],
    [{ messages: [{ content: 'a' }, { content: 7 }] }, 'messages.1.content', 'expected array'],
    [{ messages: [{ content: [{ type: 'other' }] }] }, 'messages.0.content.0.type', '"text" or "image"'],
    [{ messages: [{ content: [{ type: 'text' }] }] }, 'messages.0.content.0.text', 'expected string'],
    [{ messages: [{ content: [{ type: 'image', source: {} }] }] }, 'messages.0.content.0.source.url', 'string'],
  ])('names the place in %j', (value, path, words) => {
    const problem = findProblem(schema, value)
    expect(problem?.path).toBe(path)
    expect(problem?.message).toContain(words)
  })

  it('blames the kind whose tag it has', () => {
    const value = { messages: [{ content: [{ type: 'image', source: { url: 1 }, text: 2 }] }] }
    expect(findProblem(schema, value)?.path).toBe('messages.0.content.0.source.url')
  })
})

describe('list', () => {
  it('stops at the first bad item: a long list of rubbish costs no more than one', () => {
    let looked = 0
    const isGood = (value: unknown) => {
      looked++
      return value !== 'bad'
    }
    const rubbish = ['good', ...Array.from({ length: 10_000 }, () => 'bad')]
    expect(findProblem(list(refine(anything, isGood, 'is bad')), rubbish)).toEqual({ path: '1', message: 'is bad' })
    expect(looked).toBe(4) // the predicate and zod, two items each
  })

  it('refuses what is no list', () => {
    expect(findProblem(list(text), 'abc')?.message).toContain('array')
  })
})
