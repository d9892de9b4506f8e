import type { Failure } from './events.ts'
import type { Worker } from './progress.ts'
import { nameOf } from './watchdog.ts'

/** Minutes and seconds since the start: `1:05`. */
export function clockOf(seconds: number): string {
  const whole = Math.floor(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** A failed test, as it is shown once: its name, and each error with its difference and its place. */
export function failureText(title: string, errors: readonly Failure[]): string {
  const blocks = errors.map(({ message, diff, at }) =>
    [clip(message), ...(diff === undefined ? [] : [clip(diff)]), ...(at === undefined ? [] : [`at ${at}`])].join('\n'),
  )
  return [`FAILED  ${title}`, ...blocks.map((block) => block.replaceAll(/^(?=.)/gm, '        '))].join('\n')
}

const CLIP_LINES = 40
const CLIP_COLUMNS = 400

function clip(text: string): string {
  const lines = text.split('\n').map((line) => (line.length > CLIP_COLUMNS ? `${line.slice(0, CLIP_COLUMNS)} …` : line))
  if (lines.length <= CLIP_LINES) return lines.join('\n')
  return [...lines.slice(0, CLIP_LINES), `… ${lines.length - CLIP_LINES} more lines`].join('\n')
}

/** What a check does now, for the lines between two results. */
export function activityOf(name: string, seconds: number, workers: readonly Worker[], now: number): string {
  const running = workers.map((worker) => {
    const own = { ...worker, file: worker.file.replace(`${name}/`, ''), tests: worker.tests.slice(-1) }
    const waited = Math.round((now - worker.since) / 1000)
    return `${clipTitle(nameOf(own))}${waited < 5 ? '' : `, for ${waited} s`}`
  })
  return `${name} (${Math.round(seconds)} s)${running.length === 0 ? '' : `: ${running.join('; ')}`}`
}

function clipTitle(title: string): string {
  return title.length > 120 ? `${title.slice(0, 119)}…` : title
}
