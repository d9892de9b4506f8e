import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const MAIN = join(import.meta.dirname, '../../apps/server/src/main.ts')

/** The key of every client. */
export const KEY = 'sk-client-of-the-suite'

export interface Server {
  readonly url: string
  stop(): Promise<void>
}

/** Starts the server as `npm start` does, on a free port and with its own data folder. */
export async function startServer(environment: { readonly [name: string]: string }): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-clients-server-'))
  const child = spawn(process.execPath, [MAIN], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DRAGOMAN_DATA: folder,
      DRAGOMAN_KEYS: KEY,
      DRAGOMAN_OLLAMA: 'off',
      DRAGOMAN_LOG: 'silent',
      DRAGOMAN_DRAIN_SECONDS: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, found] = /listens on (\S+)/.exec(line) ?? []
      if (found !== undefined) resolve(found)
    })
    void exited.then(() => reject(new Error('The server ended before it was ready.')))
  })
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
