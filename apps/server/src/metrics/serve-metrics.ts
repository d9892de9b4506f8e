import type { Server } from 'node:http'
import { listen } from '../listen.ts'
import type { Metrics } from './metrics.ts'
import type { ServerSettings } from '../settings.ts'

/** Serves /metrics on its own port. Returns its address. */
export async function serveMetrics(
  metrics: Metrics,
  settings: NonNullable<ServerSettings['metrics']>,
): Promise<string> {
  const { createServer } = process.getBuiltinModule('node:http')
  const server: Server = createServer((request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (request.url?.split('?')[0] !== '/metrics' || !isRead) {
      response.writeHead(isRead ? 404 : 405, { 'content-type': 'text/plain' }).end('Metrics are at GET /metrics.\n')
      return
    }
    try {
      const text = metrics.text()
      response.writeHead(200, { 'content-type': metrics.contentType }).end(text)
    } catch {
      // Prometheus notes that it got no answer.
      response.destroy()
    }
  })
  const url = await listen(server, settings)
  // Metrics alone do not keep the process alive.
  server.unref()
  return `${url}/metrics`
}
