import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Scenario } from '../scenario.ts'
import { ask } from '../server/ask.ts'
import { NotStartedError } from '../server/start-server.ts'
import { until } from '../server/until.ts'

const SECRET = 'sk-of-the-continuous-integration-0123456789'
const GUESSES = 600
const WITHIN_MS = 3000
/** Five are answered at once, and a few more within three seconds. */
const MOST_ANSWERED = 30

/** The first ones make the address wait. */
const FIRST = 500
/** The right one comes last: those before it take the few that are compared. */
const RIGHT_AT = GUESSES - 1
const ATTACKER = { 'x-forwarded-for': '198.51.100.9' }

export const guessConfiguredKeys: Scenario = {
  name: 'guess-configured-keys',
  attack: 'Somebody guesses keys of the configuration, 600 of them within seconds, and one is right.',
  rule: 'Guesses are slowed as those of stored keys are: the right one is not found, and the key works for others.',
  before: 'all 600 were compared within 3 s, and the right one was served',
  async run({ start, check }) {
    const server = await start({
      config: { keys: [{ name: 'ci', secret: '${CI_KEY}' }], server: { trustedProxies: ['127.0.0.1'] } },
      environment: { CI_KEY: SECRET },
    })
    const statuses = new Map<number, number>()
    const guess = async (index: number): Promise<void> => {
      const secret = index === RIGHT_AT ? SECRET : `sk-guess-${randomBytes(12).toString('hex')}`
      const { status } = await ask(server.url, secret, 'chat', { model: 'house/m-1', headers: ATTACKER })
      statuses.set(index, status)
    }
    const guesses = Array.from({ length: FIRST }, (_, index) => guess(index))
    await until('most guesses to be refused', () => statuses.size > FIRST / 2)
    const rest = Array.from({ length: GUESSES - FIRST }, (_, index) => guess(FIRST + index))
    await pause(WITHIN_MS)
    const answered = [...statuses.values()].filter((status) => status === 401).length
    const { status } = await ask(server.url, SECRET, 'chat', {
      model: 'house/m-2',
      headers: { 'x-forwarded-for': '192.0.2.7' },
    })
    check(
      'guesses are slowed',
      answered <= MOST_ANSWERED,
      `${answered} of ${GUESSES} compared in ${WITHIN_MS / 1000} s`,
    )
    check('the right guess is not served', statuses.get(RIGHT_AT) !== 200, statuses.get(RIGHT_AT) ?? 'waiting')
    check('the key works from elsewhere', status === 200, status)
    await server.kill()
    await Promise.all([...guesses, ...rest])
  },
}

export const shortSecrets: Scenario = {
  name: 'short-secrets',
  attack: 'The secret of a configured key has six characters.',
  rule: 'The server does not start, and names the key and the least length.',
  before: 'it started',
  async run({ start, check }) {
    const config = { keys: [{ name: 'ci', secret: '${CI_KEY}' }] }
    try {
      await start({ config, environment: { CI_KEY: 'abc123' } })
      check('it does not start', false, 'it started')
    } catch (error) {
      if (!(error instanceof NotStartedError)) throw error
      const named = error.lines.find((line) => /keys\.0.*\b\d+ characters/.test(line))
      check(
        'it names the key and the least length, without the secret',
        named !== undefined && !named.includes('abc123'),
        named ?? error.lines.at(-1),
      )
    }
  },
}

/** Enough that more than a thousand guesses wait at the same time, although the first ones wait for a moment only. */
const NETWORKS = 220
const EACH = 13
const VALID = 12
const BETWEEN_MS = 150

export const guessFromManyNetworks: Scenario = {
  name: 'guess-from-many-networks',
  attack:
    'Wrong keys arrive from 220 networks at once, and callers with valid keys that the server has not seen yet call.',
  rule: 'At the global limit wrong keys are refused at once, and valid keys are looked up.',
  before: 'valid keys that were not cached were a 429',
  async run({ start, folder, check }) {
    const data = folder()
    const first = await start({ data })
    const secrets: string[] = []
    for (let key = 0; key < VALID; key++) secrets.push((await first.admin.createKey({ name: 'caller' })).secret)
    // Its cache is empty after a restart.
    await first.stop()
    const server = await start({ data, config: { server: { trustedProxies: ['127.0.0.1'] } } })
    let most = 0
    let pending = 0
    const guess = async (network: number): Promise<void> => {
      most = Math.max(most, ++pending)
      const headers = { 'x-forwarded-for': `10.0.${network}.1` }
      const wrong = `sk-wrong-${randomBytes(12).toString('hex')}`
      await ask(server.url, wrong, 'chat', { model: 'house/m-1', headers })
      pending--
    }
    const guesses = Array.from({ length: NETWORKS * EACH }, (_, index) => guess(index % NETWORKS))
    const statuses: number[] = []
    for (const secret of secrets) {
      await pause(BETWEEN_MS)
      const headers = { 'x-forwarded-for': '192.0.2.7' }
      const { status } = await ask(server.url, secret, 'chat', { model: 'house/m-2', headers })
      statuses.push(status)
    }
    check('many wrong keys arrive at once', most > 1000, most)
    check(
      'valid keys from elsewhere are served',
      statuses.every((status) => status === 200),
      statuses,
    )
    await server.kill()
    await Promise.all(guesses)
  },
}
