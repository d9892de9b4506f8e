import { describe, expect, it } from 'vitest'
import { createNameMap } from './names.ts'

const PLAIN = /^[a-zA-Z0-9_-]+$/

describe('createNameMap', () => {
  it('leaves a valid name unchanged', () => {
    const names = createNameMap(['get_weather', 'a-b'], PLAIN, 64)
    expect([names.out('get_weather'), names.back('a-b')]).toEqual(['get_weather', 'a-b'])
  })

  it('replaces every other name with a valid one and restores it (trap 29)', () => {
    const used = ['mcp.files/read', 'mcp:files:read', 'x'.repeat(65), 'y'.repeat(200), 'zażółć', '', '../', 'a b']
    const names = createNameMap(used, PLAIN, 64)
    for (const name of used) {
      const sent = names.out(name)
      expect(sent).toMatch(PLAIN)
      expect(sent.length).toBeLessThanOrEqual(64)
      expect(names.back(sent)).toBe(name)
    }
    expect(new Set(used.map((name) => names.out(name))).size).toBe(used.length)
  })

  it('never uses the name of another tool (trap 29)', () => {
    const names = createNameMap(['a.b', 'a_b', 'a/b', 'a:b'], PLAIN, 64)
    expect(names.out('a_b')).toBe('a_b')
    const sent = ['a.b', 'a_b', 'a/b', 'a:b'].map((name) => names.out(name))
    expect(new Set(sent).size).toBe(4)
    expect(sent.map((name) => names.back(name))).toEqual(['a.b', 'a_b', 'a/b', 'a:b'])
  })

  it('keeps long names with a common prefix different, within the limit', () => {
    const stem = 'n'.repeat(70)
    const used = Array.from({ length: 12 }, (_each, index) => `${stem}${index}`)
    const names = createNameMap(used, PLAIN, 64)
    const sent = used.map((name) => names.out(name))
    expect(new Set(sent).size).toBe(12)
    expect(Math.max(...sent.map((name) => name.length))).toBeLessThanOrEqual(64)
    expect(sent.map((name) => names.back(name))).toEqual(used)
  })

  it('leaves an unknown name unchanged, also one that every object inherits', () => {
    const names = createNameMap(['a.b'], PLAIN, 64)
    expect(['other', 'constructor', '__proto__'].map((name) => names.back(name))).toEqual([
      'other',
      'constructor',
      '__proto__',
    ])
  })
})
