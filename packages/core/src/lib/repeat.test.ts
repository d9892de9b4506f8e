import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { character } from '../../test/character.ts'
import { isObject, parseJson } from './json.ts'
import { createRepeat } from './repeat.ts'

interface Event {
  readonly delta?: string
}

const UNREAD = ['number', 'padding']
const deltaOf = ({ delta }: Event): string | undefined => delta

/** A memory that has learned one event. */
function learned(data: string) {
  const repeat = createRepeat<Event>(UNREAD)
  repeat.learn(data, (JSON.parse(data) as Event).delta, deltaOf)
  return repeat
}

const FIRST = '{"type":"d","number":7,"delta":"Hi","list":[],"padding":"x"}'

describe('createRepeat', () => {
  it('reads the string of an event that differs only in it and in unread members', () => {
    const repeat = learned(FIRST)
    expect(repeat.text('{"type":"d","number":8,"delta":" you","list":[],"padding":"abc"}')).toBe(' you')
    expect(repeat.text('{"type":"d","number":1024,"delta":"a \\"b\\" \\u00e9\\\\","list":[],"padding":""}')).toBe(
      'a "b" é\\',
    )
    repeat.forget()
    expect(repeat.text(FIRST)).toBeUndefined()
  })

  it('reads members in any order, with spaces, and without the unread ones', () => {
    expect(learned('{"delta": "Hi", "number": 7}').text('{"delta": "you", "number": 12}')).toBe('you')
    expect(learned('{"padding": "x", "delta": "Hi"}').text('{"padding": "y", "delta": "you"}')).toBe('you')
    expect(learned('{"a":1,"delta":"Hi"}').text('{"a":1,"delta":"you"}')).toBe('you')
  })

  it.each([
    ['another member', '{"type":"e","number":8,"delta":"a","list":[],"padding":"b"}'],
    ['one member more', '{"type":"d","number":8,"delta":"a","list":[],"padding":"b","end":1}'],
    ['another value in between', '{"type":"d","number":8,"delta":"a","list":[1],"padding":"b"}'],
    ['a number that is no whole number', '{"type":"d","number":8.5,"delta":"a","list":[],"padding":"b"}'],
    ['a string for a number', '{"type":"d","number":"8","delta":"a","list":[],"padding":"b"}'],
    ['a number that is no JSON', '{"type":"d","number":08,"delta":"a","list":[],"padding":"b"}'],
    ['a string that is no JSON', '{"type":"d","number":8,"delta":"a\\x","list":[],"padding":"b"}'],
    ['a line end in a string', '{"type":"d","number":8,"delta":"a\n","list":[],"padding":"b"}'],
    ['padding that is no JSON', '{"type":"d","number":8,"delta":"a","list":[],"padding":"\\"}'],
    ['a string without an end', '{"type":"d","number":8,"delta":"a'],
    ['no string', '{"type":"d","number":8,"delta":null,"list":[],"padding":"b"}'],
    ['a member in the string', '{"type":"d","number":8,"delta":"a","delta":"b","list":[],"padding":"b"}'],
  ])('does not recognize %s', (_case, data) => {
    expect(learned(FIRST).text(data)).toBeUndefined()
  })

  it.each([
    ['the string occurs twice', '{"delta":"Hi","other":"Hi"}', '{"delta":"you","other":"Hi"}'],
    ['the member comes again', '{"delta":"Hi","delta":"you"}', '{"delta":"a","delta":"you"}'],
    ['an unread member comes again', '{"number":1,"delta":"Hi","number":2}', '{"number":3,"delta":"a","number":2}'],
    ['a nested member has an unread name', '{"in":{"number":1},"delta":"Hi"}', '{"in":{"number":2},"delta":"a"}'],
  ])('does not learn an event if %s', (_case, first, next) => {
    expect(learned(first).text(next)).toBeUndefined()
  })

  it('is exact: whatever it recognizes has the string, and otherwise the members that it has learned', () => {
    const value = fc.oneof(
      fc.string({ unit: character() }),
      fc.constantFrom('\\', '"', '",', '"number":1', '}', '"delta":"'),
    )
    const number = fc.oneof(fc.nat(), fc.constantFrom(0, 10, -1, 0.5, 1e21))
    const event = fc
      .tuple(value, number, value, fc.subarray(['delta', 'number', 'padding', 'type'], { minLength: 2 }))
      .map(([delta, at, padding, members]) => {
        const all = { delta, number: at, padding, type: 'd' }
        return JSON.stringify(Object.fromEntries(members.map((member) => [member, all[member as keyof typeof all]])))
      })
    const rest = (data: string): object => {
      const {
        delta: _delta,
        number: _number,
        padding: _padding,
        ...others
      } = parseJson(data) as object & Event & { number?: unknown; padding?: unknown }
      return others
    }
    fc.assert(
      fc.property(event, event, fc.nat(80), fc.string({ maxLength: 2 }), (first, second, at, noise) => {
        const repeat = learned(first)
        for (const data of [first, second, first.slice(0, at) + noise + first.slice(at), first.slice(0, at)]) {
          const text = repeat.text(data)
          if (text === undefined) continue
          const read = parseJson(data)
          expect(isObject(read)).toBe(true)
          expect(text).toBe((read as Event).delta)
          expect(rest(data)).toEqual(rest(first))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('recognizes what it should: events of one form, whatever their strings are', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 })
    fc.assert(
      fc.property(fc.array(fc.tuple(text, fc.nat(), text), { minLength: 1 }), (events) => {
        const repeat = learned(FIRST)
        for (const [delta, number, padding] of events) {
          const data = JSON.stringify({ type: 'd', number, delta, list: [], padding })
          expect(repeat.text(data)).toBe(delta)
        }
      }),
    )
  })
})
