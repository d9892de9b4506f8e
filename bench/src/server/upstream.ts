import { createServer, type ServerResponse } from 'node:http'
import { protocols } from '@dragoman/core/protocols'
import { createScript, STREAM_TOKENS, STREAM_TOKENS_PER_SECOND, type Script } from './script.ts'

const TOKEN_MS = 1000 / STREAM_TOKENS_PER_SECOND

/**
 * The scripted upstream on Node, for machines without a C compiler and for a profiler. `/<protocol>/…` answers in that protocol, at
 * once with about 1.2 KB, or with a stream of 50 tokens a second. Every token is the time at which it was sent.
 */
export function serveUpstream(port: number): void {
  const scripts = new Map(protocols.map((protocol) => [protocol.name, createScript(protocol)]))
  const server = createServer({ noDelay: true }, (request, response) => {
    const url = request.url ?? '/'
    const script = scripts.get(url.split('/', 2)[1] ?? '')
    let stream = url.includes(':stream')
    request.on('data', (chunk: Buffer) => {
      stream ||= chunk.length < 4096 && chunk.includes('"stream":true')
    })
    request.on('end', () => {
      if (script === undefined) response.writeHead(404).end()
      else if (stream) sendStream(response, script)
      else response.writeHead(200, script.wholeHead).end(script.whole)
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(port, '127.0.0.1')
}

function sendStream(response: ServerResponse, { streamHead, opening, beforeStamp, afterStamp, ending }: Script): void {
  response.writeHead(200, streamHead)
  if (opening !== '') response.write(opening)
  let sent = 0
  const timer = setInterval(() => {
    // The clock of the machine, which all processes share.
    response.write(`${beforeStamp}~${process.hrtime.bigint() / 1000n}~${afterStamp}`)
    if (++sent === STREAM_TOKENS) response.end(ending)
  }, TOKEN_MS)
  response.on('close', () => clearInterval(timer))
}
