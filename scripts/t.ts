import { relative, resolve } from 'node:path'
import { chooseTests } from './graph/choose.ts'
import { createGraph } from './graph/graph.ts'
import { readRepository } from './graph/repository.ts'
import { runSelected } from './loop/run-selected.ts'
import { ROOT } from './sources.ts'

const USAGE = `npm run t -- <file or folder>… [options of vitest]
  npm run t -- packages/core/src/protocols/genai             the tests in a folder
  npm run t -- packages/core/src/protocols/genai/request.ts  the tests that need a file, nearest first, for at most a minute
  npm run t -- apps/server/test/media.test.ts -t 'a part of a title'`

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  const option = args.findIndex((arg) => arg.startsWith('-'))
  const paths = option === -1 ? args : args.slice(0, option)
  const extra = option === -1 ? [] : args.slice(option)
  if (paths.length === 0) {
    console.error(USAGE)
    return 2
  }
  try {
    const { batches, isReached } = chooseTests(createGraph(readRepository()), paths.map(fromRoot))
    return await runSelected(batches, { extra, isLimited: isReached })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return 2
  }
}

function fromRoot(path: string): string {
  return relative(ROOT, resolve(ROOT, path)) || '.'
}
