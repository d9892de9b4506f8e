import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { problemsOf } from './checks.ts'
import type { Cell, Client, Installed } from './client.ts'
import type { Observed } from './observed.ts'
import { createReplies } from './replies.ts'
import { runCommand, type Ended } from './run-command.ts'
import { FILES, FIRST_TEXT } from './scenarios.ts'
import { KEY } from './server.ts'
import type { Stage } from './stage.ts'
import { UPSTREAM_OF } from './upstreams.ts'

const TIMEOUT_MS = 120_000
/** How long the gateway may take to close the connection to the upstream after a client has gone. */
const HANG_UP_MS = 10_000

export async function runCell(
  stage: Stage,
  client: Client,
  installed: Installed,
  cell: Cell,
  options: { readonly keep: boolean },
): Promise<Observed & { readonly problems: readonly string[] }> {
  const upstream = UPSTREAM_OF[cell.upstream]
  const double = stage.doubles[cell.upstream]
  const folder = mkdtempSync(join(tmpdir(), `dragoman-${client.name}-`))
  const home = join(folder, 'home')
  const work = join(folder, 'project')
  for (const path of [home, work, join(home, 'tmp')]) mkdirSync(path)
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(work, name), text)
  stage.recorder.clear()
  double.reply(createReplies(client, cell.scenario, upstream, work))
  const hungUp = double.hungUp()
  const run = { url: stage.recorder.url, key: KEY, model: upstream.model, home, work, ...cell }
  const ended: Ended[] = []
  for (const command of installed.commands(run)) {
    const isInterrupted = client.kind !== 'library' && cell.scenario === 'abort'
    const interrupt = isInterrupted ? { interrupt: stage.recorder.answered(FIRST_TEXT) } : {}
    ended.push(await runCommand(command, { cwd: work, home, timeoutMs: TIMEOUT_MS, ...interrupt }))
  }
  const seen = {
    cell,
    ended,
    hungUp: cell.scenario === 'abort' && (await within(hungUp, HANG_UP_MS)),
    exchanges: [...stage.recorder.exchanges],
    received: [...double.received],
    refused: [...double.refused],
    folder,
    file: readFileSync(join(work, 'first.txt'), 'utf8'),
  }
  double.release()
  if (options.keep) writeFileSync(join(folder, 'observed.json'), JSON.stringify(seen, null, 1))
  else rmSync(folder, { recursive: true, force: true })
  return { ...seen, problems: problemsOf(client, double, seen) }
}

async function within(promise: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)))
  const met = await Promise.race([promise.then(() => true), late])
  clearTimeout(timer)
  return met
}
