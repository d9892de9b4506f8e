import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startServer, type ServerProcess } from '../test/process.ts'

const TEXT = `aliases:
  fast: sim/chat-1
keys:
  - name: ci
    secret: \${CI_KEY}
    models:
      - sim/chat-1
`
const KEPT = 'the configuration stays as it was'

describe('a configuration file that is read while it is written', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-refused-'))
  const file = join(folder, 'dragoman.config.yaml')
  let server: ServerProcess
  beforeEach(async () => {
    rmSync(file, { force: true })
  })
  afterEach(() => server.stop())
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const logged = (text: string) => server.logged((entry) => entry['msg'] === text)
  const readAgain = (times: number) =>
    server.logged(() => server.lines.filter((line) => line.includes(`configuration read from ${file}`)).length >= times)
  const ask = async (model: string, key = 'sk-ci-0123456789abcdef') => {
    const answer = await fetch(`${server.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
    })
    return answer.status
  }
  const mustStay = async (): Promise<void> => {
    await logged(KEPT)
    expect(await ask('fast')).toBe(200)
    expect(await ask('sim/genai-1')).toBe(403)
  }

  it.each([
    ['is emptied', '', 'is empty'],
    ['is cut off in a line', TEXT.slice(0, -5), 'may be cut off: its last line has no line feed'],
    [
      'ends before its keys',
      TEXT.slice(0, TEXT.indexOf('keys:')),
      'keys are gone: a running server keeps them, so restart it if that is meant',
    ],
    [
      'ends before a restriction',
      TEXT.slice(0, TEXT.indexOf('    models:')),
      'keys.0.models is gone: for a key that may use all models, say ["*"]',
    ],
  ])(
    'changes nothing when it %s, and is loaded when it is complete',
    async (_title, text, reason) => {
      writeFileSync(file, TEXT)
      server = await startServer({ DRAGOMAN_CONFIG: file, CI_KEY: 'sk-ci-0123456789abcdef' })
      writeFileSync(file, text)
      await logged(`${file}: ${reason}`)
      await mustStay()
      writeFileSync(
        file,
        TEXT.replace('sim/chat-1', 'sim/messages-1').replace('      - sim/chat-1', '      - sim/messages-1'),
      )
      await readAgain(1)
      expect(await ask('fast')).toBe(200)
      expect(await ask('sim/chat-1')).toBe(403)
    },
    60_000,
  )

  it('changes nothing on SIGHUP, and nothing when it is deleted', async () => {
    writeFileSync(file, TEXT)
    server = await startServer({ CI_KEY: 'sk-ci-0123456789abcdef' }, folder)
    rmSync(file)
    server.signal('SIGHUP')
    await logged(`${file} is gone`)
    await mustStay()
  })

  it('is noticed when it is created after the start', async () => {
    server = await startServer({ CI_KEY: 'sk-ci-0123456789abcdef' }, folder)
    expect(await ask('sim/chat-1')).toBe(401)
    writeFileSync(`${file}.new`, TEXT)
    renameSync(`${file}.new`, file)
    await readAgain(1)
    expect(await ask('fast')).toBe(200)
    expect(await ask('sim/genai-1')).toBe(403)
    expect(await ask('sim/chat-1', server.key)).toBe(401)
  })
})
