import { DragomanError, type Loss, type Usage } from '@dragoman/core'
import type { Cost } from '@dragoman/core/provider'
import { clip, clipList, clipLossPath } from '../ports/clip.ts'
import type { Attempt } from '../ports/ports.ts'
import type { LogEntry } from '../ports/ports.ts'

/** In bytes of JSON, so that a line is never longer than 8 KB. */
export const LIMIT_OF = { method: 32, path: 512, name: 256, because: 384, attempts: 6, losses: 8 } as const

const ERROR_LIMIT_OF = {
  message: 1024,
  code: 128,
  param: 256,
  cause: 128,
  upstreamMessage: 512,
  trace: 6,
  frame: 192,
} as const
const LOSS_LIMIT = 160
const ATTEMPT_LIMIT = 128
const MESSAGE_LIMIT = 160

/**
 * An entry as plain facts that are safe to write anywhere: without prompts, answers and secrets, and with long values shortened.
 */
export function describeEntry({ attempts, losses, usage, cost, error, ...entry }: LogEntry): {
  readonly [fact: string]: unknown
} {
  const { method, path, caller, provider, model, because } = entry
  return {
    ...entry,
    method: clip(method, LIMIT_OF.method),
    path: clip(path, LIMIT_OF.path),
    ms: Math.round(entry.ms),
    firstByteMs: entry.firstByteMs === undefined ? undefined : Math.round(entry.firstByteMs),
    caller: clipped(caller, LIMIT_OF.name),
    provider: clipped(provider, LIMIT_OF.name),
    model: clipped(model, LIMIT_OF.name),
    because: clipped(because, LIMIT_OF.because),
    ...(attempts.length < 2 ? {} : { attempts: describeAttempts(attempts) }),
    ...(losses.length === 0 ? {} : { losses: describeLosses(losses) }),
    ...(usage === undefined ? {} : { tokens: describeUsage(usage) }),
    ...(cost === undefined ? {} : { cost: describeCost(cost) }),
    ...describeUnpriced(usage, cost),
    ...(usage?.estimated === true ? { estimated: true } : {}),
    ...(usage?.clamped === true ? { clamped: true } : {}),
    ...(error === undefined ? {} : { error: describeError(error) }),
  }
}

/** The counts that all protocols have. The rest of a usage is what an upstream wrote. */
export const COUNTS = ['input', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'output', 'reasoning'] as const

function describeUsage(usage: Usage): object {
  return Object.fromEntries(COUNTS.map((name) => [name, usage[name]]))
}

/** Nano-dollars, in all and by item, the version of the prices, and whether some of them are a ceiling. */
function describeCost({ total, items, version, ceiling }: Cost): object {
  const known = version === undefined ? {} : { version: clip(version, LIMIT_OF.name) }
  const amounts = Object.fromEntries(sumsOf(items).map(({ name, nanos }) => [name, nanos]))
  return { total, ...amounts, ...known, ...(ceiling === true ? { ceiling } : {}) }
}

/** Attempts have one item each in a record, and one in all in the log. */
export function sumsOf(items: Cost['items']): Cost['items'] {
  let quantity = 0
  let nanos = 0
  for (const item of items) {
    if (item.name !== 'attempt') continue
    quantity++
    nanos += item.nanos
  }
  if (quantity < 2) return items
  return [...items.filter(({ name }) => name !== 'attempt'), { name: 'attempt', quantity, nanos }]
}

/** What has no price, because a missing price is not a price of zero: some items, or all of them. */
export function describeUnpriced(usage: Usage | undefined, cost: Cost | undefined): { unpriced?: readonly string[] } {
  if (usage === undefined) return {}
  const unpriced = cost === undefined ? ALL : cost.unpriced
  return unpriced === undefined ? {} : { unpriced }
}

const ALL = ['all']

/** The route, its result, its time and the message of the upstream: `acme/m upstream-error 12 ms: Try again.`. */
export function describeAttempts(attempts: readonly Attempt[]): readonly string[] {
  return clipList(attempts, LIMIT_OF.attempts, ({ model, outcome, error, ms, upstreamMessage }) => {
    const result = `${clip(model, ATTEMPT_LIMIT)} ${error ?? outcome} ${Math.round(ms)} ms`
    return upstreamMessage === undefined ? result : `${result}: ${quoted(upstreamMessage, MESSAGE_LIMIT)}`
  })
}

export function describeLosses(losses: readonly Loss[]): readonly string[] {
  return clipList(losses, LIMIT_OF.losses, lossLine)
}

/** Path and reason, never the value: it may be part of the prompt. */
function lossLine(loss: Loss): string {
  return `${loss.kind} ${clipLossPath(loss, LOSS_LIMIT)}: ${clip(loss.reason, LOSS_LIMIT)}`
}

/**
 * For a cause in this process, only its kind and its stack are written, because its message may quote the input. A cause that an upstream
 * has written is repeated, for the operator who must solve it.
 */
export function describeError({ kind, message, code, param, cause }: DragomanError): object {
  return {
    kind,
    message: clip(message, ERROR_LIMIT_OF.message),
    code: clipped(code, ERROR_LIMIT_OF.code),
    param: clipped(param, ERROR_LIMIT_OF.param),
    ...(cause instanceof Error ? { cause: clip(kindOf(cause), ERROR_LIMIT_OF.cause) } : {}),
    ...(DragomanError.isInstance(cause)
      ? { upstreamMessage: quoted(cause.message, ERROR_LIMIT_OF.upstreamMessage) }
      : {}),
    ...(kind === 'internal' && cause instanceof Error ? { trace: traceOf(cause) } : {}),
  }
}

/** The message of an upstream, shortened. It may quote a part of the key that it refuses, as in `sk-pr****wxyz`: such words are removed. */
function quoted(text: string, limit: number): string {
  const start = text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text
  return clip(
    start.replace(/\S+/g, (word) => (KEY_LIKE.test(word) ? '[redacted]' : word)),
    limit,
  )
}

const LONGEST_MESSAGE = 2048
/** Characters that stand for others, or as many of them as a key has. */
const KEY_LIKE = /(?:\*\*|\.\.\.|…)\w|\w{32}|[-_][\w-]{24}/

function clipped(text: string | undefined, limit: number): string | undefined {
  return text === undefined ? undefined : clip(text, limit)
}

function kindOf(cause: Error): string {
  if (DragomanError.isInstance(cause)) return cause.code === undefined ? cause.kind : `${cause.kind} ${cause.code}`
  return 'code' in cause ? `${cause.name} ${String(cause.code)}` : cause.name
}

/** The message comes before the frames. It may be long and contain lines that look like frames. */
function traceOf({ stack = '', message }: Error): readonly string[] {
  const found = stack.indexOf(message)
  const frames = found < 0 ? stack : stack.slice(found + message.length)
  const lines = frames.match(/^\s+at .+$/gm)?.map((line) => line.trim()) ?? []
  return clipList(lines, ERROR_LIMIT_OF.trace, (line) => clip(line, ERROR_LIMIT_OF.frame))
}
