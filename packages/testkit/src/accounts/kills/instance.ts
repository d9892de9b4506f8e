import { createServer } from 'node:http'
import { flushCompileCache } from 'node:module'
import type { AddressInfo } from 'node:net'
import { createAccounts, type Awaitable, type BatchResult, type Store } from '@dragoman/accounts'
import { readContent, usd, type Provider } from '@dragoman/core/provider'
import { createGateway, type Stage } from '@dragoman/gateway'
import { createNodeHandler, createUndiciTransport } from '@dragoman/gateway-node'

/** How long the store waits for a sign of life of an instance: short, because tests wait for it. */
export const TTL_MS = 3000

/** A message from an instance to the test. */
export type InstanceMessage =
  | { readonly port: number }
  /** The store had given up this instance, and it has returned. */
  | { readonly returned: true }
  | { readonly failed: string }

/** A message from the test to an instance: it ends in order, or stops like a machine that is suspended. */
export type InstanceOrder = 'close' | 'stop'

/**
 * Runs a gateway with accounts in this process, which the test has forked: the arguments are the addresses of the store and of the
 * upstream. `open` opens the store at its address.
 */
export async function runInstance(open: (address: string) => Awaitable<Store>): Promise<void> {
  const [address = '', upstream = ''] = process.argv.slice(2)
  process.on('disconnect', () => process.exit())
  const store = await open(address)
  const link = { isLossy: true }
  const accounts = createAccounts({
    store: watched(store, link),
    schedule: setImmediate,
    ttlMs: TTL_MS,
    onFailed: (thrown) => report({ failed: String(thrown) }),
  })
  const transport = createUndiciTransport()
  const gateway = createGateway({
    providers: [provider('acme', upstream), provider('other', upstream)],
    aliases: { pool: { routes: ['acme/m', 'other/m'] } },
    transport,
    keys: accounts.keys,
    stages: [...accounts.stages, mark],
  })
  const server = createServer(createNodeHandler(gateway))
  const close = async (): Promise<void> => {
    // An instance that loses the last answer of the store ends with an error.
    link.isLossy = false
    server.close()
    await gateway.close(0)
    await accounts.close()
    await transport.close()
    await store.close()
    process.exit()
  }
  process.on('message', (order: InstanceOrder) => {
    if (order === 'close') void close()
    // The process stops itself between two turns of the event loop: another process could stop it while it has locked a file.
    else process.kill(process.pid, 'SIGSTOP')
  })
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo // it listens on a port
    report({ port })
    // Usually the cache is written at the end of a process, which a kill prevents.
    flushCompileCache()
  })
}

function report(message: InstanceMessage): void {
  process.send?.(message)
}

/** One of this many answers of the store is lost on the way: the instance sends the batch again, and nothing may count twice. */
const LOST = 8

/** Tells the test when the store had given up this instance. Some of its answers are lost. */
function watched(store: Store, link: { readonly isLossy: boolean }): Store {
  let isKnown = false
  let count = 0
  const see = (result: BatchResult): BatchResult => {
    if (result.isNew && isKnown) report({ returned: true })
    isKnown = true
    if (++count % LOST === 0 && link.isLossy) throw new Error('The answer of the store was lost.')
    return result
  }
  return {
    ...store,
    commit(batch) {
      const result = store.commit(batch)
      return result instanceof Promise ? result.then(see) : see(result)
    },
  }
}

/** Tells the upstream which call this is, and what it is expected to cost. */
const mark: Stage = {
  beforeCall(call) {
    const id = call.requestId.slice('req_'.length)
    const estimate = String(call.estimate().nanos)
    call.addUpstreamHeaders({ 'x-call': id, 'x-estimate': estimate, 'x-instance': String(process.pid) })
  },
}

function provider(name: string, upstream: string): Provider {
  const prices = usd({ prompt: 1, completion: 10 })
  return {
    name,
    models: [{ name: 'm', input: ['text'], output: ['text'], prices }],
    protocols: ['chat'],
    call: (_protocol, target, { headers, body, deadlines }) => ({
      url: upstream + target.path,
      method: 'POST',
      headers: { ...headers, ...target.headers },
      body: readContent(target, body).bytes,
      deadlines,
    }),
  }
}
