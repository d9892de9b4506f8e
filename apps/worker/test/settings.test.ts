import { describe, expect, it } from 'vitest'
import { readSettings } from '../src/settings.ts'
import { startWorker } from './workerd.ts'

const SECRET = 'canary-secret'
const LONG = 'a key of at least 32 characters for tests'

function mistakesOf(environment: { readonly [name: string]: string }): readonly string[] {
  const mistakes: string[] = []
  readSettings(environment, mistakes)
  return mistakes
}

describe('the settings of a worker', () => {
  it.each([
    ['DRAGOMAN_UNSUPPORTED_FIELDS', 'refused', 'must be one of accept, refuse; did you mean "refuse"?'],
    ['DRAGOMAN_MODEL_LISTS', 'Private', 'must be one of public, private; did you mean "private"?'],
    ['DRAGOMAN_RELAYED_STREAMS', 'true', 'must be one of exact, untouched'],
    ['DRAGOMAN_DOWNLOADS', 'false', 'must be one of on, off'],
    ['DRAGOMAN_ITEM_MEMORY', 'offf', 'must be one of on, off; did you mean "off"?'],
    ['DRAGOMAN_SIM', 'yes', 'must be one of off, on'],
    ['DRAGOMAN_STORE_LOSS', 'server', 'must be one of refuse, serve; did you mean "serve"?'],
    ['DRAGOMAN_KEEP_RECORDS', '90d', 'must be a whole number of days from 1 to 99999'],
    ['DRAGOMAN_KEEP_HOURS', '0', 'must be a whole number of days from 1 to 99999'],
    ['DRAGOMAN_KEEP_AUDIT', '-1', 'must be a whole number of days from 1 to 99999'],
    ['DRAGOMAN_SEALING_KEYS', SECRET, 'must have at least 32 characters'],
    ['DRAGOMAN_SEALING_KEYS', `${LONG},${SECRET}`, 'must have at least 32 characters in each key'],
    ['DRAGOMAN_ADMIN_KEY', SECRET, 'must have at least 32 characters'],
    ['DRAGOMAN_PUBLIC_URL', `ftp://${SECRET}`, 'must be an http or https URL'],
    ['DRAGOMAN_KEY', SECRET, 'is unknown; did you mean "DRAGOMAN_KEYS"?'],
    ['DRAGOMAN_MODEL_LIST', 'private', 'is unknown; did you mean "DRAGOMAN_MODEL_LISTS"?'],
    ['DRAGOMAN_OPENAI_MODEL', 'm', 'is unknown; did you mean "DRAGOMAN_OPENAI_MODELS"?'],
    ['DRAGOMAN_GRACE_SECONDS', '5', 'is unknown'],
  ])('are refused by name: %s=%s', (name, value, reason) => {
    const mistakes = mistakesOf({ [name]: value })
    expect(mistakes).toEqual([`${name} ${reason}`])
    expect(mistakes.join()).not.toContain('canary')
  })

  it('are all read, and those that are empty or of others are not', () => {
    const mistakes: string[] = []
    const settings = readSettings(
      {
        DRAGOMAN_KEYS: 'one, two',
        DRAGOMAN_SEALING_KEYS: `${LONG},${LONG}`,
        DRAGOMAN_MODEL_LISTS: 'private',
        DRAGOMAN_KEEP_HOURS: '30',
        DRAGOMAN_DOWNLOADS: '',
        DRAGOMAN_COMPATIBLE: 'house',
        DRAGOMAN_HOUSE_BASE_URL: 'https://house.example',
        DRAGOMAN_GROQ_MODELS: 'm',
        UNRELATED: 'x',
      },
      mistakes,
    )
    expect(mistakes).toEqual([])
    expect(settings).toMatchObject({
      keys: ['one', 'two'],
      sealingKeys: [LONG, LONG],
      modelLists: 'private',
      keepHours: 30,
      keepRecords: undefined,
      downloads: 'on',
      sim: 'off',
      onStoreLoss: 'refuse',
    })
  })
})

describe('a worker with wrong settings', () => {
  it('answers every call with all of them, in the shape of its protocol, and serves nothing', async () => {
    const worker = await startWorker({
      DRAGOMAN_KEYS: 'sk-valid-of-the-worker',
      DRAGOMAN_SIM: 'on',
      DRAGOMAN_MODEL_LISTS: 'privat',
      DRAGOMAN_SEALING_KEYS: SECRET,
      DRAGOMAN_PROT: '1',
      OPENAI_BASE_URL: `ftp://${SECRET}`,
    })
    const ask = async (path: string, method = 'POST'): Promise<readonly [number, string]> => {
      const headers = { authorization: 'Bearer sk-valid-of-the-worker', 'content-type': 'application/json' }
      const answer = await fetch(worker.url + path, { method, headers, body: method === 'GET' ? null : '{}' })
      return [answer.status, await answer.text()]
    }
    const answers = [
      await ask('/api/v1/chat/completions'),
      await ask('/v1/messages'),
      await ask('/v1beta/models/m:generateContent'),
      await ask('/v1/models', 'GET'),
      await ask('/admin/v1/keys', 'GET'),
      await ask('/api/v1/generation?id=1', 'GET'),
    ]
    await worker.stop()
    for (const [status, text] of answers) {
      expect(status).toBe(503)
      expect(text).toContain('DRAGOMAN_MODEL_LISTS must be one of public, private')
      expect(text).toContain('DRAGOMAN_SEALING_KEYS must have at least 32 characters')
      expect(text).toContain('DRAGOMAN_PROT is unknown')
      expect(text).toContain('must be an http or https URL')
      expect(text).not.toContain('canary')
    }
    const [chat, messages, genai] = answers.map(([, text]) => JSON.parse(text) as unknown)
    expect(chat).toMatchObject({ error: { type: expect.any(String) as string, param: null } })
    expect(messages).toMatchObject({ type: 'error', error: { type: expect.any(String) as string } })
    expect(genai).toMatchObject({ error: { code: 503, status: 'UNAVAILABLE' } })
  })
})
