import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleServer } from '../bundle.ts'
import { COMPILED, noteOf, startServer } from '../process.ts'

// The example of docs/configuration.md, as a publisher and an operator would use it.
const DOCUMENT = readFileSync(join(import.meta.dirname, '../../../../docs/configuration.md'), 'utf8')
const [, section = ''] = /\n## Signed catalogue\n([\s\S]+?)\n## /.exec(DOCUMENT) ?? []
const [, content = ''] = /```json\n([\s\S]+?)```/.exec(section) ?? []
const [, commands = ''] = /```sh\n([\s\S]+?)```/.exec(section) ?? []

const folder = mkdtempSync(join(tmpdir(), 'dragoman-publisher-'))
const env = { PATH: process.env['PATH'], ...COMPILED }
const dragoman = (...args: readonly string[]) =>
  spawnSync(process.execPath, [command, 'catalogue', ...args], { cwd: folder, env, encoding: 'utf8' })
let command = ''
let publicKey = ''

/** Runs the lines of the example. */
function follow(line: string): string {
  const args = line.replace('npm run dragoman -- ', '').replace('"$PUBLIC_KEY"', publicKey).split(' ')
  return execFileSync(process.execPath, [command, ...args], { cwd: folder, env, encoding: 'utf8' })
}

beforeAll(async () => {
  command = (await bundleServer()).command
  writeFileSync(join(folder, 'prices.json'), content)
  const [keygen = '', sign = '', check = ''] = commands.trim().split('\n')
  publicKey = /public key {3}(\S+)/.exec(follow(keygen))?.[1] ?? ''
  expect(follow(sign)).toBe('catalogue.json: version 1 of 2026-11-17T09:00:00Z, models: openai 2\n')
  expect(follow(check)).toMatch(/^catalogue\.json: version 1 .*, models: openai 2, signed by the key [0-9a-f]{16}\n$/)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the example of a signed catalogue', () => {
  it('is used by a server', async () => {
    const catalogue = { file: 'catalogue.json', keys: [publicKey] }
    writeFileSync(
      join(folder, 'dragoman.config.json'),
      JSON.stringify({ providers: { openai: { key: '${K}' } }, catalogue }),
    )
    const server = await startServer({ K: 'k' }, folder)
    await server.logged((line) => noteOf(line).startsWith('catalogue version 1 is used'))
    const answer = await fetch(`${server.url}/api/v1/models`)
    const { data } = (await answer.json()) as { readonly data: readonly { readonly id: string }[] }
    expect(data.find(({ id }) => id === 'openai/gpt-next')).toMatchObject({ context_length: 1_000_000 })
    await server.stop()
  }, 60_000)

  it('has a private key that only its owner can read, and that is never overwritten', () => {
    expect(statSync(join(folder, 'publisher.pem')).mode & 0o777).toBe(0o600)
    const again = dragoman('keygen', 'publisher.pem')
    expect([again.status, again.stderr]).toEqual([2, 'dragoman: publisher.pem exists already.\n'])
  }, 60_000)
})

describe('the command', () => {
  it('signs nothing that is wrong, and says everything that is', () => {
    writeFileSync(
      join(folder, 'wrong.json'),
      content.replace('"version": 1', '"version": 0').replace('"like"', '"headers"'),
    )
    const { status, stderr } = dragoman('sign', 'wrong.json', '--key', 'publisher.pem')
    expect([status, stderr.split('\n').map((line) => line.replace('dragoman: ', ''))]).toEqual([
      2,
      [
        'wrong.json: version must be a whole number from 1 to 9007199254740991',
        'wrong.json: providers.openai.models.gpt-next.headers is not accepted: a catalogue states facts and prices, never a host, header, credential or route',
        '',
      ],
    ])
  }, 60_000)

  it('checks a catalogue before it is signed, and one with a changed content', () => {
    expect(dragoman('check', 'prices.json').stdout).toMatch(/, models: openai 2, not signed\n$/)
    const signed = readFileSync(join(folder, 'catalogue.json'), 'utf8')
    writeFileSync(join(folder, 'changed.json'), signed.replace(/"payload": "e/, '"payload": "f'))
    const { status, stderr } = dragoman('check', 'changed.json', '--public-key', publicKey)
    expect([status, stderr]).toEqual([2, expect.stringContaining('has a signature that does not fit its content')])
    expect(dragoman('check', 'catalogue.json').stderr).toContain('--public-key needs the key of its publisher')
  }, 60_000)

  it('names what is wrong with its arguments, and no keys', () => {
    expect(dragoman('sign', 'prices.json').stderr).toContain('--key needs the file of a private key')
    expect(dragoman('sign', 'prices.json', '--key', 'prices.json').stderr).toBe(
      'dragoman: prices.json: is not an Ed25519 private key in PEM (PKCS #8)\n',
    )
    expect(dragoman('sign', 'gone.json', '--key', 'publisher.pem').stderr).toBe(
      'dragoman: gone.json cannot be used: ENOENT.\n',
    )
    expect(dragoman().stderr).toContain('There is no command "catalogue"')
  }, 60_000)
})
