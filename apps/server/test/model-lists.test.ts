import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSim } from '@dragoman/provider-sim'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAnthropic } from './clients/anthropic.ts'
import { createGenAI } from './clients/genai.ts'
import { createOpenAI } from './clients/openai.ts'
import { startServer, type ServerProcess } from './process.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-lists-'))
const config = join(folder, 'dragoman.config.json')
const keys = [
  { name: 'all', secret: '${KEY_ALL}' },
  { name: 'some', secret: '${KEY_SOME}', models: ['sim/chat-1', 'sim/g*'] },
]
const aliases = { quick: 'sim/chat-1', claude: 'sim/messages-1' }
writeFileSync(config, `${JSON.stringify({ keys, aliases, defaults: { modelLists: 'private' } })}\n`)
const ALL = [...createSim().models.map(({ name }) => `sim/${name}`), 'quick', 'claude']
const SOME = ['sim/chat-1', 'sim/genai-1', 'quick']

let server: ServerProcess
beforeAll(async () => {
  server = await startServer({
    DRAGOMAN_CONFIG: config,
    KEY_ALL: 'sk-all-0123456789abcdef',
    KEY_SOME: 'sk-some-0123456789abcdef',
    DRAGOMAN_LOG: 'silent',
  })
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The names in the lists of all official SDKs. */
async function lists(key: string): Promise<readonly (readonly (string | undefined)[])[]> {
  const address = { url: server.url, key }
  const genai: (string | undefined)[] = []
  for await (const { name } of await createGenAI(address).models.list()) genai.push(name)
  const { data: chat } = await createOpenAI(address).models.list()
  const { data: messages } = await createAnthropic(address).models.list({ limit: 1000 })
  return [chat.map(({ id }) => id), messages.map(({ id }) => id), genai]
}

it('[auth.models.open] model lists have what the key may use, with aliases', async () => {
  expect(await lists('sk-all-0123456789abcdef')).toEqual([ALL, ALL, ALL])
  expect(await lists('sk-some-0123456789abcdef')).toEqual([SOME, SOME, SOME])
  const { models } = createOpenAI({ url: server.url, key: 'sk-some-0123456789abcdef' })
  expect((await models.retrieve('quick')).id).toBe('quick')
  await expect(models.retrieve('claude')).rejects.toMatchObject({ status: 403 })
})

it('model lists are closed to callers without a key if the configuration says so', async () => {
  await expect(lists('sk-wrong')).rejects.toMatchObject({ status: 401 })
  for (const path of ['v1/models', 'anthropic/v1/models', 'vertex-ai/v1beta/models'])
    expect((await fetch(`${server.url}/api/${path}`)).status).toBe(401)
})
