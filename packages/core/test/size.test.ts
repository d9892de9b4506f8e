import { gzipSync } from 'node:zlib'
import type { Metafile } from 'esbuild'
import { expect, it } from 'vitest'
import { bundle } from './bundle.ts'

/** The most that embedders are asked to load: all converters, those of two protocols, and all with the parts for a gateway. */
const LIMIT = 120_000
const SERVED_LIMIT = 151_700
const PAIR_LIMIT = 62_000
const WHOLE = `export * from '@dragoman/core'`
const SERVED = `export * from '@dragoman/core'; export { protocols } from '@dragoman/core/protocols'`
const PAIR = `export { chat, messages, translate } from '@dragoman/core'`

it(`everything together is at most ${LIMIT} bytes, minified and gzipped`, async () => {
  const { size, weights } = await weigh(WHOLE)
  expect(size, `it is ${size} bytes gzipped; minified, by folder:\n${weights}`).toBeLessThanOrEqual(LIMIT)
})

it(`everything with what a gateway needs is at most ${SERVED_LIMIT} bytes`, async () => {
  const { size, weights } = await weigh(SERVED)
  expect(size, `it is ${size} bytes gzipped; minified, by folder:\n${weights}`).toBeLessThanOrEqual(SERVED_LIMIT)
})

it(`one pair of protocols is at most ${PAIR_LIMIT} bytes`, async () => {
  const { size, weights } = await weigh(PAIR)
  expect(size, `it is ${size} bytes gzipped; minified, by folder:\n${weights}`).toBeLessThanOrEqual(PAIR_LIMIT)
})

async function weigh(entry: string): Promise<{ readonly size: number; readonly weights: string }> {
  const { code, metafile } = await bundle(entry)
  return { size: gzipSync(code, { level: 9 }).length, weights: weightsOf(metafile) }
}

/** Bytes per folder of ours and per package of others, the heaviest first. */
function weightsOf({ outputs }: Metafile): string {
  const bytes = new Map<string, number>()
  for (const [file, { bytesInOutput }] of Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs))) {
    const owner = /.*node_modules\/([^/]+)|src\/protocols\/[^/]+|src\/[^/]+/.exec(file)
    const name = owner?.[1] ?? owner?.[0] ?? file
    bytes.set(name, (bytes.get(name) ?? 0) + bytesInOutput)
  }
  const sorted = [...bytes].sort(([, left], [, right]) => right - left)
  return sorted.map(([name, size]) => `${String(size).padStart(7)} ${name}`).join('\n')
}
