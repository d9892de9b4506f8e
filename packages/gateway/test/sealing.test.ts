import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSealing } from '../src/sealing/sealing.ts'

const KEY = 'a'.repeat(32)
const OTHER = 'b'.repeat(40)
const PURPOSE = ['operation', 'alice', 'sim/film'] as const
const VALUE = { route: 'sim/film', token: { id: 'ü', parts: [1, null] } }

describe('a sealed token', () => {
  it('[video.restart] is opened by every sealing with the same key', async () => {
    const token = await createSealing([KEY]).seal(PURPOSE, VALUE)
    expect(token).toMatch(/^[\w-]+$/)
    expect(await createSealing([KEY]).open(PURPOSE, token)).toEqual(VALUE)
  })

  it('is different every time, and shows nothing of its value', async () => {
    const sealing = createSealing([KEY])
    const tokens = await Promise.all([sealing.seal(PURPOSE, VALUE), sealing.seal(PURPOSE, VALUE)])
    expect(tokens[0]).not.toBe(tokens[1])
    expect(Buffer.from(tokens[0] ?? '', 'base64url').toString('latin1')).not.toContain('film')
  })

  it('is opened after its key was replaced, as long as the old one is listed', async () => {
    const token = await createSealing([KEY]).seal(PURPOSE, VALUE)
    expect(await createSealing([OTHER, KEY]).open(PURPOSE, token)).toEqual(VALUE)
    expect(await createSealing([OTHER]).open(PURPOSE, token)).toBeUndefined()
    const newer = await createSealing([OTHER, KEY]).seal(PURPOSE, VALUE)
    expect(await createSealing([KEY]).open(PURPOSE, newer)).toBeUndefined()
  })

  it.each([
    [['operation', 'bob', 'sim/film'] as const],
    [['operation', 'alice', 'sim/other'] as const],
    [['result', 'alice', 'sim/film'] as const],
    [['operation', 'alice'] as const],
    [['operation', 'alice","sim/film'] as const],
  ])('is not opened for another purpose: %j', async (purpose) => {
    const sealing = createSealing([KEY])
    expect(await sealing.open(purpose, await sealing.seal(PURPOSE, VALUE))).toBeUndefined()
  })

  it('[video.poll] is refused if any bit of it was changed', async () => {
    const sealing = createSealing([KEY])
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.string()), fc.nat(), async (value, pick) => {
        const token = await sealing.seal(PURPOSE, value)
        const bytes = Buffer.from(token, 'base64url')
        bytes[(pick >> 3) % bytes.length]! ^= 1 << (pick & 7)
        expect(await sealing.open(PURPOSE, bytes.toString('base64url'))).toBeUndefined()
        const position = pick % token.length
        const changed = String.fromCharCode(token.charCodeAt(position) ^ (1 << (pick % 7)))
        expect(
          await sealing.open(PURPOSE, token.slice(0, position) + changed + token.slice(position + 1)),
        ).toBeUndefined()
      }),
      { numRuns: 300 },
    )
  })

  it('is refused in another spelling, in part, or with more behind it', async () => {
    const sealing = createSealing([KEY])
    const token = await sealing.seal(PURPOSE, VALUE)
    for (const wrong of ['', 'x', 'AQ', token.slice(0, -1), `${token}A`, `${token}=`, ` ${token}`, 'é', '\0', '='])
      expect(await sealing.open(PURPOSE, wrong)).toBeUndefined()
  })
})

describe('a sealing key', () => {
  it('must be long, and is not part of the error', () => {
    expect(() => createSealing(['short-secret'])).toThrow('Sealing key 1 is shorter than 32 characters.')
    expect(() => createSealing([])).toThrow('no sealing key')
  })
})
