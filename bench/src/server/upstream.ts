import { createServer, type ServerResponse } from 'node:http'
import { protocols, type Protocol, type StreamEvent } from '@dragoman/core'
import { plainResponse } from '../corpus/answers.ts'
import { wireFrames, wireResponse } from '../corpus/wire.ts'

const TOKEN_MS = 20
const STREAM_TOKENS = 3000
const STAMP = '@stamp@'

/**
 * The scripted upstream, a process of its own: `/<protocol>/…` answers in that protocol, at once with about 1.2 KB, or as a
 * stream of 50 tokens a second. Every token is the time it was sent at, so that the reader knows how long it was on its way.
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

/** An answer of a protocol, ready to be sent: a token goes between the two halves of its frame. */
export interface Script {
  readonly whole: Buffer
  readonly wholeHead: { readonly [name: string]: string | number }
  readonly streamHead: { readonly [name: string]: string }
  readonly opening: string
  readonly beforeStamp: string
  readonly afterStamp: string
  readonly ending: string
}

export function createScript(protocol: Protocol): Script {
  const whole = Buffer.from(JSON.stringify(wireResponse(protocol, plainResponse(800))))
  const events: StreamEvent[] = [
    { type: 'start', response: { id: 'bench_1', model: 'bench-model', created: 1_760_000_000 } },
    { type: 'block-start', part: { type: 'text', text: '' } },
    { type: 'block-delta', text: STAMP },
    { type: 'block-end' },
    { type: 'end', candidate: { finish: { reason: 'stop' } }, usage: { input: 40, output: STREAM_TOKENS } },
  ]
  const frames = wireFrames(protocol, events)
  const place = frames.findIndex((frame) => frame.includes(STAMP))
  const [beforeStamp = '', afterStamp = ''] = frames[place]?.split(STAMP) ?? []
  return {
    whole,
    wholeHead: { 'content-type': 'application/json', 'content-length': whole.length },
    streamHead: { 'content-type': protocol.stream.contentType(undefined) },
    opening: frames.slice(0, place).join(''),
    beforeStamp,
    afterStamp,
    ending: frames.slice(place + 1).join(''),
  }
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
