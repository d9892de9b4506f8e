import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { Environment } from '@dragoman/core/provider'
import { checkConfig } from './check.ts'
import { ConfigError, type Mistake } from './mistakes.ts'
import { fillReferences } from './references.ts'
import type { Config } from './schema.ts'

export interface ReadConfig {
  readonly config: Config
  /** The content of the file. */
  readonly text: string
}

/** Reads a configuration file, JSON or YAML by its name. Throws all mistakes at once. */
export async function readConfig(
  file: string,
  environment: Environment,
  text: string = readText(file),
): Promise<ReadConfig> {
  const document = extname(file) === '.json' ? parseJson(file, text) : await parseYaml(file, text)
  // An empty file is an empty configuration.
  const checked = checkConfig(document ?? {})
  if (isMistaken(checked)) throw new ConfigError(file, checked)
  const mistakes: Mistake[] = []
  const config = fillReferences(checked, environment, mistakes)
  if (mistakes.length > 0) throw new ConfigError(file, mistakes)
  return { config, text }
}

function isMistaken(checked: Config | readonly Mistake[]): checked is readonly Mistake[] {
  return Array.isArray(checked)
}

function parseJson(file: string, text: string): unknown {
  try {
    return text.trim() === '' ? undefined : JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new ConfigError(file, [{ path: [], reason: `is not JSON${positionOf(error, text)}` }])
  }
}

/** The parser's own message would quote the file. */
function positionOf(error: unknown, text: string): string {
  const [, position] = /position (\d+)/.exec(error instanceof Error ? error.message : '') ?? []
  if (position === undefined) return ''
  const before = text.slice(0, Number(position)).split('\n')
  return ` at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}

async function parseYaml(file: string, text: string): Promise<unknown> {
  const { LineCounter, parseDocument } = await import('yaml')
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false })
  // Only the first one, because it usually causes the others.
  const [first] = document.errors
  if (first !== undefined) {
    const { line, col } = lineCounter.linePos(first.pos[0])
    const hint = text.startsWith('${', first.pos[0] - 1) ? ': between braces, "${NAME}" must stand in quotes' : ''
    throw new ConfigError(file, [{ path: [], reason: `is not YAML at line ${line}, column ${col}${hint}` }])
  }
  try {
    return document.toJS()
  } catch {
    // Aliases of aliases of aliases, which would fill the memory.
    throw new ConfigError(file, [{ path: [], reason: 'has too many aliases' }])
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new ConfigError(file, [{ path: [], reason: `could not be read: ${code}` }])
  }
}
