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
  const { requestId, method, path, protocol, status, outcome, ms, firstByteMs } = entry
  const { caller, provider, model, mode, because, attempts, losses, usage, cost, error } = entry
  let text = `"requestId":${quote(requestId)},"method":${quote(clip(method, LIMIT_OF.method))}`
  text += `,"path":${quote(clip(path, LIMIT_OF.path))},"protocol":${quote(protocol)}`
  text += `,"status":${status},"outcome":"${outcome}","ms":${Math.round(ms)}`
  if (firstByteMs !== undefined) text += `,"firstByteMs":${Math.round(firstByteMs)}`
  if (caller !== undefined) text += `,"caller":${quote(clip(caller, LIMIT_OF.name))}`
  if (provider !== undefined) text += `,"provider":${quote(clip(provider, LIMIT_OF.name))}`
  if (model !== undefined) text += `,"model":${quote(clip(model, LIMIT_OF.name))}`
  if (mode !== undefined) text += `,"mode":"${mode}"`
  if (because !== undefined) text += `,"because":${quote(clip(because, LIMIT_OF.because))}`
  if (attempts.length > 1) text += `,"attempts":${JSON.stringify(describeAttempts(attempts))}`
  if (losses.length > 0) text += `,"losses":${JSON.stringify(describeLosses(losses))}`
  if (usage !== undefined) text += usageText(usage)
  if (cost !== undefined) text += costText(cost)
  const { unpriced } = describeUnpriced(usage, cost)
  if (unpriced !== undefined) text += `,"unpriced":${JSON.stringify(unpriced)}`
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
