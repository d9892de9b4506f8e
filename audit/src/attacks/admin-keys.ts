import type { Scenario } from '../scenario.ts'
import { createAdmin } from '../server/admin.ts'
import { ask } from '../server/ask.ts'
import { NotStartedError } from '../server/start-server.ts'

const SECRET = 'sk-of-an-operator-0123456789abcdef0123'

export const adminWords: Scenario = {
  name: 'admin-words',
  attack: 'A key of the configuration with `admin: true`, "may explain calls to all models", makes keys.',
  rule: 'A key that may explain may not make keys: there are separate words, and the old one is a named mistake or does not make keys.',
  before: 'it made a key with all rights: 201',
  async run({ start, check }) {
    const keys = [{ name: 'operator', secret: '${OPERATOR_KEY}', admin: true }]
    try {
      const server = await start({ config: { keys }, environment: { OPERATOR_KEY: SECRET } })
      const { status } = await createAdmin(server.url, () => SECRET).ask('POST', '/keys', { name: 'minted' })
      check('it makes no keys', status === 403, status)
    } catch (error) {
      if (!(error instanceof NotStartedError)) throw error
      const named = error.lines.filter((line) => line.includes('keys.0.admin'))
      check('the word is a named mistake', named.length === 1, named[0] ?? error.lines.at(-1))
    }
  },
}

export const adminCallsModels: Scenario = {
  name: 'admin-calls-models',
  attack: 'The first admin key calls a model.',
  rule: 'It manages keys and usage, and cannot call models unless asked for.',
  before: 'the call was served: 200',
  async run({ start, upstream, check }) {
    const server = await start()
    const { status } = await ask(server.url, server.adminSecret(), 'chat', { model: 'house/m-1' })
    check('the call is refused', status === 403, status)
    check('the upstream does not get it', upstream.entries.length === 0, upstream.entries.length)
  },
}

export const mistypedAdminKey: Scenario = {
  name: 'mistyped-admin-key',
  attack: 'An administrator mistypes one character of the key.',
  rule: 'The answer is 401.',
  before: 'the answer was 503',
  async run({ start, check }) {
    const server = await start()
    const secret = server.adminSecret()
    const last = secret.endsWith('a') ? 'b' : 'a'
    for (const typed of [secret.slice(0, -1) + last, secret.slice(0, -1), `${secret}x`, secret.toUpperCase()]) {
      const { status } = await createAdmin(server.url, () => typed).ask('GET', '/keys')
      check('a mistyped key is a 401', status === 401, status)
    }
    const { status } = await server.admin.ask('GET', '/keys')
    check('the right key works', status === 200, status)
  },
}
