import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecret } from '@dragoman/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import { from, guesses, statusOf } from './guess.ts'
import { startServer, type ServerProcess } from './process.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-guesses-'))
let server: ServerProcess
afterEach(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('a server whose keys are guessed', () => {
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
        const status = await statusOf(server, createSecret(), { ...from(call % 175), ...guesses() })
        if (status === 429) refused++
      } while (refused === 0)
    })
    // 175 networks have at most 8 calls each at a time, which may wait, and more than the 1,000 that may wait in all.
    await expect.poll(() => refused).toBeGreaterThan(0)
    expect(await statusOf(server, secret, from(250))).toBe(200)
    await Promise.all(sent)
  })
})
