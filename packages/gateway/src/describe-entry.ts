import { DragomanError, type Loss } from '@dragoman/core'
import type { LogEntry } from './ports.ts'

/** An entry as plain facts that may be written down anywhere: nothing in it holds a prompt, an answer or a secret. */
export function describeEntry({ losses, error, ...entry }: LogEntry): { readonly [fact: string]: unknown } {
  return {
    ...entry,
    ms: Math.round(entry.ms),
    ...(losses.length === 0 ? {} : { losses: losses.map(lossLine) }),
    ...(error === undefined ? {} : { error: describeError(error) }),
  }
}

/** Where and why, never what: a value may be a piece of the prompt. */
function lossLine({ kind, path, reason }: Loss): string {
  return `${kind} ${path.join('.')}: ${reason}`
}

/** Of a cause only its kind, and its place in the code: its message may quote what it failed on. */
function describeError({ kind, message, code, param, cause }: DragomanError): object {
  return {
    kind,
    message,
    code,
    param,
    ...(cause instanceof Error ? { cause: kindOf(cause) } : {}),
    ...(kind === 'internal' && cause instanceof Error ? { trace: traceOf(cause) } : {}),
  }
}

function kindOf(cause: Error): string {
  if (cause instanceof DragomanError) return cause.code === undefined ? cause.kind : `${cause.kind} ${cause.code}`
  return 'code' in cause ? `${cause.name} ${String(cause.code)}` : cause.name
}

function traceOf({ stack }: Error): readonly string[] {
  return stack?.match(/^\s+at .+$/gm)?.map((line) => line.trim()) ?? []
}
