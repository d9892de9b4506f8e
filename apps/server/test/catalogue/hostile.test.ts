import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signCatalogue } from '@dragoman/core/catalogue'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noteOf, startServer, type ServerProcess } from '../process.ts'
import { contentOf, startPublisher, type Publisher } from './publisher.ts'

// A server with a good catalogue gets bad ones, over real sockets. It logs what is wrong, and goes on with the good one.
const folder = mkdtempSync(join(tmpdir(), 'dragoman-hostile-'))
const NEVER = 'is not accepted: a catalogue states facts and prices, never a host, header, credential or route'
const MODEL = 'providers.openai.models.m'
let publisher: Publisher
let otherPublisher: Publisher
let server: ServerProcess

beforeAll(async () => {
  publisher = await startPublisher()
  otherPublisher = await startPublisher()
  const catalogue = { url: publisher.url, allow: ['127.0.0.1'], keys: [publisher.publicKey] }
  const file = join(folder, 'dragoman.config.json')
  const settings = { ...catalogue, refresh: 0.25, time: 2, size: '64 KB' }
  writeFileSync(file, JSON.stringify({ providers: { openai: { key: '${K}' } }, catalogue: settings }))
  publisher.serve(await publisher.sign(contentOf(5)))
  server = await startServer({ DRAGOMAN_CONFIG: file, DRAGOMAN_DATA: join(folder, 'data'), K: 'sk-canary-upstream' })
}, 30_000)
afterAll(async () => {
  await server.stop()
  await Promise.all([publisher.close(), otherPublisher.close()])
  rmSync(folder, { recursive: true, force: true })
})

/** The price of the good catalogue is the one in use, and the log has neither the path of the URL nor values. */
async function expectGood(): Promise<void> {
  const answer = await fetch(`${server.url}/api/v1/models`)
  const { data } = (await answer.json()) as { readonly data: readonly { readonly id: string }[] }
  expect(data.find(({ id }) => id === 'openai/gpt-5.4')).toMatchObject({ pricings: { prompt: [{ value: 5 }] } })
  expect(server.lines.join('\n')).not.toContain('canary')
}

/** The next look is refused for this reason, which the log has after it. */
async function expectRefused(reason: string): Promise<void> {
  const asked = await publisher.next()
  const isAfter = (time: unknown): boolean => Number(time) >= asked
  const line = await server.logged((note) => isAfter(note['time']) && noteOf(note).includes('is refused'))
  expect([line['level'], noteOf(line)]).toEqual(['error', expect.stringContaining(reason)])
  await server.logged((note) => isAfter(note['time']) && noteOf(note) === 'version 5 stays; the next look follows')
  await expectGood()
}

const price = (value: number) => ({ prices: { prompt: [{ value, unit: 'perMTokens', currency: 'USD' }] } })
const model = (facts: object): object => contentOf(6, 1, { m: facts })

describe('a signed content', () => {
  it.each<[string, () => object | string, string]>([
    ['a version before the last one', () => contentOf(4), 'has version 4, which is older than version 5'],
    ['its version again', () => contentOf(5, 1), 'has version 5 again, with another content'],
    ['a host', () => model({ baseUrl: 'https://canary.example' }), `${MODEL}.baseUrl ${NEVER}`],
    ['headers', () => model({ headers: { authorization: 'canary' } }), `${MODEL}.headers ${NEVER}`],
    ['a credential', () => model({ apiKey: 'canary' }), `${MODEL}.apiKey ${NEVER}`],
    ['routes', () => ({ ...contentOf(6), routes: ['canary'] }), `routes ${NEVER}`],
    ['quirks', () => model({ quirks: {} }), `${MODEL}.quirks ${NEVER}`],
    ['a negative price', () => model(price(-1)), 'prompt.0.value must be a number of dollars, at least 0'],
    ['an absurd price', () => model(price(1e308)), 'prompt.0.value must be at most 1000000 dollars'],
    ['an absurd limit', () => model({ context: 1e308 }), `${MODEL}.context must be a whole number`],
    ['a member twice', () => '{"version":6,"version":7}', 'has the member "version" twice in one object'],
    ['a prototype', () => '{"version":6,"__proto__":{}}', 'has a member "__proto__"'],
    ['no JSON', () => '{"version":', 'is not JSON'],
    [
      'an unknown provider',
      () => ({ ...contentOf(6), providers: { opnai: { models: {} } } }),
      'providers.opnai names no provider',
    ],
    [
      'the simulator',
      () => ({ ...contentOf(6), providers: { sim: { models: {} } } }),
      'providers.sim names no provider',
    ],
    ['a protocol that is not there', () => model({ protocols: ['genai'] }), 'names genai, which is not spoken here'],
    ['videos that are not served', () => model({ video: {} }), 'm.video is not served here'],
    ['a pattern', () => contentOf(6, 1, { '*': {} }), 'is not the name of a model'],
  ])(
    'with %s is refused',
    async (_what, content, reason) => {
      publisher.serve(await publisher.sign(content()))
      await expectRefused(reason)
    },
    30_000,
  )
})

