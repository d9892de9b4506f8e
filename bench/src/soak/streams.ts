import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { requestBytes, type Shot } from '../server/shot.ts'

/** Streams that are kept open: if one ends, or its client leaves, another is started. */
export interface Held {
  /** The results since the last call. */
  take(): Taken
  stop(): void
}

export interface Taken {
  /** The delay of each token in milliseconds. */
  readonly delays: readonly number[]
  readonly completed: number
  readonly left: number
  /** Problems, as messages. */
  readonly problems: readonly string[]
}

interface Tally {
  delays: number[]
  completed: number
  left: number
  problems: string[]
}

const STAMP = /~(\d+)~/g
/** One in this many clients leaves in the middle of each of its streams. */
const LEAVING = 20
const LEAVES_AFTER_TOKENS = 150

/** Keeps one stream open per shot. */
export async function holdStreams(shots: readonly Shot[], spreadMs: number): Promise<Held> {
  const tally = emptyTally()
  const slots: { stop(): void }[] = []
  for (const [index, shot] of shots.entries()) {
    slots.push(holdOne(shot, index % LEAVING === 0, tally))
    // Spread over time, so that they do not all send at once.
    if (index % 10 === 9) await sleep((spreadMs * 10) / shots.length)
  }
  return {
    take() {
      const taken = { ...tally }
      Object.assign(tally, emptyTally())
      return taken
    },
    stop() {
      for (const slot of slots) slot.stop()
    },
  }
}

/** An error in a body or as an event. Answers of Responses have a null error if they have not failed. */
const FAILED = /"error"(?!:null)/

function emptyTally(): Tally {
  return { delays: [], completed: 0, left: 0, problems: [] }
}

function holdOne(shot: Shot, leaves: boolean, tally: Tally): { stop(): void } {
  const bytes = requestBytes(shot)
  let stopped = false
  let tokens = 0
  let socket: Socket
  const open = (): void => {
    tokens = 0
    const own = connect(shot.port, '127.0.0.1', () => own.write(bytes))
    socket = own
    own.setNoDelay(true)
    own.on('data', (chunk) => onData(own, chunk))
    own.on('error', (error) => tally.problems.push(error.message))
    own.on('close', () => {
      if (own !== socket || stopped) return
      tally.problems.push('The connection was closed.')
    })
  }
  const onData = (own: Socket, chunk: Buffer): void => {
    if (own !== socket) return
    const now = Number(process.hrtime.bigint() / 1000n)
    const text = chunk.toString('latin1')
    for (const [, sent] of text.matchAll(STAMP)) {
      tokens++
      tally.delays.push((now - Number(sent)) / 1000)
    }
    if (text.startsWith('HTTP/1.1') && !text.startsWith('HTTP/1.1 200')) tally.problems.push(text.slice(0, 300))
    if (FAILED.test(text)) tally.problems.push(text.slice(0, 300))
    if (text.endsWith('\r\n0\r\n\r\n')) {
      tally.completed++
      tokens = 0
      own.write(bytes)
    } else if (leaves && tokens >= LEAVES_AFTER_TOKENS) {
      tally.left++
      open()
      own.destroy()
    }
  }
  open()
  return {
    stop() {
      stopped = true
      socket.destroy()
    },
  }
}

/** Clients that request a stream and never read it. */
export function neverRead(shots: readonly Shot[]): { stop(): void } {
  const sockets = shots.map((shot) => {
    const socket = connect(shot.port, '127.0.0.1', () => socket.write(requestBytes(shot)))
    socket.on('error', () => {})
    return socket
  })
  return {
    stop() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
