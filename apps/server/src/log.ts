import { createEntryText, type Log, type LogEntry } from '@dragoman/gateway'
import { createOutput, type Output } from './output.ts'
import { LOG_LEVELS, type LogLevel } from './config/choices.ts'

export interface ServerLog extends Log {
  /** A line about the server itself, not about a call. */
  note(level: Loudness, text: string): void
  setLevel(level: LogLevel): void
  /** Writes the buffered lines. */
  flush(): Promise<void>
}

type Loudness = 'info' | 'warn' | 'error'

const HEAD_OF: { readonly [level in Loudness]: string } = {
  info: '{"level":"info","time":',
  warn: '{"level":"warn","time":',
  error: '{"level":"error","time":',
}

/** JSON lines on standard output, one per answer. */
export function createLog(level: LogLevel, output: Output = createStandardOutput()): ServerLog {
  let least = LOG_LEVELS.indexOf(level)
  const entryText = createEntryText()
  const isHidden = (loudness: Loudness): boolean => LOG_LEVELS.indexOf(loudness) < least
  return {
    write(entry) {
      const loudness = loudnessOf(entry)
      if (isHidden(loudness)) return
      output.write(`${HEAD_OF[loudness]}${Date.now()},${entryText(entry)},"msg":"answered"}\n`)
    },
    note(loudness, text) {
      if (!isHidden(loudness)) output.write(noteLine(loudness, text))
    },
    setLevel: (next) => void (least = LOG_LEVELS.indexOf(next)),
    flush: () => output.flush(),
  }
}

function loudnessOf({ status, outcome }: LogEntry): Loudness {
  if (status >= 500) return 'error'
  return outcome === 'interrupted' ? 'warn' : 'info'
}

function noteLine(loudness: Loudness, text: string): string {
  return `${HEAD_OF[loudness]}${Date.now()},"msg":${JSON.stringify(text)}}\n`
}

/** Buffered lines are written however the process ends. */
function createStandardOutput(): Output {
  const leftOut = (lines: number): string =>
    noteLine('warn', `${lines} log lines were left out: standard output was read too slowly`)
  const output = createOutput({ descriptor: 1, leftOut })
  process.on('exit', () => output.flushNow())
  return output
}