describe('a file', () => {
  it.each<[string, () => Promise<string>, string]>([
    ['of another key', () => otherPublisher.sign(contentOf(6)), 'is not signed by a configured key'],
    [
      'with the id of the right key and the signature of another',
      async () =>
        (await signCatalogue(JSON.stringify(contentOf(6)), [otherPublisher.privateKey])).replace(
          otherPublisher.id,
          publisher.id,
        ),
      'has a signature that does not fit its content',
    ],
    [
      'whose signature is not base64',
      async () => (await publisher.sign(contentOf(6))).replace(/"sig": "[^"]+"/, '"sig": "%%canary%%"'),
      'has a sig that is not base64',
    ],
    ['that is not signed', async () => JSON.stringify(contentOf(6)), 'is not signed'],
    ['that is cut off', async () => (await publisher.sign(contentOf(6))).slice(0, -9), 'is not JSON'],
    ['that is empty', async () => '', 'the file at the URL is empty'],
    ['that is not JSON', async () => '<html>canary</html>', 'is not JSON'],
  ])(
    '%s is refused',
    async (_what, text, reason) => {
      publisher.serve(await text())
      await expectRefused(reason)
    },
    30_000,
  )
})

describe('a server', () => {
  /** As much as the client reads. */
  const flood = (response: ServerResponse): void => {
    const piece = Buffer.alloc(64 * 1024, 'a')
    let left = 200 * 1024 * 1024
    const more = (): void => {
      while (left > 0 && !response.destroyed) {
        left -= piece.length
        if (!response.write(piece)) return void response.once('drain', more)
      }
      response.end()
    }
    more()
  }
  it.each<[string, (response: ServerResponse) => void, string]>([
    ['that sends 200 MB', (response) => flood(response.writeHead(200)), 'the file at the URL is too large'],
    [
      'that announces 200 MB',
      (response) => void response.writeHead(200, { 'content-length': 200 * 1024 * 1024 }).write('a'),
      'the file at the URL is too large',
    ],
    [
      'that drips',
      (response) => {
        const drip = setInterval(() => response.write(' '), 100)
        response.writeHead(200).on('close', () => clearInterval(drip))
      },
      'the download took too long',
    ],
    ['that answers nothing', () => undefined, 'the download took too long'],
    [
      'that redirects to itself',
      (response) => response.writeHead(302, { location: publisher.url }).end(),
      'the URL is redirected too often',
    ],
    [
      'that redirects to a private address',
      (response) => response.writeHead(302, { location: 'https://10.0.0.1/canary' }).end(),
      'the host of the URL has no public address',
    ],
    [
      'that redirects to a file',
      (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      'the URL must begin with https',
    ],
    ['that fails', (response) => response.writeHead(500).end('canary'), 'did not answer with a file'],
    ['that closes the connection', (response) => response.destroy(), 'the host of the URL could not be reached'],
  ])(
    '%s is left alone',
    async (_what, answer, reason) => {
      publisher.answer = answer
      await expectRefused(reason)
    },
    30_000,
  )

  it('that is right again is used again', async () => {
    publisher.serve(await publisher.sign(contentOf(7, 5)))
    await server.logged((line) => noteOf(line).startsWith('catalogue version 7 is used'))
    await expectGood()
  }, 30_000)
})

it('a path that is not a file is refused, and the server starts', async () => {
  const file = join(folder, 'device.config.json')
  const catalogue = { file: '/dev/zero', keys: [publisher.publicKey] }
  writeFileSync(file, JSON.stringify({ providers: { openai: { key: '${K}' } }, catalogue }))
  const started = await startServer({ DRAGOMAN_CONFIG: file, K: 'k' })
  await started.logged((line) => noteOf(line).endsWith('is refused: is not a file'))
  await started.stop()
}, 30_000)
