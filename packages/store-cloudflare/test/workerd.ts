import { join } from 'node:path'
import { build } from 'esbuild'
import { Log, LogLevel, Miniflare } from 'miniflare'

/** The worker of the tests in the real runtime of the platform, with objects in a folder. */
export async function startWorkerd(
  folder: string,
): Promise<{ readonly origin: string; readonly stop: () => Promise<void> }> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'store-worker.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
  })
  const modules = { 'index.mjs': { type: 'esm' as const, contents: outputFiles[0]?.text ?? '' } }
  const runtime = new Miniflare({
    workers: [
      {
        config: {
          name: 'store',
          compatibilityDate: '2026-10-01',
          manifest: { mainModule: 'index.mjs', modules },
          env: {
            ...Object.fromEntries(
              Object.entries(CLASS_OF).map(([name, exportName]) => {
                return [name, { type: 'durable-object' as const, worker: 'store', exportName }]
              }),
            ),
            D1: { type: 'd1', id: 'records' },
            ARCHIVED_D1: { type: 'd1', id: 'archived' },
            NEWER_D1: { type: 'd1', id: 'newer' },
          },
          exports: Object.fromEntries(
            Object.values(CLASS_OF).map((name) => [
              name,
              { type: 'durable-object' as const, storage: 'sqlite' as const },
            ]),
          ),
        },
        dev: {},
      },
    ],
    host: '127.0.0.1',
    port: 0,
    cf: false,
    telemetry: { enabled: false },
    log: new Log(LogLevel.ERROR),
    handleStructuredLogs() {},
    resourcePersistencePath: folder,
  })
  const { origin } = await runtime.ready
  return { origin, stop: () => runtime.dispose() }
}

/** The classes of objects, by their bindings. */
const CLASS_OF = {
  TEST: 'TestObject',
  REAL: 'RealObject',
  NEWER: 'NewerObject',
  MOVING: 'MovingObject',
  ARCHIVED: 'ArchivedObject',
  FLAKY: 'FlakyObject',
  NEWER_ARCHIVE: 'NewerArchiveObject',
}
