import { mkdtempSync, rmSync, symlinkSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { watchFile } from './watch.ts'

describe('a watched file', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dragoman-watch-'))
    file = join(folder, 'config.yaml')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** Each call waits for the next change. */
  function changes(text: string): () => Promise<void> {
    let next = Promise.withResolvers<void>()
    const onChange = (): void => {
      next.resolve()
      next = Promise.withResolvers()
    }
    watchFile(file, text, onChange, () => expect.unreachable())
    return () => next.promise
  }

  it('is noticed when it is written in place, and when another takes its place', async () => {
    writeFileSync(file, 'one')
    const next = changes('one')
    let noticed = next()
    writeFileSync(file, 'two')
    await noticed
    noticed = next()
    writeFileSync(`${file}.new`, 'three')
    renameSync(`${file}.new`, file)
    await noticed
  })

  it('is noticed when it is a link that leads elsewhere, as in mounted volumes', async () => {
    for (const name of ['one', 'two']) writeFileSync(join(folder, name), name)
    symlinkSync('one', join(folder, '..data'))
    symlinkSync('..data', file)
    const noticed = changes('one')()
    symlinkSync('two', join(folder, '..next'))
    renameSync(join(folder, '..next'), join(folder, '..data'))
    await noticed
  })

  it('is noticed when it has changed before anybody watched', async () => {
    writeFileSync(file, 'two')
    await changes('one')()
  })
})
