import { fileURLToPath } from 'node:url'
import { build, type Metafile } from 'esbuild'

export interface Bundle {
  readonly code: string
  readonly metafile: Metafile
}

/** Bundles an entry that imports this package, for a neutral platform. */
export async function bundle(entry: string, format: 'esm' | 'iife' = 'esm'): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: entry, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts' },
    bundle: true,
    minify: true,
    format,
    globalName: 'bundled',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    write: false,
    metafile: true,
  })
  return { code: outputFiles[0]?.text ?? '', metafile }
}
