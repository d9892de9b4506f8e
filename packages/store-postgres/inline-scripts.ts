import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCES = join(import.meta.dirname, 'src')
const BUILT = join(import.meta.dirname, 'dist/read-script.js')

/** The texts of all scripts, by the names that `readScript` has for them. */
const texts = globSync('**/*.{lua,sql}', { cwd: SOURCES })
  .sort()
  .map((script) => [script, readFileSync(join(SOURCES, script), 'utf8')])

// The built module has the same export as its source, and needs neither Node nor files.
writeFileSync(
  BUILT,
  `const TEXT_OF = ${JSON.stringify(Object.fromEntries(texts), undefined, 2)}
export function readScript(script) {
    return TEXT_OF[script];
}
`,
)
// It maps lines that are no longer there.
rmSync(`${BUILT}.map`, { force: true })
