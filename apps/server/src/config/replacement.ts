import { extname } from 'node:path'
import type { Mistake } from './mistakes.ts'
import type { ReadConfig } from './read.ts'
import type { Config } from './schema.ts'

/**
 * Why a configuration must not replace the running one. A file can be read while it is being written: then it is empty or
 * truncated, and truncated YAML is often still valid, with fewer keys or without a restriction.
 */
export function checkReplacement(file: string, running: ReadConfig, next: ReadConfig): readonly Mistake[] {
  return isEmpty(next.config)
    ? [{ path: [], reason: 'is empty' }]
    : [...cutOff(file, running.text, next.text), ...lostKeys(running.config, next.config)]
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
    const was = before.filter((each) => isSameKey(each, key))
    return was.flatMap((each) => lostRestrictions(each, key, ['keys', index]))
  })
}

/** A list that is cut off allows less. If limits and budgets are cut off, some are missing, and the key may use more. */
function lostRestrictions(was: Key, now: Key, path: Mistake['path']): readonly Mistake[] {
  const gone = (['models', 'providers', 'scopes', 'limits', 'budgets'] as const).filter(
    (name) => was[name] !== undefined && now[name] === undefined,
  )
  const members = [
    ...lostMembers('limits', was.limits ?? {}, now.limits ?? {}),
    ...lostMembers('budgets', was.budgets ?? {}, now.budgets ?? {}),
  ]
  return [
    ...gone.map((name) => ({ path: [...path, name], reason: `is gone: ${WITHOUT_OF[name]}` })),
    ...members.map((member) => ({ path: [...path, ...member], reason: 'is gone: write null if there should be none' })),
  ]
}

function lostMembers(name: string, was: object, now: object): readonly (readonly string[])[] {
  if (Object.keys(now).length === 0) return []
  return Object.keys(was).flatMap((member) => (member in now ? [] : [[name, member]]))
}

const WITHOUT_OF = {
  models: 'for a key that may use all models, write ["*"]',
  providers: 'restart the server if that is meant',
  scopes: 'for a key that may call models, write [inference]',
  limits: 'for a key without limits, write {}',
  budgets: 'for a key without budgets, write {}',
}

type Key = NonNullable<Config['keys']>[number]

function isSameKey(one: Key, other: Key): boolean {
  if (one.name === other.name) return true
  return (
    (one.secret !== undefined && one.secret === other.secret) ||
    (one.sha256 !== undefined && one.sha256 === other.sha256)
  )
}
