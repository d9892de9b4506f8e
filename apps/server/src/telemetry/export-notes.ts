import { ExportResultCode, type ExportResult } from '@opentelemetry/core'
import type { ServerLog } from '../log.ts'

/** An exporter of spans or metrics. */
interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void
}

/**
 * Writes one note when an exporter begins to fail, and one when it works again. The note has no text of the collector, which may repeat a
 * header of the request.
 */
export function noteFailures<Items>(exporter: Exporter<Items>, what: string, log: Pick<ServerLog, 'note'>): void {
  const send = exporter.export.bind(exporter)
  let isFailing = false
  exporter.export = (items, done) =>
    send(items, (result) => {
      const failed = result.code !== ExportResultCode.SUCCESS
      if (failed && !isFailing) log.note('warn', `${what} cannot be sent: ${reasonOf(result.error)}`)
      if (!failed && isFailing) log.note('info', `${what} are sent again`)
      isFailing = failed
      done(result)
    })
}

/** The status of the collector, or the code of a failed connection. */
function reasonOf(error: Error | undefined): string {
  const code = error !== undefined && 'code' in error ? error.code : undefined
  if (typeof code === 'number') return `status ${code}`
  return typeof code === 'string' && /^\w+$/.test(code) ? code : 'no answer, or a refusal'
}
