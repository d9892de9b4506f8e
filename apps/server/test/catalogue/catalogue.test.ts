import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from '@dragoman/store-sqlite'
import OpenAI from 'openai'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startChatUpstream, type ChatUpstream } from '../chat-upstream.ts'
import { startPausedUpstream } from '../paused-upstream.ts'
import { noteOf, startServer, type ServerProcess } from '../process.ts'
import { contentOf, startPublisher, type Publisher } from './publisher.ts'

const NEW = 'openai/gpt-of-tomorrow'

let folder: string
let file: string
let publisher: Publisher
let upstream: ChatUpstream
const servers: ServerProcess[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-catalogue-'))
  file = join(folder, 'dragoman.config.json')
  publisher = await startPublisher()
  upstream = await startChatUpstream()
})
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()))
  upstream.close()
  await publisher.close()
  rmSync(folder, { recursive: true, force: true })
})

function configure(catalogue: object, more: object = {}, baseURL = upstream.url): void {
  const openai = { key: '${OPENAI_KEY}', baseURL }
  const settings = { keys: [publisher.publicKey], refresh: 0.25, ...catalogue }
  writeFileSync(`${file}.new`, JSON.stringify({ providers: { openai }, catalogue: settings, ...more }))
  renameSync(`${file}.new`, file)
}

async function start(): Promise<ServerProcess> {
  const environment = { DRAGOMAN_CONFIG: file, DRAGOMAN_DATA: join(folder, 'data'), OPENAI_KEY: 'sk-upstream' }
  const server = await startServer(environment)
  servers.push(server)
  return server
}

const fromUrl = () => ({ url: publisher.url, allow: ['127.0.0.1'] })
const noted = (server: ServerProcess, text: string) => server.logged((line) => noteOf(line).includes(text))
const clientOf = ({ url, key }: ServerProcess) => new OpenAI({ baseURL: `${url}/api/v1`, apiKey: key, maxRetries: 0 })

/** Asks a model, and returns the version of the prices that the log has for the call. */
async function askedVersion(server: ServerProcess, model = NEW): Promise<unknown> {
  const body = { model, messages: [{ role: 'user' as const, content: 'hi' }] }
  const { response } = await clientOf(server).chat.completions.create(body).withResponse()
  const id = response.headers.get('x-request-id')
  const { cost } = await server.logged(
    (line) => JSON.stringify(line).includes(String(id)) && line['cost'] !== undefined,
  )
  return (cost as { readonly version?: string }).version // of the log
}

async function listed(server: ServerProcess): Promise<readonly { readonly id: string }[]> {
  const answer = await fetch(`${server.url}/api/v1/models`)
  return ((await answer.json()) as { readonly data: readonly { readonly id: string }[] }).data
}

