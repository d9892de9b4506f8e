import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, transform } from 'esbuild'
import type { Example } from '../readme.ts'

/** The report of a runtime: its name, and what each example logged. */
export interface Printed {
  readonly agent: string
  readonly logs: readonly (readonly string[])[]
}

/** How a runtime starts, and how it reports the results. */
export const ENTRIES = {
  process: 'console.log(JSON.stringify(await runExamples()))',
  worker: 'export default { fetch: async () => Response.json(await runExamples()) }',
  page: "await fetch('/report', { method: 'POST', body: JSON.stringify(await runExamples()) })",
}

/** Writes the examples as programs, and as the modules that every runtime imports. */
export async function writeExamples(folder: string, examples: readonly Example[], upstream: string): Promise<void> {
  const write = (file: string, code: string) => writeFileSync(join(folder, file), code)
  for (const [index, { code }] of examples.entries()) {
    const here = code.replaceAll('https://api.anthropic.com', upstream)
    write(`example-${index}.ts`, here)
    write(`${index}.js`, (await transform(here, { loader: 'ts', target: 'es2022' })).code)
  }
  write('run-examples.js', runner(examples.length))
  for (const [name, code] of Object.entries(ENTRIES)) {
    write(`${name}.js`, `import { runExamples } from './run-examples.js'\n${code}\n`)
  }
}

/** Bundles an entry and its imports into one module, for runtimes without node_modules. */
export async function bundleEntry(folder: string, entry: keyof typeof ENTRIES): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, `${entry}.js`)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['worker', 'browser'],
    mainFields: ['module', 'main'],
  })
  return outputFiles[0]?.text ?? ''
}

function runner(count: number): string {
  const imports = Array.from({ length: count }, (_, index) => `() => import('./${index}.js'),`)
  return `const examples = [${imports.join('\n')}]
export async function runExamples() {
  const { log } = console
  const logs = []
  for (const load of examples) {
    const said = []
    console.log = (...values) => void said.push(values.map(String).join(' '))
    await load().catch((error) => said.push('threw ' + error))
    logs.push(said)
  }
  console.log = log
  return { agent: navigator.userAgent, logs }
}
`
}
