import { Agent, request } from 'node:http'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecret } from '@dragoman/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import { from, guesses, statusOf } from './guess.ts'
import { startServer, type ServerProcess } from './process.ts'

/** Networks may have 8 wrong calls each that wait: these have more than the 1,000 that may wait in all. */
const NETWORKS = 175
const MOST_OF_ONE = 8

/** Not `fetch`, which takes several times as much CPU time: the guesses must come faster than they are answered. */
const agent = new Agent({ keepAlive: true })
const guess = (network: number): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${createSecret()}`, ...from(network), ...guesses() }
    const call = request(`${server.url}/api/v1/chat/completions`, { method: 'POST', agent, headers }, (answer) =>
      answer
        .resume()
        .on('end', () => resolve(answer.statusCode))
        .on('error', reject),
    )
    call.on('error', reject).end()
  })

const folder = mkdtempSync(join(tmpdir(), 'dragoman-guesses-'))
let server: ServerProcess
afterEach(async () => {
  agent.destroy()
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
    // After nine wrong keys the next one of a network waits for the longest time, which is 8 s.
    for (let call = 0; call < 3; call++)
      await Promise.all(Array.from({ length: NETWORKS }, (_, network) => guess(network)))
    let refused = 0
    // Each sends the next one when it has its answer, because on a very busy machine the first may be answered before the last are sent.
    const sent = Array.from({ length: NETWORKS * MOST_OF_ONE }, async (_, call) => {
      do if ((await guess(call % NETWORKS)) === 429) refused++
      while (refused === 0)
    })
    await expect.poll(() => refused).toBeGreaterThan(0)
    expect(await statusOf(server, secret, from(250))).toBe(200)
    await Promise.all(sent)
  })
})
