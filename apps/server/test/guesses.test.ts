import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecret } from '@dragoman/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import { startServer, type ServerProcess } from './process.ts'

const KEY = 'sk-of-the-operator-0123456789'
const CHAT = JSON.stringify({ model: 'sim/chat-1', messages: [{ role: 'user', content: 'Hi' }] })

const folder = mkdtempSync(join(tmpdir(), 'dragoman-guesses-'))
let server: ServerProcess
afterEach(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function statusOf(secret: string, headers: Record<string, string> = {}): Promise<number> {
  const answer = await fetch(`${server.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
    body: CHAT,
  })
  await answer.text()
  return answer.status
}

/** A network of its own, behind the trusted proxy that this test is. */
const from = (network: number) => ({ 'x-forwarded-for': `198.51.${network}.1` })
/** With the bearer they are three wrong keys of one call, so that the longest delay is reached soon. */
const guesses = () => ({ 'x-api-key': createSecret(), 'x-goog-api-key': createSecret() })

describe('a server whose keys are guessed', () => {
  it('does not tell whether a guess of a configured key is right, however many are sent', async () => {
    server = await startServer({ DRAGOMAN_KEYS: KEY, DRAGOMAN_TRUSTED_PROXIES: '127.0.0.1', DRAGOMAN_LOG: 'silent' })
    // After them, each wrong key waits for the longest time.
    for (let call = 0; call < 3; call++) expect(await statusOf(createSecret(), { ...from(1), ...guesses() })).toBe(401)
    const answers: number[] = []
    const sent = Array.from({ length: 100 }, (_, guess) =>
      statusOf(`sk-guess-${guess}`, from(1)).then((status) => answers.push(status)),
    )
    // Eight of them wait.
    await expect.poll(() => answers.length).toBe(92)
    expect(await statusOf(KEY, from(1))).toBe(429)
    expect(await statusOf(KEY, from(2))).toBe(200)
    expect(await statusOf(KEY, from(1))).toBe(200)
    await Promise.all(sent)
    expect(answers.filter((status) => status === 401)).toHaveLength(8)
  })

  it('finds a valid key after a restart, while wrong ones of many networks wait', async () => {
    const environment = { DRAGOMAN_DATA: folder, DRAGOMAN_TRUSTED_PROXIES: '127.0.0.1', DRAGOMAN_LOG: 'silent' }
    server = await startServer(environment)
    const admin = readFileSync(join(folder, 'admin-key'), 'utf8').trim()
    const made = await fetch(`${server.url}/admin/v1/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'valid' }),
    })
    const { secret } = (await made.json()) as { secret: string }
    await server.stop()
    server = await startServer(environment)
    let refused = 0
    // Each sends the next one when it has its answer: on a busy machine the first are answered before the last are sent.
    const sent = Array.from({ length: 1400 }, async (_, call) => {
      do {
        const status = await statusOf(createSecret(), { ...from(call % 175), ...guesses() })
        if (status === 429) refused++
      } while (refused === 0)
    })
    // 175 networks have at most 8 calls each at a time, which may wait, and more than the 1,000 that may wait in all.
    await expect.poll(() => refused).toBeGreaterThan(0)
    expect(await statusOf(secret, from(250))).toBe(200)
    await Promise.all(sent)
  })
})
