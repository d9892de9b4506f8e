import { extname } from 'node:path'
import { ConfigError, type Mistake } from './mistakes.ts'
import type { ReadConfig } from './read.ts'
import type { Config } from './schema.ts'

/**
 * Throws if a configuration must not replace the running one. A file can be read while it is being written: then it is empty or
 * truncated, and truncated YAML is often still valid, with fewer keys or without a restriction.
 */
export function checkReplacement(file: string, running: ReadConfig, next: ReadConfig): void {
  const mistakes = isEmpty(next.config)
    ? [{ path: [], reason: 'is empty' }]
    : [...cutOff(file, running.text, next.text), ...lostKeys(running.config, next.config)]
  if (mistakes.length > 0) throw new ConfigError(file, mistakes)
}

function isEmpty(config: Config): boolean {
  return Object.keys(config).length === 0
}

/** Truncated JSON is not valid JSON, and neither is truncated YAML in braces. */
function cutOff(file: string, before: string, now: string): readonly Mistake[] {
  if (extname(file) === '.json' || /^\s*\{/.test(now)) return []
  if (!now.endsWith('\n')) return [{ path: [], reason: 'may be cut off: its last line has no line feed' }]
  if (hasEndMark(before) && !hasEndMark(now)) return [{ path: [], reason: 'may be cut off: its last line was "..."' }]
  return []
}

/** The end marker of a YAML document, which an operator may write. */
function hasEndMark(text: string): boolean {
  return /^\.\.\.\s*$/m.test(text.slice(text.trimEnd().lastIndexOf('\n') + 1))
}

function lostKeys({ keys: before = [] }: Config, { keys: now = [] }: Config): readonly Mistake[] {
  if (before.length > 0 && now.length === 0)
    return [{ path: ['keys'], reason: 'are gone: a running server keeps them, so restart it if that is meant' }]
  return now.flatMap((key, index) => {
    const was = before.find((each) => each.models !== undefined && isSameKey(each, key))
    if (was === undefined || key.models !== undefined) return []
    return [{ path: ['keys', index, 'models'], reason: 'is gone: for a key that may use all models, say ["*"]' }]
  })
}

type Key = NonNullable<Config['keys']>[number]

function isSameKey(one: Key, other: Key): boolean {
  if (one.name === other.name) return true
  return (
    (one.secret !== undefined && one.secret === other.secret) ||
    (one.sha256 !== undefined && one.sha256 === other.sha256)
  )
}
