import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'

/** Another process that writes numbered lines of 300 characters to standard output, and reports its progress on standard error. */
function startWriter(lines: number, ending: string, fill = `'x'.repeat(280)`) {
  const script = `
    const { createOutput } = await import(${JSON.stringify(join(import.meta.dirname, 'output.ts'))})
    const leftOut = (lines) => JSON.stringify({ leftOut: lines }) + '\\n'
    const output = createOutput({ descriptor: process.stdout.fd, leftOut })
    for (let i = 0; i < ${lines}; i++) {
      output.write(JSON.stringify({ i, fill: ${fill} }) + '\\n')
      if (i % 1000 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    process.stderr.write('written')
    ${ending}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  return { child, written: once(child.stderr, 'data'), exited: once(child, 'exit') }
}

type Line = { readonly i?: number; readonly leftOut?: number; readonly fill?: string }

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

  it('writes lines of any characters and any length', async () => {
    const fill = `['é'.repeat(700), '😀', 'x'.repeat(90_000), '語'.repeat(30_000)][i % 4]`
    const { child } = startWriter(40, 'await output.flush(); process.exit(0)', fill)
    const lines = read(await text(child.stdout))
    const fills = ['é'.repeat(700), '😀', 'x'.repeat(90_000), '語'.repeat(30_000)]
    expect(lines.map(({ i }) => i)).toEqual(Array.from({ length: 40 }, (_, i) => i))
    expect(lines.filter((line, i) => line.fill !== fills[i % 4])).toHaveLength(0)
  })

  it('omits lines while nothing reads, and says how many', async () => {
    const { child, written } = startWriter(60_000, 'await output.flush(); process.exit(0)')
    await written
    const lines = read(await text(child.stdout))
    const leftOut = lines.reduce((sum, line) => sum + (line.leftOut ?? 0), 0)
    const kept = lines.filter(({ i }) => i !== undefined)
    // At most 4 MB are buffered, in addition to the pipe and the current write.
    expect(kept.length).toBeLessThan(20_000)
    expect(kept.length + leftOut).toBe(60_000)
    expect(kept.map(({ i }) => i)).toEqual(Array.from(kept, (_, i) => i))
  })

  it('does not keep a process from exiting when nothing reads', async () => {
    const { exited } = startWriter(60_000, 'await output.flush(); process.exit(3)')
    expect((await exited)[0]).toBe(3)
  })

  it('writes the buffered lines when a process exits at once', async () => {
    const { child } = startWriter(10, 'output.flushNow(); process.exit(0)')
    expect(read(await text(child.stdout))).toHaveLength(10)
  })
})
