import { spawnSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** Rows of text under a heading, with numbers aligned to the right. */
export function formatTable(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) =>
    widths
      .map((width, column) => {
        const cell = row[column] ?? ''
        return /^([\d.]+|–)$/.test(rows[0]?.[column] ?? '') ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  return [`\n${title}`, line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n')
}

/** A table of a document. All columns but the first are aligned to the right. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly (string | number | undefined)[])[],
): string {
  const rules = head.map((_, column) => (column === 0 ? '---' : '--:'))
  return [head, rules, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

export function fixed(value: number | undefined, digits: number): string {
  return value === undefined || !Number.isFinite(value) ? '–' : value.toFixed(digits)
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? (sorted[middle] ?? NaN) : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2
}

/**
 * The upper end of the quickest quarter. Other machines on the same host make this one slower by up to half for seconds, never quicker.
 * The median of all windows depends on how many of them were disturbed; this value hardly does.
 */
export function quickOf(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.floor((sorted.length - 1) / 4)] ?? NaN
}

/** The machine, the date and the commit. Figures from a busy machine are worth less. */
export async function describeMachine(): Promise<string> {
  const load = (loadavg()[0] ?? 0).toFixed(1)
  const { cores, busy } = await lookAtCores()
  const machine = `Node ${process.version}, ${process.platform} ${process.arch}, ${cores} cores`
  return `${machine}, commit ${describeCommit()}; before the start: load ${load}, cores ${Math.round(busy * 100)} % busy`
}

const LOOK_MS = 1000

/** The share of time, over the last second, in which the cores were not idle. */
async function lookAtCores(): Promise<{ readonly cores: number; readonly busy: number }> {
  const look = () => {
    const times = cpus().map(({ times }) => times)
    const sum = (read: (each: (typeof times)[number]) => number) => times.reduce((total, each) => total + read(each), 0)
    return {
      idle: sum(({ idle }) => idle),
      all: sum(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq),
    }
  }
  const before = look()
  await sleep(LOOK_MS)
  const after = look()
  return { cores: cpus().length, busy: 1 - (after.idle - before.idle) / (after.all - before.all) }
}

function describeCommit(): string {
  const git = (...args: string[]): string | undefined => {
    const { status, stdout } = spawnSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' })
    return status === 0 ? stdout.trim() : undefined
  }
  const hash = git('rev-parse', '--short=10', 'HEAD')
  if (hash === undefined) return 'unknown'
  return git('status', '--porcelain', '--untracked-files=no') === '' ? hash : `${hash} with changes`
}
