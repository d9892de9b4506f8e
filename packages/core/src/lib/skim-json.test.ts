import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { character } from '../../test/character.ts'
import { createSkim } from './skim-json.ts'

const utf8 = new TextEncoder()
const text = new TextDecoder()

function skimmed(input: string, cuts: readonly number[] = [], kept?: number): string {
  const bytes = utf8.encode(input)
  const skim = createSkim(kept)
  const edges = [0, ...cuts.filter((at) => at < bytes.length).sort((a, b) => a - b), bytes.length]
  const pieces = edges.slice(1).flatMap((end, index) => skim.push(bytes.subarray(edges[index], end)))
  return text.decode(Uint8Array.from(pieces.flatMap((piece) => [...piece])))
}

describe('text without its long strings', () => {
  it('is JSON of the same shape, with the same short strings, wherever it is cut', () => {
    const strings = fc.oneof(
      fc.string({ unit: character(), maxLength: 40 }),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom('\\'.repeat(30), '"'.repeat(30), `${'A'.repeat(60)}\\`, '\u0001'.repeat(20), 'é👍'.repeat(10)),
    )
    const values = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        strings,
        fc.integer(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('aa', 'bb', 'usage'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
      ),
    })).value
    fc.assert(
      fc.property(values, fc.array(fc.nat({ max: 300 }), { maxLength: 8 }), (value, cuts) => {
        const read: unknown = JSON.parse(skimmed(JSON.stringify(value), cuts, 16))
        expect(agrees(read, JSON.parse(JSON.stringify(value)))).toBe(true)
      }),
    )
  })

  it('does not lose what follows an unpaired quote in a comment', () => {
    expect(skimmed(': say "hi\ndata: {"a":"b"}\n\n', [], 4)).toBe(': say "hi\ndata: {"a":"b"}\n\n')
    expect(skimmed(`: "${'x'.repeat(50)}\ndata: 1\n\n`, [20], 4)).toBe(': "xxxx\ndata: 1\n\n')
  })

  it('keeps at most a few bytes of each string', () => {
    expect(skimmed(JSON.stringify({ a: 'A'.repeat(1e6), b: 1 }), [1000, 5000]).length).toBeLessThan(1100)
  })
})

/** The same values, apart from long strings, of which the beginning is left. */
function agrees(read: unknown, given: unknown): boolean {
  if (typeof given === 'string') {
    const isShort = utf8.encode(JSON.stringify(given)).length <= 18
    return isShort ? read === given : given.startsWith(String(read)) && read !== ''
  }
  if (typeof given !== 'object' || given === null) return read === given
  const names = Object.keys(given)
  if (Object.keys(read as object).join() !== names.join()) return false
  const at = (value: unknown, name: string): unknown => (value as Record<string, unknown>)[name]
  return names.every((name) => agrees(at(read, name), at(given, name)))
}
