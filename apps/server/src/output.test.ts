import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'

/** Another process that writes numbered lines of 300 characters to its standard output, and says on the other one how far it is. */
function startWriter(lines: number, ending: string) {
  const script = `
    const { createOutput } = await import(${JSON.stringify(join(import.meta.dirname, 'output.ts'))})
    const leftOut = (lines) => JSON.stringify({ leftOut: lines }) + '\\n'
    const output = createOutput({ descriptor: process.stdout.fd, leftOut })
    for (let i = 0; i < ${lines}; i++) {
      output.write(JSON.stringify({ i, fill: 'x'.repeat(280) }) + '\\n')
      if (i % 1000 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    process.stderr.write('written')
    ${ending}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  return { child, written: once(child.stderr, 'data'), exited: once(child, 'exit') }
}

type Line = { readonly i?: number; readonly leftOut?: number }

function read(all: string): readonly Line[] {
  expect(all.endsWith('\n')).toBe(true)
  return all
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

describe('output', () => {
  it('writes every line, whole and in order', async () => {
    const { child } = startWriter(10_000, 'await output.flush(); process.exit(0)')
    const lines = read(await text(child.stdout))
    expect(lines.map(({ i }) => i)).toEqual(Array.from({ length: 10_000 }, (_, i) => i))
  })

  it('leaves lines out while nobody reads, and says how many', async () => {
    const { child, written } = startWriter(60_000, 'await output.flush(); process.exit(0)')
    await written
    const lines = read(await text(child.stdout))
    const leftOut = lines.reduce((sum, line) => sum + (line.leftOut ?? 0), 0)
    const kept = lines.filter(({ i }) => i !== undefined)
    // 4 MB wait at most, beside what the pipe and the lump under way hold.
    expect(kept.length).toBeLessThan(20_000)
    expect(kept.length + leftOut).toBe(60_000)
    expect(kept.map(({ i }) => i)).toEqual(Array.from(kept, (_, i) => i))
  })

  it('does not keep a process from ending when nobody reads', async () => {
    const { exited } = startWriter(60_000, 'await output.flush(); process.exit(3)')
    expect((await exited)[0]).toBe(3)
  })

  it('writes what is there when a process ends at once', async () => {
    const { child } = startWriter(10, 'output.flushNow(); process.exit(0)')
    expect(read(await text(child.stdout))).toHaveLength(10)
  })
})
