import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pngOf } from '@dragoman/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useServer } from '../shared-server.ts'

const SERVER = join(import.meta.dirname, '../..')
const DOCUMENT = readFileSync(join(SERVER, '../../docs/media.md'), 'utf8')
const [, section = ''] = /^## Images\n([\s\S]*?)^## /m.exec(DOCUMENT) ?? []
const blocks = [...section.matchAll(/^```(sh|ts)\n([\s\S]*?)^```$/gm)].map(([, language, code = '']) => ({
  language,
  code,
}))

describe('the examples of docs/media.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-images-'))
  const server = useServer()
  beforeAll(() => {
    writeFileSync(join(folder, 'house.png'), Buffer.from(pngOf('house', 64, 64), 'base64'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each(blocks)('draw when pasted: $language', async ({ language, code }) => {
    const here = code
      .replaceAll('http://localhost:8080', server().url)
      .replace("createReadStream('house.png')", `createReadStream(${JSON.stringify(join(folder, 'house.png'))})`)
    const env = { PATH: process.env['PATH'], DRAGOMAN_KEY: server().key }
    const { stdout } = await (language === 'sh'
      ? promisify(execFile)('bash', ['-c', here], { env, maxBuffer: 1e8 })
      : promisify(execFile)(process.execPath, ['--input-type=module-typescript', '--eval', here], {
          cwd: SERVER,
          env,
          maxBuffer: 1e8,
        }))
    // How a PNG begins in base64.
    expect(stdout).toContain('iVBORw0KGgo')
  })
  it('are three', () => {
    expect(blocks.map(({ language }) => language)).toEqual(['sh', 'ts', 'ts'])
  })
})
