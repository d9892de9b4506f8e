import { join } from 'node:path'
import { build } from 'esbuild'
import { Log, LogLevel, Miniflare } from 'miniflare'
import { PNG } from 'pngjs'
import { expect, it } from 'vitest'
import { drawAll, type DrawnFiles } from './draw-all.ts'

const WORKER = `import { drawAll } from ${JSON.stringify(join(import.meta.dirname, 'draw-all.ts'))}
export default { fetch: async () => Response.json(await drawAll()) }`

/** Draws in workerd, without any compatibility flag. */
async function drawInWorkerd(): Promise<DrawnFiles> {
  const { outputFiles } = await build({
    stdin: { contents: WORKER, resolveDir: import.meta.dirname },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    write: false,
  })
  const contents = outputFiles[0]!.text
  const manifest = { mainModule: 'worker.mjs', modules: { 'worker.mjs': { type: 'esm' as const, contents } } }
  const runtime = new Miniflare({
    workers: [{ config: { name: 'sim', compatibilityDate: '2026-10-01', manifest } }],
    host: '127.0.0.1',
    port: 0,
    cf: false,
    telemetry: { enabled: false },
    log: new Log(LogLevel.ERROR),
  })
  try {
    const answer = await fetch(await runtime.ready)
    expect(answer.status).toBe(200)
    return (await answer.json()) as DrawnFiles
  } finally {
    await runtime.dispose()
  }
}

it('draws the same image, film and embedding in workerd', async () => {
  const [there, here] = await Promise.all([drawInWorkerd(), drawAll()])
  const pixels = (file: string): PNG => PNG.sync.read(Buffer.from(file, 'base64'))
  expect(pixels(there.image)).toMatchObject({ width: 320, height: 192 })
  // Another zlib can write other bytes for the same pixels.
  expect(pixels(there.image).data.equals(pixels(here.image).data)).toBe(true)
  expect(there.film.length).toBeGreaterThan(10_000)
  expect(there.film).toBe(here.film)
  expect(there.embedding).toEqual(here.embedding)
})