describe('a signed catalogue', () => {
  it('states prices and new models, with its version in logs, explanations and records', async () => {
    publisher.serve(await publisher.sign(contentOf(5)))
    configure(fromUrl(), { aliases: { newest: NEW } })
    const server = await start()
    await noted(server, 'catalogue version 5 is used from http://127.0.0.1')
    const list = await listed(server)
    const price = [{ value: 5, unit: 'perMTokens', currency: 'USD' }]
    expect(list.find(({ id }) => id === NEW)).toMatchObject({ context_length: 500_000, pricings: { prompt: price } })
    expect(list.find(({ id }) => id === 'openai/gpt-5.4')).toMatchObject({ pricings: { prompt: price } })
    expect(await askedVersion(server, 'newest')).toMatch(/^catalogue-5\/[0-9a-f]{16}$/)
    // The key of the upstream goes to the provider's own host.
    expect(upstream.requests.at(-1)?.headers.authorization).toBe('Bearer sk-upstream')
    const explained = await fetch(`${server.url}/explain/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: NEW, messages: [{ role: 'user', content: 'hi' }] }),
    })
    expect(await explained.text()).toMatch(/"version":\s*"catalogue-5\/[0-9a-f]{16}"/)
    await server.stop()
    const store = openSqliteStore({ file: join(folder, 'data', 'dragoman.db') })
    const records = await store.records('', 10)
    await store.close()
    expect(records.map(({ prices }) => prices)).toEqual([expect.stringMatching(/^catalogue-5\/[0-9a-f]{16}$/)])
    expect(server.lines.join('\n')).not.toContain('canary')
  }, 60_000)

  it('is replaced by a newer one while calls finish with the prices that they began with', async () => {
    const paused = await startPausedUpstream()
    publisher.serve(await publisher.sign(contentOf(5)))
    configure(fromUrl(), {}, paused.url)
    const server = await start()
    const begun = await fetch(`${server.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: NEW, stream: true, messages: [{ role: 'user', content: 'hi' }] }),
    })
    publisher.serve(await publisher.sign(contentOf(6, 2)))
    await noted(server, 'catalogue version 6 is used')
    expect((await listed(server)).find(({ id }) => id === NEW)).toMatchObject({ pricings: { prompt: [{ value: 2 }] } })
    paused.finish()
    expect(await begun.text()).toContain('[DONE]')
    const { cost } = await server.logged((line) => line['cost'] !== undefined)
    expect(cost).toMatchObject({ version: expect.stringMatching(/^catalogue-5\//) as string })
    paused.close()
  }, 60_000)

  it('is asked for with the tag of the known one', async () => {
    const text = await publisher.sign(contentOf(5))
    const second = Promise.withResolvers<string | undefined>()
    publisher.answer = (response, { headers }) => {
      if (publisher.requests.length > 1) second.resolve(headers['if-none-match'])
      response.writeHead(headers['if-none-match'] === undefined ? 200 : 304, { etag: '"5"' })
      response.end(headers['if-none-match'] === undefined ? text : undefined)
    }
    configure(fromUrl())
    const server = await start()
    expect(await second.promise).toBe('"5"')
    expect(await askedVersion(server)).toMatch(/^catalogue-5\//)
  }, 60_000)

  it('is kept for a start without its source, and older ones are refused then too', async () => {
    publisher.serve(await publisher.sign(contentOf(5)))
    configure(fromUrl(), { aliases: { newest: NEW } })
    await (await start()).stop()
    const kept = join(folder, 'data', 'catalogue.signed.json')
    expect(statSync(kept).mode & 0o777).toBe(0o600)
    publisher.answer = (response) => response.destroy()
    const server = await start()
    await noted(server, 'catalogue version 5 is used as it was kept')
    await noted(server, 'is refused: catalogue.url: the host of the URL could not be reached')
    expect(await askedVersion(server, 'newest')).toMatch(/^catalogue-5\//)
    publisher.serve(await publisher.sign(contentOf(4)))
    await noted(server, 'has version 4, which is older than version 5')
    expect(await askedVersion(server)).toMatch(/^catalogue-5\//)
    publisher.serve(await publisher.sign(contentOf(6)))
    await noted(server, 'catalogue version 6 is used')
    expect(readFileSync(kept, 'utf8')).toContain(publisher.id)
  }, 60_000)

  it('is not needed for a start: aliases of its models do not exist until it is loaded', async () => {
    configure(fromUrl(), { aliases: { newest: NEW } })
    const server = await start()
    await noted(server, 'there is no catalogue')
    await expect(askedVersion(server, 'newest')).rejects.toMatchObject({ status: 404 })
    publisher.serve(await publisher.sign(contentOf(5)))
    await noted(server, 'catalogue version 5 is used')
    expect(await askedVersion(server, 'newest')).toMatch(/^catalogue-5\//)
  }, 60_000)

  it('is a file, which may be replaced', async () => {
    const storedAt = join(folder, 'prices.json')
    writeFileSync(storedAt, await publisher.sign(contentOf(5)))
    configure({ file: 'prices.json' })
    const server = await start()
    expect(await askedVersion(server)).toMatch(/^catalogue-5\//)
    writeFileSync(`${storedAt}.new`, await publisher.sign(contentOf(6)))
    renameSync(`${storedAt}.new`, storedAt)
    await noted(server, 'catalogue version 6 is used')
    rmSync(storedAt)
    await noted(server, 'could not be read: ENOENT')
    expect(await askedVersion(server)).toMatch(/^catalogue-6\//)
  }, 60_000)

  it('is dropped with the key that signed it, and is used again with another one', async () => {
    const next = await startPublisher()
    const text = await publisher.sign(contentOf(9))
    publisher.serve(text)
    configure(fromUrl())
    const server = await start()
    expect(await askedVersion(server)).toMatch(/^catalogue-9\//)
    configure({ ...fromUrl(), keys: [next.publicKey] })
    await noted(server, `the catalogue that was kept is not used: is not signed by a configured key (${next.id})`)
    await expect(askedVersion(server)).rejects.toMatchObject({ status: 404 })
    // The version of a key that is not trusted does not count.
    publisher.serve(await next.sign(contentOf(2)))
    await noted(server, 'catalogue version 2 is used')
    expect(await askedVersion(server)).toMatch(/^catalogue-2\//)
    await next.close()
  }, 60_000)

  it('goes with its setting, unless an alias needs it', async () => {
    publisher.serve(await publisher.sign(contentOf(5)))
    configure(fromUrl(), { aliases: { newest: NEW } })
    const server = await start()
    const without = (more: object): void => {
      const openai = { key: '${OPENAI_KEY}', baseURL: upstream.url }
      writeFileSync(`${file}.new`, JSON.stringify({ providers: { openai }, ...more }))
      renameSync(`${file}.new`, file)
    }
    without({ aliases: { newest: NEW } })
    await noted(server, `aliases.newest names "${NEW}", which no provider has`)
    expect(await askedVersion(server, 'newest')).toMatch(/^catalogue-5\//)
    without({})
    await noted(server, 'configuration read from')
    await expect(askedVersion(server)).rejects.toMatchObject({ status: 404 })
  }, 60_000)

  it('has less to say than the configuration', async () => {
    publisher.serve(await publisher.sign(contentOf(5)))
    const price = (value: number) => [{ value, unit: 'perMTokens', currency: 'USD' }]
    const overrides = { 'gpt-5.4': { prices: { prompt: price(77) } } }
    const openai = {
      key: '${OPENAI_KEY}',
      baseURL: upstream.url,
      overrides,
      models: [{ name: 'gpt-of-tomorrow', context: 8 }],
    }
    configure(fromUrl(), { providers: { openai } })
    const list = await listed(await start())
    expect(list.find(({ id }) => id === 'openai/gpt-5.4')).toMatchObject({ pricings: { prompt: price(77) } })
    expect(list.find(({ id }) => id === NEW)).toMatchObject({ context_length: 8 })
  }, 60_000)
})

it.each([
  [{ keys: [] }, 'catalogue.keys must not be empty'],
  [{ file: 'a.json' }, 'catalogue needs either a url or a file'],
  [{ keys: ['short'] }, 'catalogue.keys.0 must be a public key in base64'],
  [{ url: 'ftp://prices.example' }, 'catalogue.url must be an http or https URL'],
  [{ refesh: 5 }, 'catalogue.refesh is unknown; did you mean "refresh"?'],
])('a wrong setting of a catalogue is a mistake at the start: %j', async (settings, mistake) => {
  const { readConfiguration } = await import('../../src/configuration.ts')
  configure({ ...fromUrl(), ...settings })
  const environment = { DRAGOMAN_CONFIG: file, OPENAI_KEY: 'k' }
  await expect(readConfiguration({ environment, file })).rejects.toThrow(`${file}: ${mistake}`)
})
