import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { chat, messages, named, serve, type Dialogue } from './endpoint.ts'
import { scriptedUpstream } from './upstream.ts'

const SSE = { 'content-type': 'text/event-stream' }
const DIALOGUES = [chat, messages].map((dialogue): [string, Dialogue] => [dialogue.protocol, dialogue])

/** A client that writes HTTP by hand, and sees how its connection ends. */
function open(url: string): Socket & { readonly seen: () => string } {
  const { hostname, port } = new URL(url)
  const chunks: Buffer[] = []
  const socket = connect(Number(port), hostname).on('data', (chunk: Buffer) => chunks.push(chunk))
  return Object.assign(socket, { seen: () => Buffer.concat(chunks).toString() })
}

function requestOf({ path, headers, body }: Dialogue): string {
  const text = body('acme/org/m:1.5', true)
  const fields = { host: 'gateway', ...headers, 'content-length': String(Buffer.byteLength(text)) }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`
}

/** The body of a chunked answer, and whether it has the chunk that ends it. */
function readChunked(answer: string): { readonly text: string; readonly isComplete: boolean } {
  let rest = answer.slice(answer.indexOf('\r\n\r\n') + 4)
  let text = ''
  for (;;) {
    const size = Number.parseInt(rest, 16)
    if (!(size > 0)) return { text, isComplete: size === 0 }
    const start = rest.indexOf('\r\n') + 2
    text += rest.slice(start, start + size)
    rest = rest.slice(start + size + 2)
  }
}

describe.each(DIALOGUES)('a stream of %s', (name, dialogue) => {
  const [first = ''] = dialogue.frames
  const passed = named(first)

  it('that breaks off has its error, then the end of the connection, and no terminating chunk [err.midstream] (trap 74)', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, [name])
    const socket = open(server.url)
    socket.write(requestOf(dialogue))
    const { response } = await upstream.next()
    response.writeHead(200, SSE).write(first, () => response.destroy())
    // An ended connection; a reset one would be an error, and `once` would reject.
    await once(socket, 'end')
    const { text, isComplete } = readChunked(socket.seen())
    expect(socket.seen()).toMatch(/^HTTP\/1\.1 200 /)
    expect(text.slice(0, passed.length)).toBe(passed)
    expect(text.slice(passed.length)).toMatch(dialogue.errorFrame)
    expect(isComplete).toBe(false)
    expect(server.ledger.records).toMatchObject([{ outcome: 'interrupted' }])
  })

  it('that breaks off is delivered whole to a client that reads late (trap 74)', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, [name])
    const socket = open(server.url)
    socket.pause()
    socket.write(requestOf(dialogue))
    const { response } = await upstream.next()
    const long = `: ${'x'.repeat(200_000)}\n\n`
    response.writeHead(200, SSE).write(first + long, () => response.destroy())
    await expect.poll(() => server.ledger.records).toMatchObject([{ outcome: 'interrupted' }])
    socket.resume()
    await once(socket, 'end')
    const { text, isComplete } = readChunked(socket.seen())
    expect(text.slice(0, passed.length + long.length)).toBe(passed + long)
    expect(text.slice(passed.length + long.length)).toMatch(dialogue.errorFrame)
    expect(isComplete).toBe(false)
  })

  it('that is complete leaves the connection to the next call', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, [name])
    const socket = open(server.url)
    for (const count of [1, 2]) {
      socket.write(requestOf(dialogue))
      const { response } = await upstream.next()
      response.writeHead(200, SSE).end(dialogue.frames.join(''))
      await expect.poll(() => socket.seen().split('\r\n0\r\n\r\n').length - 1).toBe(count)
    }
    expect(socket.seen().match(/HTTP\/1\.1 200 /g)).toHaveLength(2)
    socket.destroy()
  })

  it('that breaks off behind another answer of the connection is delivered after it (trap 74)', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, [name])
    const socket = open(server.url)
    const end = once(socket, 'end')
    // One after the other: two upstream calls at once may arrive in any order.
    socket.write(requestOf(dialogue))
    const one = await upstream.next()
    socket.write(requestOf(dialogue))
    const two = await upstream.next()
    one.response.writeHead(200, SSE).write(first)
    two.response.writeHead(200, SSE).write(first, () => two.response.destroy())
    await expect.poll(() => server.ledger.records).toMatchObject([{ outcome: 'interrupted' }])
    one.response.end(dialogue.frames.slice(1).join(''))
    await end
    const [before = '', after = ''] = socket.seen().split('\r\n0\r\n\r\n')
    expect(readChunked(`${before}\r\n0\r\n\r\n`)).toEqual({ text: named(dialogue.frames.join('')), isComplete: true })
    const { text, isComplete } = readChunked(after)
    expect(text.slice(passed.length)).toMatch(dialogue.errorFrame)
    expect(isComplete).toBe(false)
  })
})
