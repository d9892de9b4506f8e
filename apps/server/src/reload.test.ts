import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brokenText } from '@dragoman/testkit'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startPausedUpstream, type PausedUpstream } from '../test/paused-upstream.ts'
import { startServer, type LogLine, type ServerProcess } from '../test/process.ts'

describe('a change of the configuration file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-reload-'))
  const file = join(folder, 'dragoman.config.json')
  let upstream: PausedUpstream
  let server: ServerProcess

  const config = (members: object = {}): object => ({
    keys: [{ name: 'team', secret: '${TEAM_KEY}' }],
    providers: { house: { baseURL: upstream.url, models: ['m'] } },
    ...members,
  })
  /** Replaces the file, as editors do. */
  const replace = (text: string): void => {
    writeFileSync(`${file}.new`, text)
    renameSync(`${file}.new`, file)
  }
  const logged = (text: string, times = 1) =>
    server.logged(
      (entry) =>
        entry['msg'] === text && server.lines.filter((line) => line.includes(JSON.stringify(text))).length >= times,
    )
  const readAgain = `configuration read from ${file}`
  const start = () => startServer({ DRAGOMAN_CONFIG: file, TEAM_KEY: 'sk-team-0123456789abcdef', DRAGOMAN_SIM: 'on' })
  const ask = (body: object, key = 'sk-team-0123456789abcdef') =>
    fetch(`${server.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }], ...body }),
    })

  beforeEach(async () => {
    upstream = await startPausedUpstream()
    replace(JSON.stringify(config()))
    server = await start()
  })
  afterEach(async () => {
    upstream.close()
    await server.stop()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('changes limits, budgets and providers of its keys', async () => {
    const keys = (members: object) => [{ name: 'team', secret: '${TEAM_KEY}', ...members }]
    const prompt = [{ value: 1, unit: 'perMTokens', currency: 'USD' }]
    const priced = { house: { baseURL: upstream.url, models: [{ name: 'm', prices: { prompt, completion: prompt } }] } }
    const load = async (members: object, times: number): Promise<void> => {
      replace(JSON.stringify(config({ keys: keys(members), providers: priced })))
      await logged(readAgain, times)
    }
    const statusOf = async (model: string): Promise<number> => {
      const response = await ask({ model })
      await response.text()
      return response.status
    }
    expect(await statusOf('sim/chat-1')).toBe(200)
    await load({ limits: { requestsPerMinute: 1 }, providers: ['sim'] }, 1)
    expect(await statusOf('house/m')).toBe(403)
    expect(await statusOf('sim/chat-1')).toBe(200)
    expect(await statusOf('sim/chat-1')).toBe(429)
    await load({ limits: {}, providers: ['sim'] }, 2)
    expect(await statusOf('sim/chat-1')).toBe(200)
    await load({ limits: {}, providers: ['sim', 'house'], budgets: { day: '0.000000001' } }, 3)
    expect(await statusOf('house/m')).toBe(402)
  })

  it('is loaded while streams continue, and logs what needs a restart', async () => {
    const answer = await ask({ model: 'house/m', stream: true })
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = (await reader.read()).value ?? ''
    expect((await ask({ model: 'fast' })).status).toBe(404)

    const providers = { house: { baseURL: upstream.url, models: ['other'] } }
    replace(JSON.stringify(config({ providers, aliases: { fast: 'sim/chat-1' }, server: { port: 1, host: '::1' } })))
    await logged(readAgain)
    await logged('server.host changes at the next start')
    expect((await ask({ model: 'fast' })).status).toBe(200)
    expect((await ask({ model: 'house/m' })).status).toBe(404)

    upstream.finish()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) text += piece.value
    expect(text).toMatch(/word[\s\S]*data: \[DONE\]\n\n$/)
  })

  it('changes prices for new calls alone: the prices at the start of a call count', async () => {
    const priced = (value: number) => {
      const price = { value, unit: 'perMTokens', currency: 'USD' }
      const model = { name: 'm', prices: { prompt: [price], completion: [price] }, priceVersion: `v${value}` }
      return JSON.stringify(config({ providers: { house: { baseURL: upstream.url, models: [model] } } }))
    }
    const costOf = async (requestId: string | null) => {
      const line = await server.logged((entry) => entry['requestId'] === requestId && entry['outcome'] !== undefined)
      return line['cost'] as { readonly version: string; readonly total: number; readonly prompt: number }
    }
    replace(priced(1))
    await logged(readAgain)
    const before = await ask({ model: 'house/m', stream: true })
    replace(priced(2))
    await logged(readAgain, 2)
    upstream.finish()
    await before.text()
    const after = await ask({ model: 'house/m', stream: true })
    upstream.finish()
    await after.text()
    const [old, current] = [
      await costOf(before.headers.get('x-request-id')),
      await costOf(after.headers.get('x-request-id')),
    ]
    expect([old.version, current.version]).toEqual(['v1', 'v2'])
    expect(current.prompt).toBe(2 * old.prompt)
    expect(old.prompt).toBeGreaterThan(0)
  })

  it('with a mistake is logged and changes nothing', async () => {
    replace(JSON.stringify(config({ aliases: { fast: 'nobody/m' }, limits: { body: 'canary' } })))
    await logged(`${file}: limits.body must be a number of bytes, or one like "32 MB"`)
    await logged('the configuration stays as it was')
    expect((await ask({ model: 'sim/chat-1' })).status).toBe(200)
    replace(JSON.stringify(config({ aliases: { fast: 'sim/chat-1' } })))
    await logged(readAgain)
    expect((await ask({ model: 'fast' })).status).toBe(200)
    expect(server.lines.join('\n')).not.toMatch(/canary|sk-team-0123456789abcdef/)
  })

  it('removes keys and adds new ones, with their models', async () => {
    // printf %s "sk-by-digest-0123456789" | sha256sum
    const sha256 = 'eb6b281c63d79b49a4c3a21c3e04d53dc9c51a4dd0f9813a400a7826848a1370'
    replace(JSON.stringify(config({ keys: [{ name: 'digest', sha256, models: ['sim/chat-1'] }] })))
    await logged(readAgain)
    expect((await ask({ model: 'sim/chat-1' })).status).toBe(401)
    expect((await ask({ model: 'sim/chat-1' }, 'sk-by-digest-0123456789')).status).toBe(200)
    const entry: LogLine = await server.logged(({ caller }) => caller === 'digest')
    expect(entry).toMatchObject({ status: 200 })
  })

  it('is loaded on SIGHUP, and old responses are aborted at the end of the grace period', async () => {
    const reading = brokenText(await ask({ model: 'house/m', stream: true }))
    server.signal('SIGHUP')
    await logged(readAgain)
    replace(JSON.stringify(config({ server: { grace: 0 } })))
    await logged(readAgain, 2)
    server.signal('SIGTERM')
    expect(await reading).toMatch(/data: \{"error":.*shutting down.*\n\n$/)
    expect(await server.exited).toBe(0)
  })
})
