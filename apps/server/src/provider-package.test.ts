import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleServer } from '../test/bundle.ts'
import { COMPILED, startSources } from '../test/process.ts'

// A provider package that is installed beside the configuration file, loaded by the real server.
const folder = mkdtempSync(join(tmpdir(), 'dragoman-package-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const SECRET = 'sk-acme-canary-1234'

const GOOD = `import { BEARER, defineProvider } from '@dragoman/core/provider'
const acme = {
  name: 'acme',
  baseURL: 'https://api.acme.example/v1',
  endpoints: { chat: '.' },
  auth: BEARER,
  models: [{ name: 'acme-1', input: ['text'], output: ['text'] }],
}
export const createProvider = ({ region, ...options }) =>
  defineProvider({ ...acme, headers: { 'x-region': region } }, options)
`
const wrong = (members: string): string =>
  GOOD.replace("endpoints: { chat: '.' },", `endpoints: { chat: '.' }, ${members},`)

interface Made {
  readonly code: string
  readonly exports?: object
}

/** Packages by what is wrong with them, with the reason that is printed. */
const WRONG: readonly (readonly [why: string, made: Made | undefined, reason: RegExp])[] = [
  ['is not installed', undefined, /^cannot be found from \S+: ERR_MODULE_NOT_FOUND$/],
  [
    'does not export it',
    { code: GOOD, exports: { './other': './main.js' } },
    /^cannot be found from \S+: ERR_PACKAGE_PATH_NOT_EXPORTED$/,
  ],
  ['is not JavaScript', { code: 'export const = 1' }, /^cannot be loaded: Unexpected token/],
  [
    'throws when it is loaded',
    { code: 'throw new Error(`no ${process.env.ACME_KEY}\nat all`)' },
    /^cannot be loaded: no \[secret\]$/,
  ],
  [
    'misses a dependency',
    { code: "import 'nobody-has-this'" },
    /^cannot be loaded: Cannot find package 'nobody-has-this'/,
  ],
  ['has another export', { code: 'export const createAcme = 1' }, /^exports no function createProvider$/],
  [
    'makes no provider',
    { code: 'export const createProvider = () => ({})' },
    /^has a createProvider that returns no provider: defineProvider makes one$/,
  ],
  [
    'has another name',
    { code: GOOD.replace("name: 'acme',", "name: 'other',").replace('...options }) =>', 'name, ...options }) =>') },
    /^has a createProvider that does not take the option "name"/,
  ],
  [
    'names no protocol',
    { code: wrong("counts: ['morse']") },
    /^cannot make the provider: Provider definition "counts" names no protocol: there are chat/,
  ],
  [
    'has a wrong quirk',
    { code: wrong("quirks: { chat: [{ verb: 'drop', at: 'settings.topKay' }] }") },
    /^cannot make the provider: .*did you mean "topK"\?$/,
  ],
  [
    'repeats its key',
    { code: 'export const createProvider = ({ keys }) => { throw new Error(`${keys} is wrong`) }' },
    /^cannot make the provider: \[secret\] is wrong$/,
  ],
]

function entryOf(why: string): string {
  return why.toLowerCase().replaceAll(' ', '-')
}

function install(name: string, code: string, exports: object = { import: './main.js' }): void {
  write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', type: 'module', exports }))
  write(`node_modules/${name}/main.js`, code)
}

function write(file: string, content: string): string {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), content)
  return join(folder, file)
}

beforeAll(() => {
  mkdirSync(join(folder, 'node_modules/@dragoman'), { recursive: true })
  symlinkSync(join(import.meta.dirname, '../../../packages/core'), join(folder, 'node_modules/@dragoman/core'))
  install('@acme/dragoman-provider', GOOD)
})

function configure(name: string, entry: object): string {
  return write(`${name}.json`, JSON.stringify({ providers: { acme: { key: '${ACME_KEY}', ...entry } } }))
}

