import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Scenario, Stage } from './scenario.ts'
import { AUDIT_ENVIRONMENT, auditProviders } from './server/providers.ts'
import { startServer } from './server/start-server.ts'
import { startUpstream } from './upstream/start-upstream.ts'

/** What a scenario has found. */
export interface Finding {
  readonly rule: string
  readonly holds: boolean
  readonly seen: string
}

export interface RunOptions {
  readonly size: Stage['size']
  /** The checkout whose server is attacked; this one when absent. */
  readonly root?: string | undefined
  readonly onFinding?: (finding: Finding) => void
}

/** Runs a scenario, and ends everything that it has started. */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<readonly Finding[]> {
  const { size, root, onFinding } = options
  const findings: Finding[] = []
  const ends: (() => unknown)[] = []
  const upstream = await startUpstream()
  const stage: Stage = {
    size,
    upstream,
    async start({ config = {}, environment, ...rest } = {}) {
      const server = await startServer({
        ...rest,
        ...(root === undefined ? {} : { root }),
        config: { ...config, providers: { ...auditProviders(upstream.url), ...config.providers } },
        environment: { ...AUDIT_ENVIRONMENT, ...environment },
      })
      // At once: calls that wait for the upstream would keep it alive.
      ends.push(() => server.kill())
      return server
    },
    folder() {
      const folder = mkdtempSync(join(tmpdir(), 'dragoman-audit-folder-'))
      const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 9 })
      // Also if the audit is interrupted.
      process.once('exit', remove)
      ends.push(() => {
        process.off('exit', remove)
        remove()
      })
      return folder
    },
    check(rule, holds, seen = '') {
      const finding = { rule, holds, seen: textOf(seen) }
      findings.push(finding)
      onFinding?.(finding)
    },
    defer: (end) => void ends.push(end),
  }
  try {
    await scenario.run(stage)
    return findings
  } catch (error) {
    stage.check('the scenario comes to its end', false, error instanceof Error ? error.message : String(error))
    return findings
  } finally {
    for (const end of ends.toReversed()) await end()
    await upstream.close()
  }
}

function textOf(seen: unknown): string {
  if (typeof seen === 'string') return seen
  return JSON.stringify(seen, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)) ?? ''
}
