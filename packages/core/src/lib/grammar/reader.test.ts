import { describe, expect, it } from 'vitest'
import { createReader } from './reader.ts'
import {
  atLeast,
  atMost,
  byOpenTag,
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

const block = byOpenTag(
  'type',
  object({ type: only('text'), text }),
  object({ type: only('image'), source: object({ url: text }) }),
)
const schema = object({
  count: optional(atMost(atLeast(whole, 1), 10)),
  mode: optional(only('auto', 'none')),
  bias: optional(mapOf(number)),
  messages: filled(list(object({ content: textOr(list(block)) }))),
})
const { findProblem } = createReader(schema)
const good = { messages: [{ content: 'hello' }] }

describe('findProblem', () => {
  it('finds none in a valid value with unknown members and kinds', () => {
    expect(findProblem({ ...good, other: 1 })).toBeUndefined()
    expect(findProblem({ messages: [{ content: [{ type: 'other', text: 7 }] }] })).toBeUndefined()
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
    [{ messages: [{ content: [{ type: 7 }] }] }, 'messages.0.content.0.type', 'expected string'],
    [{ messages: [{ content: [{ type: 'text' }] }] }, 'messages.0.content.0.text', 'expected string'],
    [{ messages: [{ content: [{ type: 'image', source: {} }] }] }, 'messages.0.content.0.source.url', 'string'],
  ])('names the path in %j', (value, path, words) => {
    const problem = findProblem(value)
    expect(problem?.path).toBe(path)
    expect(problem?.message).toContain(words)
  })

  it('reports the kind of its tag', () => {
    const value = { messages: [{ content: [{ type: 'image', source: { url: 1 }, text: 2 }] }] }
    expect(findProblem(value)?.path).toBe('messages.0.content.0.source.url')
  })
})

describe('list', () => {
  it('stops at the first invalid item', () => {
    let looked = 0
    const isGood = (value: unknown) => {
      looked++
      return value !== 'bad'
    }
    const rubbish = ['good', ...Array.from({ length: 10_000 }, () => 'bad')]
    expect(createReader(list(refine(text, isGood, 'is bad'))).findProblem(rubbish)).toEqual({
      path: '1',
      message: 'is bad',
    })
    expect(looked).toBe(2)
  })

  it('refuses a value that is not a list', () => {
    expect(createReader(list(text)).findProblem('abc')?.message).toContain('array')
  })
})
