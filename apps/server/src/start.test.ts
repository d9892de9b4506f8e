import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { createServer as createProxyServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bundleServer } from '../test/bundle.ts'
import { COMPILED, startServer, type ServerProcess } from '../test/process.ts'

const CHAT = '/api/v1/chat/completions'
const MESSAGES = '/api/anthropic/v1/messages'
const folder = mkdtempSync(join(tmpdir(), 'dragoman-configured-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The file whose mistakes docs/configuration.md shows. */
const DOCUMENTED_FILE = `aliases: { fast: sim/chat-9 }
providers:
  sim: true
  anthropic: { baseUrl: https://x.example }
  openai:
    key: \${OPENAI_API_KEY}
`

let running: ServerProcess | undefined
afterEach(() => running?.stop())

async function begin(environment: { readonly [name: string]: string }): Promise<ServerProcess> {
  running = await startServer(environment)
  return running
}

function write(name: string, content: object | string): string {
  const file = join(folder, name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

function ask({ url }: ServerProcess, key: string, model: string, path = CHAT, more = {}): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
    body: JSON.stringify({ model, ...more, messages: [{ role: 'user', content: 'Hi' }] }),
  })
}

describe('a server with a configuration file', () => {
  it('prints its file and providers, and restricts keys to their models', async () => {
    const file = write(
      'keys.yaml',
      'aliases: { fast: sim/messages-1 }\nkeys: [{ name: a, secret: { env: A_KEY }, models: [sim/messages-1] }]\nproviders:\n  sim: true\n  house: { baseURL: http://house.example/v1, models: [m, n] }\n',
    )
    const server = await begin({ DRAGOMAN_CONFIG: file, A_KEY: 'sk-a-0123456789abcdef', GROQ_API_KEY: 'gsk-1' })
    expect(server.greeting).toContain(`configured  by ${file}`)
    expect(server.greeting.find((line) => line.startsWith('providers'))).toMatch(
      /^providers {3}sim \(\d+\), groq \(\d+\), house \(2\)$/,
    )
    expect(server.greeting.join('\n')).not.toMatch(/sk-a|gsk-1|local key/)
    const short = { max_tokens: 10 }
    expect((await ask(server, 'sk-a-0123456789abcdef', 'fast', MESSAGES, short)).status).toBe(200)
    const refused = await ask(server, 'sk-a-0123456789abcdef', 'sim/chat-1', MESSAGES, short)
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({ type: 'error', error: { type: 'permission_error' } })
  })

  it('prints examples with models that are there, and has no simulator beside a configured provider', async () => {
    const file = write('examples.json', {
      providers: { house: { baseURL: 'http://house.example/v1', models: ['any-*', 'org/one'] } },
    })
    const server = await begin({ DRAGOMAN_CONFIG: file })
    const examples = server.greeting.filter((line) => line.startsWith('curl '))
    expect(examples).toHaveLength(4)
    for (const example of examples) expect(example).toMatch(/house\/(models\/)?org\/one/)
    const list = (await (await fetch(`${server.url}/api/v1/models`)).json()) as { data: { id: string }[] }
    expect(list.data.map(({ id }) => id)).toEqual(['house/org/one'])
  })

  it('gives its keys the scopes of the file', async () => {
    const keys = ['inference', 'admin'].map((scope) => ({ name: scope, secret: { env: scope }, scopes: [scope] }))
    const server = await begin({
      DRAGOMAN_CONFIG: write('scopes.json', { keys }),
      inference: 'sk-inference-0123456789',
      admin: 'sk-admin-0123456789',
    })
    const manage = (key: string) =>
      fetch(`${server.url}/admin/v1/keys`, { headers: { authorization: `Bearer ${key}` } }).then(({ status }) => status)
    expect((await ask(server, 'sk-inference-0123456789', 'sim/chat-1')).status).toBe(200)
    expect(await manage('sk-inference-0123456789')).toBe(403)
    expect((await ask(server, 'sk-admin-0123456789', 'sim/chat-1')).status).toBe(403)
    expect(await manage('sk-admin-0123456789')).toBe(200)
  })

  it('enforces the limits of the file, with errors of each protocol', async () => {
    const limits = { body: 100, headers: '1 KB' }
    const file = write('limits.json', {
      limits,
      defaults: { unsupportedFields: 'accept' },
      server: { cors: ['https://a.example'] },
    })
    const server = await begin({ DRAGOMAN_CONFIG: file })
    const large = await ask(server, server.key, `sim/chat-1${' '.repeat(100)}`)
    expect([large.status, await large.json()]).toMatchObject([
      413,
      { error: { message: expect.stringContaining('100 bytes') as string } },
    ])
    const long = await fetch(`${server.url}/api/v1/models`, { headers: { 'x-long': 'x'.repeat(2000) } })
    expect([long.status, await long.json()]).toMatchObject([431, { error: { type: 'invalid_request_error' } }])
    const open = await fetch(`${server.url}/api/v1/models`, { headers: { origin: 'https://a.example' } })
    expect(open.headers.get('access-control-allow-origin')).toBe('https://a.example')
  })

  it('allows as many concurrent calls of one key as the file sets', async () => {
    // The call of a caller that leaves ends soon, and with it the server.
    const limits = { perKey: 1, time: { usage: 0.05 } }
    const file = write('slow.json', { limits, providers: { sim: { tokensPerSecond: 2 } } })
    const server = await begin({ DRAGOMAN_CONFIG: file })
    const first = await ask(server, server.key, 'sim/chat-1', CHAT, { stream: true })
    expect(first.status).toBe(200)
    const second = await ask(server, server.key, 'sim/chat-1')
    expect([second.status, await second.json()]).toMatchObject([429, { error: { type: 'rate_limit_error' } }])
    await first.body?.cancel()
  })

  it.each([
    [0, true],
    [3600, undefined],
  ])('makes videos of the simulator in as many seconds as the file sets: %i', async (videoSeconds, done) => {
    const file = write(`films-${videoSeconds}.json`, { providers: { sim: { videoSeconds } } })
    const server = await begin({ DRAGOMAN_CONFIG: file })
    const post = async (action: string, body: object): Promise<{ readonly name: string; readonly done?: boolean }> => {
      const headers = { 'x-goog-api-key': server.key, 'content-type': 'application/json' }
      const url = `${server.url}/api/vertex-ai/v1/publishers/sim/models/film:${action}`
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await answer.json()) as { name: string } // an operation
    }
    const { name } = await post('predictLongRunning', { instances: [{ prompt: 'a kite' }] })
    const operation = await post('fetchPredictOperation', { operationName: name })
    expect([operation.name, operation.done]).toEqual([name, done])
  })

  it('allows as many concurrent connections as the file sets', async () => {
    const file = write('connections.json', { limits: { connections: 2 } })
    const server = await begin({ DRAGOMAN_CONFIG: file })
    const open = async (): Promise<Socket> => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {})
      socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
      await new Promise((resolve) => socket.on('data', resolve).on('close', resolve))
      return socket
    }
    const [first, second, third] = [await open(), await open(), await open()]
    expect([first, second, third].map(({ bytesRead }) => bytesRead > 0)).toEqual([true, true, false])
    first.destroy()
    second.destroy()
  })

  /** The lines of a server that does not start. */
  const refused = async (environment: { readonly [name: string]: string }): Promise<readonly string[]> => {
    const { main } = await bundleServer()
    const child = spawn(process.execPath, [main], {
      env: { PORT: '0', DRAGOMAN_DATA: folder, ...COMPILED, ...environment },
    })
    let output = ''
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    expect(await once(child, 'close')).toEqual([1, null])
    return output.trim().split('\n')
  }

  it('prints the mistakes of docs/configuration.md as it says', async () => {
    const file = write('documented.yaml', DOCUMENTED_FILE)
    const document = readFileSync(join(import.meta.dirname, '../../../docs/configuration.md'), 'utf8')
    const documented = /## Mistakes[^`]+```\n([^`]+)\n```/.exec(document)?.[1]?.replaceAll('dragoman.config.yaml', file)
    expect(
      await refused({ DRAGOMAN_CONFIG: file, ANTHROPIC_API_KEY: 'k', DRAGOMAN_PROT: '8081', DRAGOMAN_LOG: 'inf' }),
    ).toEqual(documented?.split('\n'))
  })

  it('prints mistakes of the file, of all variables and of both together at once, and no values', async () => {
    const file = write('both.json', {
      server: { prot: 1, sealingKeys: [{ env: 'SHORT' }], trustedProxies: ['canary'] },
      accounts: { redis: '${REDIS}' },
      aliases: { one: 'house/canary', two: 'sim/none-1', three: 'bare' },
      providers: { sim: true, house: { baseURL: 'ftp://x' }, lab: { baseUrl: 'http://l.example' } },
      keys: [{ name: 'a' }, { name: 'b', secret: '${DRAGOMAN_OWN}', models: ['house/m', 'sim/nothing'] }],
    })
    const lines = await refused({
      DRAGOMAN_CONFIG: file,
      DRAGOMAN_OWN: 'sk-own-key-0123456789',
      SHORT: 'canary',
      REDIS: 'redis://canary',
      PORT: 'canary',
      DRAGOMAN_LOG: 'canary',
      DRAGOMAN_STORE: 'canary',
      DRAGOMAN_MODEL_LISTS: 'pubic',
      DRAGOMAN_OLLAMA: 'offf',
      DRAGOMAN_SIM: 'onn',
      DRAGOMAN_GRACE_SECOND: '5',
      DRAGOMAN_COMPATIBLE: 'mine,yours',
      DRAGOMAN_YOURS_BASE_URL: 'ftp://x',
      DRAGOMAN_YOURS_MODEL: 'm',
      OPENAI_BASE_URL: 'ftp://x',
      OTEL_TRACES_EXPORTER: 'jaeger',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example',
      OTEL_TRACES_SAMPLER: 'canary',
      HTTPS_PROXY: 'ftp://x',
      // Of the platform.
      DRAGOMAN_SERVICE_HOST: '10.0.0.1',
      DRAGOMAN_PORT: 'tcp://10.0.0.1:8080',
      DRAGOMAN_PORT_8080_TCP_ADDR: '10.0.0.1',
    })
    const expected = [
      /: server\.prot is unknown; did you mean "port"\?$/,
      /: server\.sealingKeys must have keys of at least 32 characters$/,
      /: providers\.house\.baseURL must be an http or https URL$/,
      /: providers\.lab\.baseUrl is unknown; did you mean "baseURL"\?$/,
      /: aliases\.two names "sim\/none-1", which no provider has/,
      /: keys\.0 needs either a secret or a sha256 digest$/,
      /: keys\.1\.models\.1 names "sim\/nothing", which no provider has/,
      /^dragoman: PORT must be a whole number from 0 to 65535\.$/,
      /^dragoman: DRAGOMAN_LOG must be one of debug, info, warn, error, silent\.$/,
      /^dragoman: DRAGOMAN_STORE must be one of sqlite, postgres, memory\.$/,
      /^dragoman: DRAGOMAN_MODEL_LISTS must be one of public, private; did you mean "public"\?$/,
      /^dragoman: DRAGOMAN_OLLAMA must be one of .*; did you mean "off"\?$/,
      /^dragoman: DRAGOMAN_SIM must be one of on, off; did you mean "on"\?$/,
      /^dragoman: DRAGOMAN_GRACE_SECOND is unknown; did you mean "DRAGOMAN_GRACE_SECONDS"\?$/,
      /^dragoman: The variables of mine have a mistake: .*DRAGOMAN_MINE_BASE_URL" is required/,
      /^dragoman: The variables of yours have a mistake: .*must be an http or https URL/,
      /^dragoman: DRAGOMAN_YOURS_MODEL is unknown; did you mean "DRAGOMAN_YOURS_MODELS"\?$/,
      /^dragoman: The variables of openai have a mistake: .*must be an http or https URL/,
      /^dragoman: OTEL_TRACES_EXPORTER must be one of otlp, none\.$/,
      /^dragoman: OTEL_TRACES_SAMPLER must be one of /,
      /^dragoman: "canary" in the trusted proxies is neither/,
      /^dragoman: Redis is used beside PostgreSQL only/,
      /^dragoman: .*HTTPS_PROXY/,
    ]
    const counts = expected.map((pattern) => [pattern, lines.filter((line) => pattern.test(line)).length])
    expect(counts).toEqual(expected.map((pattern) => [pattern, 1]))
    expect(lines).toHaveLength(expected.length)
    expect(lines.filter((line) => line.includes('canary'))).toHaveLength(1)
  })

  it.each([
    ['names a file that does not exist', { DRAGOMAN_CONFIG: 'gone.yaml' }, /gone\.yaml, which does not exist\.$/],
    ['is not YAML', { DRAGOMAN_CONFIG: 'DAMAGED' }, /is not YAML at line 2/],
  ])('reports the variables too if the configuration %s', async (_what, environment, reason) => {
    const damaged = write('damaged.yaml', 'server: {\n')
    const lines = await refused({
      DRAGOMAN_CONFIG: environment.DRAGOMAN_CONFIG === 'DAMAGED' ? damaged : environment.DRAGOMAN_CONFIG,
      DRAGOMAN_LOGS: 'info',
      PORT: 'x',
    })
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(reason)
    expect(lines).toContain('dragoman: DRAGOMAN_LOGS is unknown; did you mean "DRAGOMAN_LOG"?')
  })

  it('does not start with keys that could be guessed, or with the word of two meanings', async () => {
    const keys = [
      { name: 'short', secret: { env: 'SHORT' } },
      { name: 'long', secret: { env: 'LONG' } },
    ]
    const environment = { SHORT: '15-characters-!', LONG: '16-characters-!!' }
    const needs = 'a key needs at least 16 characters, such as those of openssl rand -hex 24'
    const file = write('short.json', { keys })
    expect(await refused({ ...environment, DRAGOMAN_CONFIG: file })).toEqual([
      `dragoman: ${file}: keys.0.secret is too short: ${needs}`,
    ])
    expect(await refused({ DRAGOMAN_KEYS: `${environment.LONG},${environment.SHORT}` })).toEqual([
      `dragoman: DRAGOMAN_KEYS has a key that is too short, key-2: ${needs}.`,
    ])
    const old = write('admin.json', { keys: [{ ...keys[1], admin: true }] })
    expect(await refused({ ...environment, DRAGOMAN_CONFIG: old })).toEqual([
      expect.stringMatching(
        /keys\.0\.admin is not accepted any more: write explainAll: true .* scopes: \[inference, admin\]/,
      ),
    ])
  })

  it('does not start with mistakes in it, and prints all of them', async () => {
    const file = write('wrong.json', {
      aliases: { fast: 'sim/chat-9' },
      providers: { sim: true, openai: { baseURL: 'ftp://x' } },
      downloads: { allow: ['10.1.0.0/16', '10.0.0.0/99'] },
    })
    expect(await refused({ DRAGOMAN_CONFIG: file, OPENAI_API_KEY: 'sk-canary' })).toEqual([
      `dragoman: ${file}: providers.openai.baseURL must be an http or https URL`,
      `dragoman: ${file}: aliases.fast names "sim/chat-9", which no provider has; did you mean "sim/chat-1"?`,
      `dragoman: ${file}: downloads.allow has a mistake: "10.0.0.0/99" is not an address, a range of addresses or a host`,
    ])
  })
})

