import type { JsonObject } from '../lib/json.ts'
import type { Node } from './extras.ts'

/** Every count includes its details: input includes cached tokens, output includes reasoning. Absent means unknown, not 0. */
export interface Usage extends Node {
  readonly input?: number
  readonly output?: number
  readonly cacheRead?: number
  readonly cacheWrite5m?: number
  readonly cacheWrite1h?: number
  readonly reasoning?: number
  readonly toolPrompt?: number
  readonly searches?: number
  /** Pages that the upstream read. */
  readonly fetches?: number
  readonly modalities?: {
    readonly input?: JsonObject
    readonly output?: JsonObject
    readonly cached?: JsonObject
  }
  readonly estimated?: true
}

/** Output tokens, and the reasoning in them. */
export interface Written {
  readonly output: number | undefined
  readonly reasoning: number | undefined
}

/**
 * Some upstreams leave reasoning out of their output count, or out of all counts but the total: then all tokens of the total that
 * are not input are output.
 */
export function outputByTotal(counted: Written, input: number | undefined, total: number | undefined): Written {
  const { output, reasoning } = counted
  if (output === undefined || input === undefined || total === undefined) return counted
  const written = total - input
  return written > output ? { output: written, reasoning: reasoning ?? written - output } : counted
}

/** Cumulative counters overwrite, field by field; they are never added. */
export function overwrite(before: Usage | undefined, now: Usage | undefined): Usage | undefined {
  return before === undefined ? now : now === undefined ? before : { ...before, ...now }
}
