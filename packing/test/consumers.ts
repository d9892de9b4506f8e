import { FOLDERS } from './pack.ts'
import type { Project } from './project.ts'
import { guideFiles, readmePrograms } from './readme.ts'

/** Packages that need Node, and Node's types. */
const OF_NODE = ['gateway-node', 'store-postgres', 'store-sqlite', 'testkit']

/** What stands in for the reader's own code in the README of the testkit. */
const MINE: { readonly [file: string]: string } = {
  'src/index.ts': `import { chat } from '@dragoman/core/protocols'
import { BEARER, defineProvider, enableProviders, type Environment, type ProviderDefinition, type ProviderOptions } from '@dragoman/core/provider'
const definition: ProviderDefinition = {
  name: 'acme',
  issuer: 'acme',
  baseURL: 'https://api.acme.example/v1',
  endpoints: { chat: '.' },
  auth: BEARER,
  environment: { keys: 'ACME_API_KEY', baseURL: 'ACME_BASE_URL' },
  models: [{ name: 'acme-1', input: ['text'], output: ['text'] }],
}
export const createAcme = (options: ProviderOptions = {}) => defineProvider(definition, options)
export const fromEnvironment = (variables: Environment) => enableProviders(variables, [definition])
export const acme = chat
`,
  'test/start.ts': `import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGateway, createMemoryKeys } from '@dragoman/gateway'
import { createNodeHandler, createUndiciTransport } from '@dragoman/gateway-node'
import { createSim } from '@dragoman/provider-sim'
import { ALLOWED_ORIGIN, type RunningGateway } from '@dragoman/testkit'
export async function startMine(): Promise<RunningGateway> {
  const key = 'sk-of-my-callers'
  const keys = createMemoryKeys([{ id: 'me', secret: key }])
  const transport = createUndiciTransport()
  const gateway = createGateway({ providers: [createSim()], transport, keys, cors: { origins: [ALLOWED_ORIGIN] } })
  const server = createServer(createNodeHandler(gateway))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = async () => { server.close(); await gateway.close(0); await transport.close() }
  return { url: 'http://127.0.0.1:' + (server.address() as AddressInfo).port, key, stop }
}
`,
  'test/open.ts': `import { createMemoryStore } from '@dragoman/accounts'
import type { StoreSubject } from '@dragoman/testkit/stores'
export const openMine: StoreSubject['open'] = (clock) => createMemoryStore({ clock })
export const connectMine: StoreSubject['connect'] = undefined
`,
  'test/subject.ts': `import { SUBJECT_OF, type Subject } from '@dragoman/testkit'
export const acmeSubject: Subject = SUBJECT_OF['chat'] as Subject
`,
}

/** What is added to the programs of a README, so that somebody asks what they serve, and then they end. */
const REST_OF: { readonly [folder: string]: readonly string[] } = {
  'gateway-node': [
    `
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
await once(server, 'listening')
const served = await fetch('http://127.0.0.1:' + (server.address() as AddressInfo).port + '/api/v1/models')
console.log(await served.text())
server.close()
await gateway.close(0)
await transport.close()
`,
    `
import { createFetchHandler } from '@dragoman/gateway'
const text = 'Hello'.repeat(100_000)
const body = JSON.stringify({ model: 'sim/messages-1', messages: [{ role: 'user', content: text }] })
const headers = { authorization: 'Bearer sk-of-my-callers', 'content-type': 'application/json' }
const asked = new Request('http://gateway/api/v1/chat/completions', { method: 'POST', headers, body })
console.log((await createFetchHandler(gateway)(asked)).status)
await gateway.close(0)
await offload.close()
`,
  ],
}

/** Runs programs, and asks the handler that a program exports for its models. */
const ASK = `for (const file of process.argv.slice(2)) {
  console.log('# ' + file)
  const shown = await import(new URL(file, import.meta.url).href)
  const serve = shown.handler ?? shown.default?.fetch
  if (serve !== undefined) console.log(await (await serve(new Request('http://gateway/api/v1/models'))).text())
}
`

/** A file of the project that holds a program of a README. */
export interface Example {
  readonly folder: string
  readonly file: string
  readonly logs: readonly string[]
}

/** Writes all programs of all READMEs into the project, and the guide's provider. */
export function writeConsumers(project: Project): readonly Example[] {
  project.write('ask.mjs', ASK)
  const examples = FOLDERS.flatMap((folder) =>
    readmePrograms(folder).map(({ code, logs }, index) => {
      const isSuite = folder === 'testkit' && logs.length === 0
      const file = folder === 'testkit' ? `testkit/test/${index}${isSuite ? '.test' : ''}.ts` : `${folder}/${index}.ts`
      project.write(file, code.replace('.listen(8080)', ".listen(0, '127.0.0.1')") + (REST_OF[folder]?.[index] ?? ''))
      return { folder, file, logs }
    }),
  )
  for (const [file, code] of Object.entries(MINE)) project.write(`testkit/${file}`, code)
  for (const { name, code } of guideFiles()) project.write(`guide/${name}`, code)
  const strict = { target: 'ES2024', strict: true, noEmit: true, skipLibCheck: false, exactOptionalPropertyTypes: true }
  const importing = { ...strict, allowImportingTsExtensions: true, noUncheckedIndexedAccess: true }
  const DOM = ['DOM', 'DOM.Iterable', 'DOM.AsyncIterable']
  const settings = [
    ['web-nodenext', ['ES2024', ...DOM], [], 'nodenext', 'nodenext'],
    ['web-bundler', ['ES2024', ...DOM], [], 'esnext', 'bundler'],
    ['node', ['ES2024'], ['node'], 'nodenext', 'nodenext'],
  ] as const
  for (const [name, lib, types, module, moduleResolution] of settings) {
    const folders = FOLDERS.filter((folder) => types.length > 0 || !OF_NODE.includes(folder))
    const include = [...folders, ...(types.length > 0 ? ['guide'] : [])]
    const compilerOptions = { ...importing, lib, types, module, moduleResolution }
    project.write(`tsconfig.${name}.json`, JSON.stringify({ compilerOptions, include }))
  }
  return examples
}

export const CONFIGURATIONS = ['web-nodenext', 'web-bundler', 'node'] as const