describe('a server behind a proxy, with an upstream of another certificate authority', () => {
  let certificate: string
  let upstream: ReturnType<typeof createServer>
  let proxy: ReturnType<typeof createProxyServer>
  const asked: string[] = []
  const sockets: Socket[] = []
  const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port // it listens on TCP

  beforeAll(async () => {
    const made = await generate([{ name: 'commonName', value: 'upstream.example' }], {
      keyType: 'ec',
      algorithm: 'sha256',
    })
    certificate = write('authority.pem', made.cert)
    upstream = createServer({ key: made.private, cert: made.cert }, (request, response) => {
      const message = { role: 'assistant', content: 'hello from far away' }
      const answer = {
        id: 'c',
        object: 'chat.completion',
        created: 1,
        model: 'm',
        choices: [{ index: 0, message, finish_reason: 'stop' }],
      }
      request
        .resume()
        .on('end', () => response.setHeader('content-type', 'application/json').end(JSON.stringify(answer)))
    })
    proxy = createProxyServer().on('connect', (request, socket: Socket) => {
      asked.push(
        `${request.url} ${Buffer.from(request.headers['proxy-authorization']?.slice(6) ?? '', 'base64').toString()}`,
      )
      const onward = connect(portOf(upstream), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        onward.pipe(socket).pipe(onward)
      })
      for (const each of [socket, onward]) sockets.push(each.on('error', () => each.destroy()))
    })
    for (const server of [upstream, proxy]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    upstream.close()
    proxy.close()
  })

  const house = { house: { baseURL: 'https://upstream.example/v1', models: ['m'] } }
  it.each([
    ['the file names', { outbound: { authorities: ['authority.pem'] } }, () => ({})],
    ['NODE_EXTRA_CA_CERTS names', {}, () => ({ NODE_EXTRA_CA_CERTS: certificate })],
  ])(
    'reaches it when %s the certificate, and logs no secret',
    async (_who, members, environment) => {
      asked.length = 0
      const file = write('proxied.json', { providers: house, ...members })
      const HTTPS_PROXY = `http://me:canary@127.0.0.1:${portOf(proxy)}`
      const server = await begin({ DRAGOMAN_CONFIG: file, HTTPS_PROXY, ...environment() })
      expect(await (await ask(server, server.key, 'house/m')).text()).toContain('hello from far away')
      expect(asked).toEqual(['upstream.example:443 me:canary'])
      await server.stop()
      expect(server.lines.join('\n')).not.toContain('canary')
    },
    60_000,
  )
})
