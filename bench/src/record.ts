import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../records')

/** Figures of one command, for the repository. */
export interface Recorded {
  /** The name of the landed work. All commands with the same name write into one file. */
  readonly name: string
  readonly part: 'Server' | 'Converters'
  readonly date: string
  /** The machine and the commit. */
  readonly machine: string
  /** Tables and sentences, in Markdown. */
  readonly text: string
}

/** Writes figures into the file of their name; those of an earlier run of the same command are replaced. Returns the path. */
export function writeRecord({ name, part, date, machine, text }: Recorded, folder = FOLDER): string {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, fileOf(name, date, readdirSync(folder)))
  const before = existsSync(file) ? readFileSync(file, 'utf8') : `# ${name}\n`
  const [title = '', ...sections] = before.split(/^(?=## )/m)
  const section = `## ${part}\n\n${date}. ${machine}\n\n${text.trim()}\n`
  const others = sections.filter((each) => !each.startsWith(`## ${part}\n`))
  writeFileSync(file, [title, ...others, section].map((each) => each.trim()).join('\n\n') + '\n')
  return file
}

/** Throws before anything is measured, rather than afterwards. */
export function requireName(name: string): void {
  if (slugOf(name) === '') throw new Error('--record needs a name: --record "half the cost of a call"')
}

/** `2026-11-17-name-in-lower-case.md`, with the date of the first figures. */
function fileOf(name: string, date: string, files: readonly string[]): string {
  requireName(name)
  const slug = slugOf(name)
  return files.find((file) => file.slice('2026-11-17-'.length) === `${slug}.md`) ?? `${date}-${slug}.md`
}

function slugOf(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.join('-')
}

export function today(): string {
  return new Date().toISOString().slice(0, 10)
}
