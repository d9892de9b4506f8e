import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { json } from 'node:stream/consumers'
import { ROOT } from '../sources.ts'
import { conditionsOf } from './environment.ts'

/** One check of `npm test`. */
export type Check = {
  /** `types`, or the folder of the package whose tests it runs. */
  readonly name: string
  readonly directory: string
  readonly line: string
  /** Changes with everything that the result depends on. */
  readonly key: string
}

/** Types are checked once for all packages, because each would check the sources of those that it imports again. */
const TASKS = ['test', 'check:types', 'check:format', 'check:lint', 'check:dead-code', 'check:spec', 'check:structure']

/** The longest checks on a machine that has not run them yet. They start first, so that none of them runs alone at the end. */
const LONGEST = [
  'apps/server',
  'packages/testkit',
  'audit',
  'packages/core',
  'packing',
  'bench',
  'verify',
  'apps/worker',
  'packages/provider-openai-compatible',
  'packages/store-postgres',
  'packages/gateway-node',
  'structure',
  'packages/gateway',
  'lint',
  'packages/store-sqlite',
  'packages/provider-sim',
  'packages/store-cloudflare',
  'types',
  'clients',
  'packages/provider-openai',
  'packages/accounts',
]

/** The part of turbo's dry run that is read. */
type Task = {
  readonly taskId: string
  readonly hash: string
  readonly command: string
  readonly directory: string
}

/** All checks with their keys. Turbo computes the hash of the files of a package and of those that it imports; it runs nothing. */
export async function listChecks(filters: readonly string[]): Promise<readonly Check[]> {
  const turbo = spawn('turbo', ['run', ...TASKS, '--dry=json', ...filters], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { tasks } = (await json(turbo.stdout)) as { readonly tasks: readonly Task[] } // by the turbo version that the lockfile pins
  const conditions = conditionsOf(process.env)
  return tasks
    .filter(({ command }) => command !== '<NONEXISTENT>')
    .map(({ taskId, hash, command, directory }) => ({
      name: directory === '' ? taskId.replace(/^.*:/, '').replace('-', ' ') : directory,
      directory: `${ROOT}/${directory}`,
      line: command,
      key: createHash('sha256').update(`${hash} ${command} ${conditions}`).digest('hex'),
    }))
}

/** The longest checks first, by the time of their last run. */
export function inOrder(checks: readonly Check[], secondsOf: (name: string) => number | undefined): readonly Check[] {
  const rank = ({ name }: Check): number =>
    secondsOf(name) ?? (LONGEST.includes(name) ? 1000 - LONGEST.indexOf(name) : 0)
  return checks.toSorted((left, right) => rank(right) - rank(left))
}
