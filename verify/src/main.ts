import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const USAGE = `npm run verify -- fidelity [--show <converter>]   how much dragoman and other converters preserve
npm run verify -- fields     writes docs/fields.md: how every field is translated
npm run verify -- losses     writes docs/losses.md: the codes of all losses
npm run golden               compares all outputs with the recorded ones`

const DOCUMENTS = join(import.meta.dirname, '../../docs')

const [command, ...options] = process.argv.slice(2)

switch (command) {
  case 'fidelity': {
    const { printFidelity } = await import('./fidelity/run.ts')
    await printFidelity(options)
    break
  }
  case 'fields': {
    const { writeFields } = await import('./fields/document.ts')
    writeFileSync(join(DOCUMENTS, 'fields.md'), await writeFields())
    break
  }
  case 'losses': {
    const { writeLosses } = await import('./losses/document.ts')
    writeFileSync(join(DOCUMENTS, 'losses.md'), writeLosses())
    break
  }
  default:
    console.error(USAGE)
    process.exitCode = 1
}
