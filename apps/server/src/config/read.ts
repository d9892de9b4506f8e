import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { Environment } from '@dragoman/core/provider'
import { checkConfig } from './check.ts'
import { isPrefix, refuseAll, type Mistake } from './mistakes.ts'
import { fillReferences, referencesIn } from './references.ts'
import type { Config } from './schema.ts'

export interface ReadConfig {
  readonly config: Config
  /** The content of the file. */
  readonly text: string
}

/** A file with what is wrong in it. */
export interface InspectedConfig extends ReadConfig {
  readonly mistakes: readonly Mistake[]
  /** Adds mistakes that further checks have found in `config`, except those that follow from known ones. */
  readonly withFurther: (further: readonly Mistake[]) => readonly Mistake[]
  /** The variables that the file refers to. */
  readonly variables: readonly string[]
}

/** Reads a configuration file, JSON or YAML by its name. Throws all mistakes at once. */
export async function readConfig(file: string, environment: Environment, text?: string): Promise<ReadConfig> {
  const { mistakes, ...read } = await inspectConfig(file, environment, text)
  refuseAll(file, mistakes)
  return read
}

/** Reads a configuration file, without what is wrong in it. */
export async function inspectConfig(file: string, environment: Environment, given?: string): Promise<InspectedConfig> {
  const [text, document, unreadable] = await parse(file, given)
  // An empty file is an empty configuration.
  const { config: checked, mistakes: wrong, originalPath } = checkConfig(document ?? {})
  const missing: Mistake[] = []
  const config = fillReferences(checked, environment, missing)
  const removed = [...unreadable, ...wrong].map(({ path }) => path)
  const isFurther = ({ path, source }: Mistake): boolean =>
    source === 'environment' || !removed.some((known) => isPrefix(known, path) || isPrefix(path, known))
  const original = (mistakes: readonly Mistake[]): readonly Mistake[] =>
    mistakes.map((mistake) => ({ ...mistake, path: originalPath(mistake.path) }))
  const mistakes = [...unreadable, ...wrong, ...original(missing)]
  return {
    config,
    text,
    mistakes,
    withFurther: (further) => [
      ...mistakes,
      ...original(further).filter(
        (mistake) => isFurther(mistake) && !mistakes.slice(removed.length).some(({ path }) => isSame(path, mistake)),
      ),
    ],
    variables: referencesIn(text),
  }
}

/** A reference to a missing variable has no other mistakes. */
function isSame(path: Mistake['path'], mistake: Mistake): boolean {
  return mistake.source === undefined && path.length === mistake.path.length && isPrefix(path, mistake.path)
}

/** The text of a file and its document, or why it cannot be read. */
async function parse(file: string, given?: string): Promise<readonly [string, unknown, readonly Mistake[]]> {
  let text = ''
  try {
    text = given ?? readText(file)
    return [text, extname(file) === '.json' ? parseJson(text) : await parseYaml(text), []]
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return [text, {}, [{ path: [], reason: error.message }]]
  }
}

/** Why a file has no document. */
class Unreadable extends Error {}

function parseJson(text: string): unknown {
  try {
    return text.trim() === '' ? undefined : JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new Unreadable(`is not JSON${positionOf(error, text)}`)
  }
}

/** The parser's own message would quote the file. */
function positionOf(error: unknown, text: string): string {
  const [, position] = /position (\d+)/.exec(error instanceof Error ? error.message : '') ?? []
  if (position === undefined) return ''
  const before = text.slice(0, Number(position)).split('\n')
  return ` at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}

async function parseYaml(text: string): Promise<unknown> {
  const { LineCounter, parseDocument } = await import('yaml')
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false })
  // Only the first one, because it usually causes the others.
  const [first] = document.errors
  if (first !== undefined) {
    const { line, col } = lineCounter.linePos(first.pos[0])
    const hint = text.startsWith('${', first.pos[0] - 1) ? ': between braces, "${NAME}" must stand in quotes' : ''
    throw new Unreadable(`is not YAML at line ${line}, column ${col}${hint}`)
  }
  try {
    return document.toJS()
  } catch {
    // Aliases of aliases of aliases, which would fill the memory.
    throw new Unreadable('has too many aliases')
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new Unreadable(`could not be read: ${code}`)
  }
}
