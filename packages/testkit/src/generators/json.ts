import type { Extras, Json, JsonObject, Seal } from '@dragoman/core'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { character } from './character.ts'
import { kept } from './kept.ts'
import { record } from './record.ts'
import { FOREIGN, type World } from './world.ts'

/** At least two characters, because some Node versions misread escaped keys of one. `__proto__` has its own tests. */
export function key(): Arbitrary<string> {
  return fc.oneof(
    { weight: 8, arbitrary: letters(2, 8) },
    { weight: 1, arbitrary: fc.constantFrom('constructor', 'toString', 'größe', '日本', 'a.b', 'with space') },
  )
}

export function json(depth = 2): Arbitrary<Json> {
  return kept(`json ${depth}`, () => makeJson(depth))
}

function makeJson(depth: number): Arbitrary<Json> {
  const leaf: Arbitrary<Json> = fc.oneof(text(), number(), fc.integer(), fc.boolean(), fc.constant(null))
  if (depth === 0) return leaf
  return fc.oneof(
    { weight: 4, arbitrary: leaf },
    { weight: 1, arbitrary: fc.array(json(depth - 1), { maxLength: 3 }) },
    { weight: 1, arbitrary: jsonObject(depth - 1) },
  )
}

export function jsonObject(depth = 2): Arbitrary<JsonObject> {
  return fc.dictionary(key(), json(depth), { maxKeys: 3, noNullPrototype: true })
}

/** Without minus zero, which JSON text cannot express. */
export function number(min = -1e6, max = 1e6): Arbitrary<number> {
  return fc.double({ min, max, noNaN: true }).map((value) => (Object.is(value, -0) ? 0 : value))
}

export function count(): Arbitrary<number> {
  return fc.nat({ max: 100_000 })
}

/** Text of people and models, and text that breaks careless code: quotes, escapes, line separators, half a surrogate pair. */
export function text(): Arbitrary<string> {
  return kept('text', () =>
    fc.oneof(
      { weight: 1, arbitrary: fc.constant('') },
      { weight: 6, arbitrary: writing() },
      { weight: 2, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }) },
      { weight: 1, arbitrary: fc.string({ unit: character(), minLength: 1, maxLength: 8 }) },
    ),
  )
}

/** Text that is never empty and never only white space. */
export function writing(): Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.array(letters(1, 6), { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'say "hi"\n',
        'a\\b\u0000c',
        'l\u2028s',
        '👩‍👩‍👧 fam',
        'half \ud83d pair',
        'data: {"x":1}\n\n',
      ),
    },
  )
}

/** Plain letters. */
export function letters(minLength: number, maxLength: number): Arbitrary<string> {
  const unit = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'.split(''))
  return kept(`letters ${minLength} ${maxLength}`, () => fc.string({ unit, minLength, maxLength }))
}

/** Ids, names, versions: text of programs. */
export function word(): Arbitrary<string> {
  return letters(2, 12)
}

export function url(): Arbitrary<string> {
  return word().map((name) => `https://example.com/${name}`)
}

export function base64(): Arbitrary<string> {
  return fc.constantFrom('aGVsbG8=', 'iVBORw0KGgo=', 'AAAA', 'JVBERi0xLjQ=')
}

/** The same as clients write it: in either alphabet, with and without padding, in lines. */
export function anyBase64(): Arbitrary<string> {
  return fc.oneof(base64(), fc.constantFrom('-_-_', '+/+/', 'aGVsbG8', 'aGVsbA', 'aGVs\r\nbG8=', '_w'))
}

/** Extras of the protocol under test and of another, with keys that no protocol uses. */
export function extras(world: World): Arbitrary<Extras> {
  const own = fc.constant(world.protocol)
  const foreign = fc.constant(FOREIGN.protocol)
  return fc.dictionary(fc.oneof({ weight: 3, arbitrary: own }, { weight: 1, arbitrary: foreign }), unknownMembers(), {
    minKeys: 1,
    maxKeys: 2,
    noNullPrototype: true,
  })
}

/** Members that no protocol knows; never empty. */
export function unknownMembers(): Arbitrary<JsonObject> {
  return fc.dictionary(
    key().map((name) => `x_${name}`),
    json(1),
    { minKeys: 1, maxKeys: 2, noNullPrototype: true },
  )
}

export function seal(world: World): Arbitrary<Seal> {
  const issuer = fc.oneof(
    { weight: 3, arbitrary: fc.constant(world.issuer) },
    { weight: 1, arbitrary: fc.constant(FOREIGN.issuer) },
  )
  return record<Seal>({ issuer, value: sealValue() }, {})
}

export function sealValue(): Arbitrary<string> {
  return fc.tuple(letters(4, 16), fc.constantFrom('', '.AZ09+/=', '==')).map(([body, end]) => `sig_${body}${end}`)
}