describe('a provider package', () => {
  it.each([
    ['that is installed beside the configuration file', '@acme/dragoman-provider'],
    ['that is a file', './node_modules/@acme/dragoman-provider/main.js'],
  ])('%s gives a provider that is called with its key', async (_where, specifier) => {
    const upstream = createServer((request, response) => {
      void text(request).then((body) => {
        seen.push(`${request.url} ${request.headers.authorization} ${String(request.headers['x-region'])} ${body}`)
        const message = { role: 'assistant', content: 'Hello from Acme' }
        response.setHeader('content-type', 'application/json')
        response.end(
          JSON.stringify({
            id: 'x',
            object: 'chat.completion',
            created: 1,
            model: 'acme-1',
            choices: [{ index: 0, message, finish_reason: 'stop' }],
          }),
        )
      })
    })
    const seen: string[] = []
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    const { port } = upstream.address() as AddressInfo // it listens on a port
    const entry = {
      package: specifier,
      baseURL: `http://127.0.0.1:${port}/v1`,
      options: { region: 'eu' },
      models: ['acme-2'],
    }
    const file = configure(`good-${specifier.startsWith('.') ? 'file' : 'package'}`, entry)
    const server = await startSources({ DRAGOMAN_CONFIG: file, ACME_KEY: SECRET })
    try {
      expect(server.greeting.find((line) => line.startsWith('providers'))).toContain('acme (2)')
      const answer = await fetch(`${server.url}/api/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'acme/acme-2', messages: [{ role: 'user', content: 'Hi' }] }),
      })
      expect(await answer.json()).toMatchObject({ choices: [{ message: { content: 'Hello from Acme' } }] })
      expect(seen[0]).toMatch(new RegExp(`^/v1/chat/completions Bearer ${SECRET} eu .*"model":"acme-2"`))
    } finally {
      await server.stop()
      upstream.close().closeAllConnections()
    }
  })

  describe('that is wrong', () => {
    let refused: Awaited<ReturnType<typeof fail>>
    beforeAll(async () => {
      const entries = WRONG.map(([why, made]) => {
        const name = entryOf(why)
        if (made !== undefined) install(`@acme/${name}`, made.code, made.exports)
        return [name, { key: '${ACME_KEY}', package: `@acme/${name}`, options: { region: 'eu' } }]
      })
      // One server finds all of the mistakes: each start takes a fifth of a second of CPU time.
      refused = await fail(write('wrong.json', JSON.stringify({ providers: Object.fromEntries(entries) })))
    })

    it('keeps the server from starting, with one line for each and no secret', () => {
      expect(refused.code).toBe(1)
      expect(refused.output.trimEnd().split('\n')).toHaveLength(WRONG.length)
      expect(refused.output).not.toContain('canary')
    })

    it.each(WRONG)('because it %s is named with the reason', (why, _made, reason) => {
      const entry = `providers.${entryOf(why)}.package `
      const lines = refused.output.split('\n').filter((line) => line.includes(entry))
      expect(lines.map((line) => line.slice(line.indexOf(entry) + entry.length))).toEqual([
        expect.stringMatching(reason),
      ])
    })
  })

  it('takes no members that describe a provider without one', async () => {
    const { output } = await fail(configure('members', { package: '@acme/dragoman-provider', like: 'deepseek' }))
    expect(output).toMatch(/providers\.acme\.like is not for a provider that comes in a package\n$/)
  })
})

async function fail(file: string): Promise<{ readonly code: number; readonly output: string }> {
  const { main } = await bundleServer()
  const server = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DRAGOMAN_DATA: folder,
      DRAGOMAN_OLLAMA: 'off',
      DRAGOMAN_DRAIN_SECONDS: '0',
      DRAGOMAN_CONFIG: file,
      ACME_KEY: SECRET,
      ...COMPILED,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // It has started, which it must not.
  server.stdout.once('data', () => server.kill())
  const [output, [code]] = await Promise.all([text(server.stderr), once(server, 'exit') as Promise<[number]>])
  return { code, output }
}
