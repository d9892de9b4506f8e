import { createGraph } from './graph/graph.ts'
import { inBatches } from './graph/order.ts'
import { changedFiles, readRepository } from './graph/repository.ts'
import { runSelected } from './loop/run-selected.ts'

const SHOWN_FILES = 20

/** Runs the tests whose imports reach a changed file, for at most a minute. Returns the exit code. */
export async function runAffected(base: string | undefined): Promise<number> {
  const changes = changedFiles(base)
  const shown = changes.files.slice(0, SHOWN_FILES).map((file) => `  ${file}`)
  const more = changes.files.length > SHOWN_FILES ? [`  … and ${changes.files.length - SHOWN_FILES} more`] : []
  const from = base ?? `${changes.base.slice(0, 12)}, where this branch left main`
  console.log(
    [`${changes.files.length} files differ from ${from}, the working tree included`, ...shown, ...more].join('\n'),
  )
  const batches = inBatches(createGraph(readRepository()).reach(changes.files), changes.files)
  const code = batches.length === 0 ? 0 : await runSelected(batches, { extra: [], isLimited: true })
  if (batches.length === 0) console.log('no test needs them')
  console.log(
    'This is not `npm test`: format, lint, types, dead code, structure and spec were not checked, nor any other test.',
  )
  return code
}
