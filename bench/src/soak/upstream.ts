import { createServer, type ServerResponse } from 'node:http'
import { protocols } from '@dragoman/core/protocols'
import { createScript, type Script } from '../server/script.ts'

/** Tokens of a stream that ends normally. */
export const STREAM_TOKENS = 300

/** The counters of the upstream. */
export interface UpstreamStats {
  /** Streams that are being sent. */
  readonly open: number
  /** Bytes of floods that callers have received. */
  readonly flooded: number
}

/**
 * An upstream in its own process that answers `/<protocol>/…` by the requested model: `pace-10` sends ten tokens a second, each of
 * them the time at which it was sent; `flood` sends as fast as it is read. `/stats` returns the counters.
 */
export function servePaced(port: number): void {
  const scripts = new Map(protocols.map((protocol) => [protocol.name, createScript(protocol)]))
  const stats = { open: 0, flooded: 0 }
  const server = createServer({ noDelay: true }, (request, response) => {
    const url = request.url ?? '/'
    if (url === '/stats') {
      response.end(JSON.stringify(stats satisfies UpstreamStats))
      return
    }
    const script = scripts.get(url.split('/', 2)[1] ?? '')
    let asked = url
    request.on('data', (chunk: Buffer) => {
      asked += chunk.toString('latin1')
    })
    request.on('end', () => {
      const [, name, pace] = /(flood|pace-(\d+))/.exec(asked) ?? []
      if (script === undefined || name === undefined) {
        response.writeHead(404).end()
        return
      }
      stats.open++
      response.on('close', () => stats.open--)
      response.writeHead(200, script.streamHead)
      if (script.opening !== '') response.write(script.opening)
      if (pace === undefined) flood(response, script, stats)
      else sendPaced(response, script, 1000 / Number(pace))
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(port, '127.0.0.1')
}

function sendPaced(response: ServerResponse, { beforeStamp, afterStamp, ending }: Script, tokenMs: number): void {
  let sent = 0
  const timer = setInterval(() => {
    // The clock of the machine, which all processes share.
    response.write(`${beforeStamp}~${process.hrtime.bigint() / 1000n}~${afterStamp}`)
    if (++sent < STREAM_TOKENS) return
    clearInterval(timer)
    response.end(ending)
  }, tokenMs)
  response.on('close', () => clearInterval(timer))
}

const MUCH = 'lion '.repeat(3200)

/** Uses no promises, because each would leave its listeners behind. */
function flood(response: ServerResponse, script: Script, stats: { flooded: number }): void {
  const token = `${script.beforeStamp}${MUCH}${script.afterStamp}`
  let isFree = true
  const pump = (): void => {
    while (isFree && !response.destroyed) {
      isFree = response.write(token)
      if (isFree) stats.flooded += token.length
    }
  }
  response.on('drain', () => {
    stats.flooded += token.length
    isFree = true
    pump()
  })
  pump()
}
