import { join } from 'node:path'
import { format } from 'node:util'
import { codeBlocks, writeBlock } from '@dragoman/testkit'
import { expect, it, vi } from 'vitest'

// A few values of each law are enough, because this tests the README.
vi.hoisted(() => vi.stubEnv('DRAGOMAN_RUNS', '3'))

// Runs each suite of the testkit's README, on small examples in place of the reader's own code.
const FOLDER = join(import.meta.dirname, '../.vitest/readme-testkit')
const blocks = codeBlocks(join(import.meta.dirname, '../../../packages/testkit/README.md')).map(({ code }) => code)

const MINE = `
import { BEARER, chat, defineProvider, enableProviders } from '@dragoman/core'
const models = [{ name: 'acme-1', input: ['text'], output: ['text'] }]
const environment = { keys: 'ACME_API_KEY', baseURL: 'ACME_BASE_URL' }
const definition = { name: 'acme', issuer: 'acme', baseURL: 'https://api.acme.example/v1', endpoints: { chat: '.' }, auth: BEARER, environment, models }
export const createAcme = (options = {}) => defineProvider(definition, options)
export const fromEnvironment = (variables) => enableProviders(variables, [definition])
export const acme = chat
`
const START = `
import { createServer } from 'node:http'
import { createGateway, createMemoryKeys } from '@dragoman/gateway'
import { createNodeHandler, createUndiciTransport } from '@dragoman/gateway-node'
import { createSim } from '@dragoman/provider-sim'
import { ALLOWED_ORIGIN } from '@dragoman/testkit'
export async function startMine() {
  const key = 'sk-of-my-callers'
  const keys = createMemoryKeys([{ id: 'me', secret: key }])
  const transport = createUndiciTransport()
  const gateway = createGateway({ providers: [createSim()], transport, keys, cors: { origins: [ALLOWED_ORIGIN] } })
  const server = createServer(createNodeHandler(gateway))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = async () => { server.close(); await gateway.close(0); await transport.close() }
  return { url: 'http://127.0.0.1:' + server.address().port, key, stop }
}
`
const SUBJECT = `
import { SUBJECT_OF } from '@dragoman/testkit'
export const acmeSubject = SUBJECT_OF.chat
`

writeBlock(join(FOLDER, 'src/index.ts'), MINE)
writeBlock(join(FOLDER, 'test/start.ts'), START)
writeBlock(join(FOLDER, 'test/subject.ts'), SUBJECT)
const files = blocks.map((code, index) => writeBlock(join(FOLDER, `test/${index}.ts`), code))

it('shows a provider, a protocol, a runtime and a double', () => {
  const suites = blocks.map((code) => /describe\w+|create\w+Double/.exec(code)?.[0])
  expect(suites).toEqual(['describeProvider', 'describeProtocol', 'describeGateway', 'createMessagesDouble'])
})

for (const file of files.slice(0, 3)) await import(/* @vite-ignore */ file)

it('logs what it shows for the double', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  await import(/* @vite-ignore */ files[3] ?? 'no block')
  const output = [...(blocks[3] ?? '').matchAll(/\/\/ → (.*)$/gm)].map(([, text]) => text)
  expect(log.mock.calls.map((values) => format(...values))).toEqual(output)
})
