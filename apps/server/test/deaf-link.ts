import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A link to PostgreSQL that can break at the worst moment: after the database has opened a call, and before it can say so. */
export interface DeafLink {
  /** The folder of its socket. */
  readonly host: string
  /** Loses the next answer to a batch that opens calls, and everything after it. */
  breakAfterOpening(): void
  mend(): void
  close(): Promise<void>
}

/** The name that clients of PostgreSQL look for in the folder. */
const SOCKET = '.s.PGSQL.5432'
/** In the text of a batch. */
const OPENING = '"openings":[{'

export async function startDeafLink(target: string): Promise<DeafLink> {
  const host = mkdtempSync(join(tmpdir(), 'dragoman-link-'))
  let state: 'whole' | 'breaking' | 'broken' = 'whole'
  const sockets = new Set<Socket>()
  const breakAll = (): void => {
    state = 'broken'
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer((client) => {
    if (state === 'broken') {
      client.destroy()
      return
    }
    const database = createConnection(join(target, SOCKET))
    let isOpening = false
    client.on('data', (chunk) => {
      isOpening ||= state === 'breaking' && chunk.includes(OPENING)
      database.write(chunk)
    })
    // The answer means that it is committed.
    database.on('data', (chunk) => (isOpening ? breakAll() : client.write(chunk)))
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  server.listen(join(host, SOCKET))
  await once(server, 'listening')
  return {
    host,
    breakAfterOpening() {
      state = 'breaking'
    },
    mend() {
      state = 'whole'
    },
    async close() {
      breakAll()
      server.close()
      await once(server, 'close')
      rmSync(host, { recursive: true, force: true })
    },
  }
}
