import { existsSync, mkdtempSync, rmSync, symlinkSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { watchFile, type WatchOptions } from './watch.ts'

describe('a watched file', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dragoman-watch-'))
    file = join(folder, 'config.yaml')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** Each call waits for the next change. */
  function changes(text: string, more: Partial<WatchOptions> = {}): () => Promise<string | undefined> {
    let next = Promise.withResolvers<string | undefined>()
    const onChange = (now: string | undefined): void => {
      next.resolve(now)
      next = Promise.withResolvers()
    }
    const find = (): string | undefined => (existsSync(file) ? file : undefined)
    watchFile({ folder, find, text, onChange, onFail: () => expect.unreachable(), ...more })
    return () => next.promise
  }

  it('is noticed when it is written in place, and when it is replaced', async () => {
    writeFileSync(file, 'one')
    const next = changes('one')
    let noticed = next()
    writeFileSync(file, 'two')
    expect(await noticed).toBe('two')
    noticed = next()
    writeFileSync(`${file}.new`, 'three')
    renameSync(`${file}.new`, file)
    expect(await noticed).toBe('three')
  })

  it('is noticed when it is a link to another file, as in mounted volumes', async () => {
    for (const name of ['one', 'two']) writeFileSync(join(folder, name), name)
    symlinkSync('one', join(folder, '..data'))
    symlinkSync('..data', file)
    const noticed = changes('one')()
    symlinkSync('two', join(folder, '..next'))
    renameSync(join(folder, '..next'), join(folder, '..data'))
    expect(await noticed).toBe('two')
  })

  it('is noticed when it changed before the watch began', async () => {
    writeFileSync(file, 'two')
    expect(await changes('one')()).toBe('two')
  })

  it('is noticed when it is created, and when it is deleted', async () => {
    const next = changes('')
    let noticed = next()
    writeFileSync(file, 'one')
    expect(await noticed).toBe('one')
    noticed = next()
    rmSync(file)
    expect(await noticed).toBeUndefined()
  })

  it('is noticed once when it has a problem', async () => {
    writeFileSync(file, 'one')
    let wrong = false
    const find = (): string => {
      if (wrong) throw new Error('two files')
      return file
    }
    const next = changes('one', { find })
    const noticed = next()
    wrong = true
    writeFileSync(`${file}.other`, 'two')
    expect(await noticed).toBeUndefined()
  })

  describe('that is being written', () => {
    /** Time passes only when the test advances it. */
    function stepped(text: string) {
      const waiting: { run: () => void; ms: number }[] = []
      const noticed: (string | undefined)[] = []
      let writing = text
      const find = (): string => {
        writeFileSync(file, writing)
        return file
      }
      watchFile({
        folder,
        find,
        text,
        onChange: (now) => noticed.push(now),
        onFail: () => expect.unreachable(),
        later: (run, ms) => waiting.push({ run, ms }),
      })
      return {
        noticed,
        write: (now: string) => void (writing = now),
        /** Returns how long it waited. */
        settle: (): number => {
          let waited = 0
          for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
            waited += next.ms
            next.run()
          }
          return waited
        },
      }
    }

    it('waits until it stays the same, and longer while it is the beginning of the previous content', () => {
      const { noticed, write, settle } = stepped('a: 1\nb: 2\nc: 3\n')
      write('a: 1\nb: 2\n')
      expect(settle()).toBeGreaterThan(3000)
      expect(noticed).toEqual(['a: 1\nb: 2\n'])
    })

    it('is not noticed in the middle', () => {
      const { noticed, write, settle } = stepped('a: 1\n')
      write('b: 2\n')
      expect(settle()).toBeLessThan(1000)
      expect(noticed).toEqual(['b: 2\n'])
    })
  })
})
