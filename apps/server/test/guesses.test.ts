import { createSecret } from '@dragoman/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import { from, guesses, statusOf } from './guess.ts'
import { startServer, type ServerProcess } from './process.ts'

const KEY = 'sk-of-the-operator-0123456789'

let server: ServerProcess
afterEach(() => server.stop())

describe('a server whose keys are guessed', () => {
  it('does not tell whether a guess of a configured key is right, however many are sent', async () => {
    server = await startServer({ DRAGOMAN_KEYS: KEY, DRAGOMAN_TRUSTED_PROXIES: '127.0.0.1', DRAGOMAN_LOG: 'silent' })
    // After them, each wrong key waits for the longest time.
    for (let call = 0; call < 3; call++)
      expect(await statusOf(server, createSecret(), { ...from(1), ...guesses() })).toBe(401)
    const answers: number[] = []
    const sent = Array.from({ length: 100 }, (_, guess) =>
      statusOf(server, `sk-guess-${guess}`, from(1)).then((status) => answers.push(status)),
    )
    // Eight of them wait.
    await expect.poll(() => answers.length).toBe(92)
    expect(await statusOf(server, KEY, from(1))).toBe(429)
    expect(await statusOf(server, KEY, from(2))).toBe(200)
    expect(await statusOf(server, KEY, from(1))).toBe(200)
    await Promise.all(sent)
    expect(answers.filter((status) => status === 401)).toHaveLength(8)
  })
})
