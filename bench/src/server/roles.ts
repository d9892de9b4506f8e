import { SERVER_SCRIPT, serverEnvironment, temporaryFolder } from './gateway.ts'

/** The roles of a process of the benchmark. */
export type Role = 'upstream' | 'relay' | 'dispatch' | 'gateway' | 'paced'

type Serve = (port: number, upstreamPort: number) => void | Promise<void>

/** Loaded one by one, so that a server under test has nothing unnecessary in memory. */
const SERVE_OF: { readonly [role in Role]: () => Promise<Serve> } = {
  upstream: async () => (await import('./upstream.ts')).serveUpstream,
  relay: async () => (await import('./node-relay.ts')).serveNodeRelay,
  dispatch: async () => (await import('./dispatch-relay.ts')).serveDispatchRelay,
  gateway: async () => serveGateway,
  paced: async () => (await import('../soak/upstream.ts')).servePaced,
}

/** Serves until the process is ended. */
export async function serveRole(role: string, port: number, upstreamPort: number): Promise<void> {
  const [, load] = Object.entries(SERVE_OF).find(([name]) => name === role) ?? []
  if (load === undefined) throw new Error(`Unknown server ${role}. Servers: ${Object.keys(SERVE_OF).join(', ')}.`)
  const serve = await load()
  await serve(port, upstreamPort)
}

/** The real server in this process, for a profiler. */
async function serveGateway(port: number, upstreamPort: number): Promise<void> {
  const environment = serverEnvironment(upstreamPort, ['bench-model'], temporaryFolder())
  for (const [name, value] of Object.entries({ ...environment, PORT: String(port) })) process.env[name] = value
  await import(SERVER_SCRIPT)
}
