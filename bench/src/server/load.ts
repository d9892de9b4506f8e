import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** One call over and over, as bytes: nothing is built or parsed twice. */
export interface Shot {
  readonly port: number
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

export interface Load {
  readonly count: number
  readonly seconds: number
}

/** Calls on a number of kept-alive connections, each one call after another, for a while. */
export async function callRepeatedly(shot: Shot, connections: number, milliseconds: number): Promise<Load> {
  const bytes = requestBytes(shot)
  const start = performance.now()
  const end = start + milliseconds
  const counts = await Promise.all(
    Array.from({ length: connections }, () => callOnOne(shot.port, bytes, () => performance.now() < end)),
  )
  return { count: counts.reduce((sum, count) => sum + count, 0), seconds: (performance.now() - start) / 1000 }
}

/** One call; the text of its answer. */
export async function callOnce({ port, path, headers, body }: Shot): Promise<string> {
  const all = { 'content-type': 'application/json', ...headers }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers: all, body })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`Status ${answer.status}: ${text.slice(0, 600)}`)
  return text
}

function callOnOne(port: number, bytes: Buffer, goesOn: () => boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0
    const reader = createAnswerReader((problem) => {
      if (problem !== undefined) {
        socket.destroy()
        return reject(problem)
      }
      count++
      if (goesOn()) return void socket.write(bytes)
      socket.destroy()
      resolve(count)
    })
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.setNoDelay(true)
    socket.on('data', reader)
    socket.on('error', reject)
    socket.on('end', () => reject(new Error('The connection ended in the middle.')))
  })
}

/** Finds the ends of answers; says what is wrong when one is no success. */
function createAnswerReader(onAnswer: (problem?: Error) => void): (chunk: Buffer) => void {
  let waiting: Buffer | undefined
  return (chunk) => {
    const bytes = waiting === undefined ? chunk : Buffer.concat([waiting, chunk])
    const length = answerLength(bytes)
    waiting = length === undefined || bytes.length < length ? bytes : undefined
    if (waiting !== undefined) return
    const ok = bytes.subarray(0, 12).toString('latin1') === 'HTTP/1.1 200'
    onAnswer(ok ? undefined : new Error(`Not a success: ${bytes.subarray(0, 600).toString()}`))
  }
}

/** Bytes of the answer that begins here, as far as one can tell. */
function answerLength(bytes: Buffer): number | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = bytes.subarray(0, headEnd).toString('latin1').toLowerCase()
  const [, length] = /\r\ncontent-length: (\d+)/.exec(head) ?? []
  if (length !== undefined) return headEnd + 4 + Number(length)
  const end = bytes.indexOf('\r\n0\r\n\r\n', headEnd)
  return end < 0 ? undefined : end + 7
}

/** The call as it goes over the wire. */
export function requestBytes({ port, path, headers, body }: Shot): Buffer {
  const all = { host: `127.0.0.1:${port}`, 'content-type': 'application/json', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = Buffer.byteLength(body)
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}content-length: ${length}\r\n\r\n${body}`)
}

/** Streams that are being read. */
export interface Reading {
  tokens(): number
  stop(): void
}

const STAMP = /~\d+~/g

/** Opens streams one after another, and reads them all. */
export async function readStreams(shot: Shot, streams: number): Promise<Reading> {
  const bytes = requestBytes(shot)
  const sockets: Socket[] = []
  let tokens = 0
  let problem: Error | undefined
  const onData = (chunk: Buffer): void => {
    const text = chunk.toString('latin1')
    tokens += text.match(STAMP)?.length ?? 0
    if (text.startsWith('HTTP/1.1') && !text.startsWith('HTTP/1.1 200')) problem = new Error(text.slice(0, 600))
  }
  for (let i = 0; i < streams; i++) {
    const socket = connect(shot.port, '127.0.0.1')
    socket.setNoDelay(true)
    socket.on('data', onData).on('error', (error) => (problem ??= error))
    socket.write(bytes)
    sockets.push(socket)
    // Spread over more than one token's time, so that they do not all speak at once.
    if (i % 5 === 4) await sleep(3)
  }
  return {
    tokens() {
      if (problem !== undefined) throw problem
      return tokens
    },
    stop() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
