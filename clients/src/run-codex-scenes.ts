import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMessagesDouble, type Double } from '@dragoman/testkit'
import { builtInConfig, codexConfig } from './agents/codex.ts'
import type { Installed, Run, SceneResult } from './client.ts'
import { DONE, SCENES, UPSTREAM, type Scene } from './codex-scenes.ts'
import { runCommand, type Ended } from './run-command.ts'
import { KEY, startServer } from './server.ts'

/** Runs all scenes with a server of their own. */
export async function runCodexScenes(installed: Installed): Promise<readonly SceneResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-codex-'))
  const file = join(folder, 'dragoman.config.json')
  const aliases = { 'gpt-5.5': UPSTREAM, 'gpt-6-sol': UPSTREAM }
  writeFileSync(file, JSON.stringify({ defaults: { keepAlive: 1 }, aliases }))
  const double = await createMessagesDouble([DONE])
  const upstream = { ANTHROPIC_BASE_URL: double.url, ANTHROPIC_API_KEY: 'sk-upstream-messages' }
  const server = await startServer({ DRAGOMAN_CONFIG: file, ...upstream })
  const results: SceneResult[] = []
  try {
    for (const [index, scene] of SCENES.entries()) {
      const problems = await runScene(scene, join(folder, String(index)), server.url, double, installed)
      results.push({ title: scene.title, problems })
      console.log(`  ${problems.length > 0 ? 'FAILED' : 'ok    '} ${scene.title}`)
      for (const problem of problems) console.log(`         ${problem}`)
    }
  } finally {
    await double.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return results
}

async function runScene(
  scene: Scene,
  folder: string,
  url: string,
  double: Double,
  installed: Installed,
): Promise<string[]> {
  const { model = UPSTREAM, turns, resume, config, provider, isBuiltIn, releaseAfterMs } = scene
  const [home, work] = [join(folder, 'home'), join(folder, 'project')]
  for (const path of [work, join(home, 'tmp')]) mkdirSync(path, { recursive: true })
  const run = { url, key: KEY, model, stream: true, home, work } as const
  const own = codexConfig(run, config, provider)
  double.play(...turns, ...(resume ?? []))
  const timer = releaseAfterMs === undefined ? undefined : setTimeout(() => double.release(), releaseAfterMs)
  const ended = await runPrompt(installed, run, 0, isBuiltIn ? builtInConfig(run, config) : own)
  clearTimeout(timer)
  const made = join(work, 'made.txt')
  const seen = {
    ...ended,
    double,
    resumed: resume === undefined ? undefined : await runPrompt(installed, run, 1, own),
    requests: double.received.map(({ body }) => body),
    bodies: double.received.map(({ body }) => JSON.stringify(body)),
    file: existsSync(made) ? readFileSync(made, 'utf8') : undefined,
  }
  return scene.problems(seen).filter((problem) => problem !== false)
}

/** Runs a prompt of a session: the first begins a thread, the others continue it. */
function runPrompt(installed: Installed, run: Omit<Run, 'scenario'>, index: number, config: string): Promise<Ended> {
  const command = installed.commands({ ...run, scenario: 'session' })[index]
  if (command === undefined) throw new Error('Codex has no such command.')
  // The commands come with a configuration of their own.
  writeFileSync(join(run.home, '.codex/config.toml'), config)
  return runCommand(command, { cwd: run.work, home: run.home, timeoutMs: 60_000 })
}
