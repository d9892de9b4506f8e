import { basename, dirname, join } from 'node:path'
import type { Batch } from '../graph/order.ts'
import { ROOT } from '../sources.ts'
import { LIMITS } from './limits.ts'
import { runBatches } from './run-batches.ts'

/** A limited run ends this long after its start, so that the whole command takes less than a minute. */
const LIMIT_SECONDS = 56

/** Runs tests that were chosen by files, for at most a minute if there can be many, and says what it did not run. */
export async function runSelected(
  batches: readonly Batch[],
  { extra, isLimited }: { readonly extra: readonly string[]; readonly isLimited: boolean },
): Promise<number> {
  const count = batches.reduce((sum, { tests }) => sum + tests.length, 0)
  console.log(`${files(count)}${isLimited ? `, nearest first, for at most a minute` : ''}`)
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopped.abort())
  const { ended, failed, notRun } = await runBatches(batches, {
    extra,
    signal: stopped.signal,
    limits: LIMITS,
    until: isLimited ? Date.now() - performance.now() + LIMIT_SECONDS * 1000 : undefined,
    quietMs: 10_000,
    log: join(ROOT, 'node_modules/.cache/checks/logs/t.log'),
    print: (text) => console.log(text),
  })
  const sum = (kind: 'passed' | 'failed'): number => ended.reduce((total, file) => total + file[kind], 0)
  if (notRun.length > 0) console.log(['', `NOT RUN: ${files(notRun.length)}`, ...byFolder(notRun)].join('\n'))
  if (failed.length > 0) console.log(['', 'FAILED', ...failed.map((title) => `  ${title}`)].join('\n'))
  console.log(
    `\n${ended.length} of ${files(count)} in ${(performance.now() / 1000).toFixed(1)} s: ${sum('passed')} tests passed, ${sum('failed')} failed`,
  )
  return failed.length > 0 || ended.length === 0 || stopped.signal.aborted ? 1 : 0
}

/** One line for each folder. */
export function byFolder(paths: readonly string[]): readonly string[] {
  return [...Map.groupBy(paths, (path) => dirname(path))].map(
    ([folder, inside]) => `  ${folder}: ${inside.map((path) => basename(path)).join(', ')}`,
  )
}

function files(count: number): string {
  return `${count} test ${count === 1 ? 'file' : 'files'}`
}
