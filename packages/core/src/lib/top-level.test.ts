import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from './json.ts'
import { applyCuts, editTopLevel, findCuts, findOnly, type Edits } from './top-level.ts'

function edit(text: string, edits: Edits): string {
  return new TextDecoder().decode(editTopLevel(new TextEncoder().encode(text), edits))
}

/** By the cuts for a body that was parsed, where they can be found. */
function editParsed(given: string | Uint8Array, edits: Edits): string {
  const bytes = typeof given === 'string' ? new TextEncoder().encode(given) : given
  const text = new TextDecoder().decode(bytes)
  const cuts = findCuts(bytes, edits, { text, json: JSON.parse(text) as JsonObject })
  return new TextDecoder().decode(cuts === undefined ? editTopLevel(bytes, edits) : applyCuts(bytes, cuts))
}

describe('editTopLevel', () => {
  it('edits both of two model members (trap 42)', () => {
    const edited = edit('{"model":"cheap","messages":[],"model":"dear"}', { model: '"sent"' })
    expect(edited).not.toContain('cheap')
    expect(edited).not.toContain('dear')
    expect(JSON.parse(edited)).toEqual({ model: 'sent', messages: [] })
    expect(edited.match(/model/g)).toHaveLength(1)
  })

  it('edits a model member that is spelled with escapes (trap 42)', () => {
    const edited = edit(String.raw`{"mod\u0065l":"dear","messages":[]}`, { model: '"sent"' })
    expect(edited).not.toContain('dear')
    expect(JSON.parse(edited)).toEqual({ model: 'sent', messages: [] })
  })

  it('removes every occurrence of a member', () => {
    const text = String.raw`{"provider":{"a":[1,"}"]},"x":1,"provider":null,"pro\u0076ider":"\\"}`
    expect(edit(text, { provider: null })).toBe('{"x":1}')
  })

  it('keeps numbers, spacing, escapes and order of everything else byte for byte', () => {
    const rest = String.raw`"n": 1.0e+2 , "big":12345678901234567890,"s":"\u00e9\/\"é" , "o":{ "model" : "inner" }`
    const edited = edit(`{ "model" : "a" , ${rest} }`, { model: '"b"' })
    for (const piece of ['1.0e+2', '12345678901234567890', String.raw`"\u00e9\/\"é"`, '{ "model" : "inner" }']) {
      expect(edited).toContain(piece)
    }
    expect(Object.keys(JSON.parse(edited) as object)).toEqual(['model', 'n', 'big', 's', 'o'])
    expect(edited).toContain('"model" : "b"')
  })

  it('leaves a nested member with the same name unchanged', () => {
    expect(edit('{"a":{"model":"x"},"b":[{"model":"y"}]}', { model: null })).toBe(
      '{"a":{"model":"x"},"b":[{"model":"y"}]}',
    )
  })

  it('returns the same bytes if there is nothing to edit', () => {
    const bytes = new TextEncoder().encode(' { "a" : 1e2 , "a" : 2 }\n')
    expect(editTopLevel(bytes, {})).toBe(bytes)
  })

  it('adds missing members', () => {
    expect(JSON.parse(edit('{}', { a: '1', gone: null }))).toEqual({ a: 1 })
    expect(JSON.parse(edit('{"b":2}', { a: '{"c":[]}' }))).toEqual({ b: 2, a: { c: [] } })
  })

  it('ignores braces, commas and backslashes inside strings', () => {
    const text = String.raw`{"a":"},{\\\"model\\\":1","b\\":"\\\\","model":"x","c":["]",{"d":"}"}]}`
    const before = JSON.parse(text) as object
    expect(JSON.parse(edit(text, { model: '"y"' }))).toEqual({ ...before, model: 'y' })
  })

  it('does not touch the prototype for a member named __proto__', () => {
    const edited = edit('{"__proto__":{"polluted":1},"model":"x"}', { model: '"y"' })
    expect(edited).toBe('{"__proto__":{"polluted":1},"model":"y"}')
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  it('ends for a megabyte of backslashes and for a truncated body', () => {
    const long = `{"a":"${'\\\\'.repeat(500_000)}","model":"x"}`
    expect(edit(long, { model: '"y"' }).endsWith('"model":"y"}')).toBe(true)
    expect(() => edit('{"model":"x', { other: '1' })).not.toThrow(RangeError)
  })
})

const space = fc.constantFrom('', '', ' ', '\n\t')
const key = fc.constantFrom(
  ...[
    'model',
    'model',
    'provider',
    'usage',
    'stream_options',
    'messages',
    'n',
    'größe',
    '日本 "x"',
    'models',
    '__proto__',
  ].map((name) => JSON.stringify(name)),
  String.raw`"mod\u0065l"`,
  String.raw`"\u006dodel"`,
  String.raw`"us\u0061ge"`,
  String.raw`"caf\u00e9"`,
)
/** Strings that hold what is searched for, and look like members. */
const bait = fc.constantFrom(
  ...[
    'model',
    '"model"',
    '"model":"x"',
    ',"model":1,',
    '\\"model',
    '\\',
    '}',
    '00',
    '日本',
    '"usage":null}',
    '\u0000',
    '0.00',
  ].map((text) => JSON.stringify(text)),
  String.raw`"\u0022model\u0022"`,
  String.raw`"\u00e9 \/ 00"`,
)
const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    bait,
    fc.constantFrom('1', '1.0e+2', 'null', 'true', '12345678901234567890', '[]', '{}'),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[ ${items.join(' , ')}]`),
    objectOf(tie('value'), 2),
  ),
}))

function objectOf(of: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> {
  const member = fc
    .tuple(space, key, space, space, of, space)
    .map(([a, name, b, c, text, d]) => `${a}${name}${b}:${c}${text}${d}`)
  return fc.tuple(space, fc.array(member, { maxLength })).map(([a, members]) => `{${a}${members.join(',')}}`)
}

const anyEdits: fc.Arbitrary<Edits> = fc.record(
  {
    model: fc.constantFrom('"sent"', '"größe"', null),
    provider: fc.constant(null),
    usage: fc.constantFrom(null, '{"a":[1]}'),
    stream_options: fc.constantFrom('{"include_usage":true}', null),
    größe: fc.constantFrom('1', null),
  },
  { requiredKeys: [] },
)

/** The members of an object as they are written, one by one and in any order: nothing of the code under test. */
function membersOf(text: string): readonly string[] {
  const members: string[] = []
  let depth = 0
  let inString = false
  let member = ''
  for (let i = 0; i < text.length; i++) {
    const character = text[i] ?? ''
    if (inString && character === '\\') member += character + (text[++i] ?? '')
    else {
      if (character === '"') inString = !inString
      if (!inString && '}]'.includes(character)) depth--
      const isBetween = !inString && ((depth === 1 && character === ',') || depth === 0)
      if (isBetween && member.trim() !== '') members.push(member.trim())
      member = isBetween ? '' : member + character
      if (!inString && '{['.includes(character)) depth++
    }
  }
  return members.toSorted()
}

describe('findCuts', () => {
  it('makes the same edits as the scan, for any body', () => {
    fc.assert(
      fc.property(space, objectOf(value, 6), space, anyEdits, (before, object, behind, edits) => {
        const text = before + object + behind
        const found = editParsed(text, edits)
        const scanned = edit(text, edits)
        expect(JSON.parse(found)).toEqual(JSON.parse(scanned))
        expect(membersOf(found)).toEqual(membersOf(scanned))
      }),
      { numRuns: 5000 },
    )
  })

  it.each([
    ['behind text of several bytes a character', '{"a":"日本 größe 😀","model":"m","b":1}'],
    ['before it', '{"model":"m","a":"日本 größe 😀"}'],
    ['with a byte order mark', '\ufeff{"model":"m","a":"größe"}'],
  ])('finds the member %s', (_where, text) => {
    const read = text.replace('\ufeff', '')
    expect(editParsed(text, { model: '"né"' })).toBe(read.replace('"m"', '"né"'))
  })

  it('keeps every other byte, also spaces between members', () => {
    const text = ' { "n" : 1.0e+2 ,\n"model" : "a" , "s":"\\u00e9\\/" }\n'
    expect(editParsed(text, { model: '"b"' })).toBe(text.replace('"a"', '"b"'))
    expect(editParsed(text, { model: '"b"', x: '1' })).toBe(text.replace('"a"', '"b","x":1'))
    expect(editParsed(text, { model: '"b"', n: null })).toBe(text.replace(' "n" : 1.0e+2 ,', ' ').replace('"a"', '"b"'))
  })

  it('removes a member after a byte order mark', () => {
    const edited = editParsed('\ufeff{"n":1,"model":"m","a":"größe"}', { model: '"x"', n: null })
    expect(edited).toBe('{"model":"x","a":"größe"}')
  })

  it.each([
    ['a string of several thousand characters', '"' + 'model '.repeat(2000) + '"'],
    ['many short strings', JSON.stringify(Array.from({ length: 2000 }, (_, index) => `model${index}`))],
  ])('finds a member once, or sees the second one, beside %s', (_what, long) => {
    for (const [text, expected] of [
      [`{"model":"a","x":${long}}`, 'b'],
      [`{"x":${long},"model":"a"}`, 'b'],
      [`{"model":"a","x":${long},"model":"c"}`, 'b'],
      [`{"x":[${long},{"model":1}],"model":"a"}`, 'b'],
    ] as const) {
      const edited = JSON.parse(editParsed(text, { model: '"b"' })) as JsonObject
      expect(edited).toEqual({ ...(JSON.parse(text) as JsonObject), model: expected })
    }
    const twice = `{"model":"a","x":${long},"model":"c"}`
    expect(editParsed(twice, { model: '"b"' }).match(/"model"/g)).toHaveLength(1)
  })

  it('has no cuts if there is nothing to edit', () => {
    const text = '{"a":1}'
    expect(findCuts(new TextEncoder().encode(text), { gone: null }, { text, json: { a: 1 } })).toEqual([])
  })
})

describe('findOnly', () => {
  const find = (bytes: Uint8Array) => {
    const text = new TextDecoder().decode(bytes)
    const found = findOnly(bytes, 'model', { text, json: JSON.parse(text) as JsonObject })
    return found === undefined ? undefined : Buffer.from(bytes.subarray(found.start, found.end)).toString('latin1')
  }

  it('finds the value that JSON.parse reads, or nothing, in any object', () => {
    fc.assert(
      fc.property(space, objectOf(value, 6), space, (before, object, behind) => {
        const found = find(new TextEncoder().encode(before + object + behind))
        if (found === undefined) return
        const read = (JSON.parse(object) as JsonObject)['model']
        expect(JSON.parse(Buffer.from(found, 'latin1').toString())).toEqual(read)
      }),
      { numRuns: 2000 },
    )
  })

  it('finds nothing or the right bytes in an answer that is not UTF-8', () => {
    for (const broken of [[0xff], [0xe6, 0x97], [0xc3], [0xf0, 0x9f], [0xed, 0xa0, 0x80], [0xef, 0xbb, 0xbf]])
      for (const text of [
        '{"a":"~","model":"m","b":1}',
        '{"model":"m","a":"~ é"}',
        '{"a":"é~é~","model":"m"}',
        '{"a":"~é","model":"m","b":"a long text"}',
      ]) {
        const bytes = Buffer.concat(
          text.split('~').flatMap((part, index) => [...(index === 0 ? [] : [Buffer.from(broken)]), Buffer.from(part)]),
        )
        expect([undefined, '"m"']).toContain(find(bytes))
      }
  })
})
