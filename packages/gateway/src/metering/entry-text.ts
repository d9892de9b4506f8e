import type { Usage } from '@dragoman/core'
import type { Cost } from '@dragoman/core/provider'
import { clip } from '../ports/clip.ts'
import {
  COUNTS,
  describeAttempts,
  describeError,
  describeLosses,
  describeUnpriced,
  LIMIT_OF,
  sumsOf,
} from './describe-entry.ts'
import type { LogEntry } from '../ports/ports.ts'

/**
 * The result of `describeEntry` as JSON text without the outer braces, for a log that adds its own members. Built from strings,
 * because it is written for every answer and an object would cost ten times as much.
 */
export function entryText(entry: LogEntry): string {
  return join(entry, answerText(entry), routeText(entry))
}

/** Creates a function like `entryText` for a log of many entries. It keeps the parts that entries have in common, for a few entries. */
export function createEntryText(): (entry: LogEntry) => string {
  const answers = new Map<string, KeptPart>()
  const routes = new Map<string, KeptPart>()
  return (entry) => join(entry, keptText(answers, ANSWER, entry), keptText(routes, ROUTE, entry))
}

/** A part of an entry that others are likely to have as well. */
interface Part {
  /** The member that differs most. */
  readonly key: (entry: LogEntry) => string | undefined
  /** Whether two entries with the same key have the same text. */
  readonly isSame: (one: PartFacts, other: PartFacts) => boolean
  readonly write: (entry: LogEntry) => string
}

/** What the parts are made of. Nothing else of an entry is kept. */
type PartFacts = Pick<LogEntry, 'method' | 'protocol' | 'status' | 'outcome' | 'provider' | 'mode' | 'because'>

interface KeptPart {
  readonly facts: PartFacts
  readonly text: string
}

const ANSWER: Part = {
  key: ({ path }) => path,
  isSame: (one, other) =>
    one.method === other.method &&
    one.protocol === other.protocol &&
    one.status === other.status &&
    one.outcome === other.outcome,
  write: answerText,
}

const ROUTE: Part = {
  key: ({ model }) => model,
  isSame: (one, other) => one.provider === other.provider && one.mode === other.mode && one.because === other.because,
  write: routeText,
}

/** Callers can name any path, and reasons have their names of members: few are kept, and no long ones. */
const MOST_KEPT = 64
const LONGEST_KEPT = 256

function keptText(kept: Map<string, KeptPart>, { key, isSame, write }: Part, entry: LogEntry): string {
  const name = key(entry)
  if (name === undefined) return write(entry)
  const known = kept.get(name)
  if (known !== undefined && isSame(known.facts, entry)) return known.text
  const text = write(entry)
  const { method, protocol, status, outcome, provider, mode, because = '' } = entry
  if (name.length > LONGEST_KEPT || because.length > LONGEST_KEPT) return text
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(name, { facts: { method, protocol, status, outcome, provider, mode, because: entry.because }, text })
  return text
}

function answerText({ method, path, protocol, status, outcome }: LogEntry): string {
  // Joined to one string: a sum of strings would be put together again for every line.
  return [
    `,"method":${quote(clip(method, LIMIT_OF.method))},"path":${quote(clip(path, LIMIT_OF.path))}`,
    `,"protocol":${quote(protocol)},"status":${status},"outcome":"${outcome}","ms":`,
  ].join('')
}

function routeText({ provider, model, mode, because }: LogEntry): string {
  const parts: string[] = []
  if (provider !== undefined) parts.push(`,"provider":${quote(clip(provider, LIMIT_OF.name))}`)
  if (model !== undefined) parts.push(`,"model":${quote(clip(model, LIMIT_OF.name))}`)
  if (mode !== undefined) parts.push(`,"mode":"${mode}"`)
  if (because !== undefined) parts.push(`,"because":${quote(clip(because, LIMIT_OF.because))}`)
  return parts.join('')
}

function join(entry: LogEntry, answer: string, route: string): string {
  const { requestId, ms, firstByteMs, caller, attempts, losses, usage, cost, error } = entry
  let text = `"requestId":${quote(requestId)}${answer}${Math.round(ms)}`
  if (firstByteMs !== undefined) text += `,"firstByteMs":${Math.round(firstByteMs)}`
  if (caller !== undefined) text += `,"caller":${quote(clip(caller, LIMIT_OF.name))}`
  text += route
  if (attempts.length > 1) text += `,"attempts":${JSON.stringify(describeAttempts(attempts))}`
  if (losses.length > 0) text += `,"losses":${JSON.stringify(describeLosses(losses))}`
  if (usage !== undefined) text += usageText(usage)
  if (cost !== undefined) text += costText(cost)
  if (usage !== undefined) text += unpricedText(usage, cost)
  if (usage?.estimated === true) text += ',"estimated":true'
  if (usage?.clamped === true) text += ',"clamped":true'
  if (error !== undefined) text += `,"error":${JSON.stringify(describeError(error))}`
  return text
}

function usageText(usage: Usage): string {
  let text = ''
  for (const name of COUNTS) {
    const count = usage[name]
    // A number as JSON writes it: sums of what an upstream counts can be infinite.
    if (count !== undefined) text += `${text === '' ? '' : ','}"${name}":${Number.isFinite(count) ? count : 'null'}`
  }
  return `,"tokens":{${text}}`
}

/** A call without any price needs no JSON. */
function unpricedText(usage: Usage, cost: Cost | undefined): string {
  if (cost === undefined) return ',"unpriced":["all"]'
  const { unpriced } = describeUnpriced(usage, cost)
  return unpriced === undefined ? '' : `,"unpriced":${JSON.stringify(unpriced)}`
}

function costText({ total, items, version, ceiling }: Cost): string {
  let text = `,"cost":{"total":${total}`
  for (const { name, nanos } of sumsOf(items)) text += `,"${name}":${nanos}`
  if (version !== undefined) text += `,"version":${quote(clip(version, LIMIT_OF.name))}`
  return ceiling === true ? `${text},"ceiling":true}` : `${text}}`
}

const PLAIN = /^[ !#-[\]-~]*$/

/** Writes a JSON string. Most texts are ASCII without quotes and backslashes and need no escapes. */
function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}
