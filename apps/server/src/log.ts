import { describeEntry, type Log, type LogEntry } from '@dragoman/gateway'
import { destination, pino } from 'pino'
import type { LogLevel } from './settings.ts'

export interface ServerLog extends Log {
  /** About the server itself, not about a call. */
  say(level: 'info' | 'warn' | 'error', text: string): void
  setLevel(level: LogLevel): void
  /** Writes out what is still in memory. */
  flush(): void
}

/** Structured lines on standard output, one per answer. */
export function createLog(level: LogLevel): ServerLog {
  // Line by line, writing would cost more than anything else that the server does for a call.
  const output = destination({ dest: 1, sync: false, minLength: 8192, periodicFlush: 250 })
  const logger = pino({ level, base: null, formatters: { level: (label) => ({ level: label }) } }, output)
  return {
    write: (entry) => logger[levelOf(entry)](describeEntry(entry), 'answered'),
    say: (level, text) => logger[level](text),
    setLevel: (next) => void (logger.level = next),
    flush: () => output.flushSync(),
  }
}

function levelOf({ status, outcome }: LogEntry): 'info' | 'warn' | 'error' {
  if (status >= 500) return 'error'
  return outcome === 'interrupted' ? 'warn' : 'info'
}
