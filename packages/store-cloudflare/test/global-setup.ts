import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startWorkerd } from './workerd.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The origin of the worker that all files share. */
    readonly workerd: string
  }
}

/** In memory, where the system has such a folder: tests do not wait for the disk. */
const PARENT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** One workerd for all files: starting it takes longer than most tests. Each test has objects of its own. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(PARENT, 'dragoman-cloudflare-'))
  const { origin, stop } = await startWorkerd(folder)
  provide('workerd', origin)
  return async () => {
    await stop()
    rmSync(folder, { recursive: true, maxRetries: 9 })
  }
}
