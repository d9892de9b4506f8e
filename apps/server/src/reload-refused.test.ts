import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'vitest'
import { startServer } from '../test/process.ts'

const TEXT = `aliases:
  fast: sim/chat-1
keys:
  - name: ci
    secret: \${CI_KEY}
    models:
      - sim/chat-1
`
const KEPT = 'the configuration stays as it was'
const KEY = 'sk-ci-0123456789abcdef'

/** A folder for the file of one test, and its server. */
function createScene({ expect, onTestFinished }: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-refused-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'dragoman.config.yaml')
  return {
    folder,
    file,
    start: async (environment: { readonly [name: string]: string }, cwd?: string) => {
      const server = await startServer({ CI_KEY: KEY, ...environment }, cwd)
      onTestFinished(() => server.stop())
      const logged = (text: string) => server.logged((entry) => entry['msg'] === text)
      const ask = async (model: string, key = KEY) => {
        const answer = await fetch(`${server.url}/api/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
        })
        return answer.status
      }
      return {
        server,
        logged,
        ask,
        readAgain: () =>
          server.logged(() => server.lines.some((line) => line.includes(`configuration read from ${file}`))),
        mustStay: async (): Promise<void> => {
          await logged(KEPT)
          expect(await ask('fast')).toBe(200)
          expect(await ask('sim/genai-1')).toBe(403)
        },
      }
    },
  }
}

describe('a configuration file that is read while it is written', () => {
  // Side by side: the server waits for three seconds before it takes the beginning of a file for the whole.
  it.concurrent.for<readonly [title: string, text: string, reason: string]>([
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
      'keys.0.models is gone: for a key that may use all models, write ["*"]',
    ],
  ])(
    'changes nothing when it %s, and is loaded when it is complete',
    { timeout: 60_000 },
    async ([, text, reason], context) => {
      const { expect } = context
      const { file, start } = createScene(context)
      writeFileSync(file, TEXT)
      const { logged, mustStay, readAgain, ask } = await start({ DRAGOMAN_CONFIG: file })
      writeFileSync(file, text)
      await logged(`${file}: ${reason}`)
      await mustStay()
      writeFileSync(
        file,
        TEXT.replace('sim/chat-1', 'sim/messages-1').replace('      - sim/chat-1', '      - sim/messages-1'),
      )
      await readAgain()
      expect(await ask('fast')).toBe(200)
      expect(await ask('sim/chat-1')).toBe(403)
    },
  )

  it.concurrent('changes nothing on SIGHUP, and nothing when it is deleted', async (context) => {
    const { folder, file, start } = createScene(context)
    writeFileSync(file, TEXT)
    const { server, logged, mustStay } = await start({}, folder)
    rmSync(file)
    server.signal('SIGHUP')
    await logged(`${file} is gone`)
    await mustStay()
  })

  it.concurrent('is noticed when it is created after the start', async (context) => {
    const { expect } = context
    const { folder, file, start } = createScene(context)
    const { server, readAgain, ask } = await start({}, folder)
    expect(await ask('sim/chat-1')).toBe(401)
    writeFileSync(`${file}.new`, TEXT)
    renameSync(`${file}.new`, file)
    await readAgain()
    expect(await ask('fast')).toBe(200)
    expect(await ask('sim/genai-1')).toBe(403)
    expect(await ask('sim/chat-1', server.key)).toBe(401)
  })
})
