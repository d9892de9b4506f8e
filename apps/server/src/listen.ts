import type { Server } from 'node:http'
import { StartError, type ServerSettings } from './settings.ts'

/** Starts to listen. Returns the address for clients on this machine. */
export function listen(server: Server, { host, port }: Pick<ServerSettings, 'host' | 'port'>): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new StartError(reasonOf(error, host, port))))
    server.listen(port, host, () => {
      const address = server.address()
      const taken = typeof address === 'object' && address !== null ? address.port : port
      resolve(`http://${reachable(host)}:${taken}`)
    })
  })
}

function reasonOf(error: Error, host: string, port: number): string {
  const code = 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return `Port ${port} is taken. Set PORT to another one, or to 0 for any that is free.`
  if (code === 'EACCES') return `Port ${port} may not be opened by this user. Set PORT to another one.`
  return `Could not listen on ${host}:${port}: ${error.message}`
}

/** Clients cannot call an address that means "all interfaces". */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
