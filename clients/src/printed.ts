import type { Client } from './client.ts'
import type { Ended } from './run-command.ts'

/** What a client printed: the text of the answer, and an error if there was one. */
export interface Printed {
  readonly text: string
  readonly error?: string
}

/** Agents and editors print the answer; drivers of libraries one JSON object in the last line. */
export function printedBy({ kind }: Client, { stdout, stderr, code }: Ended): Printed {
  if (kind !== 'library') return { text: stdout, ...(code === 0 ? {} : { error: `${stderr}\n${stdout}` }) }
  const line = stdout.trim().split('\n').at(-1) ?? ''
  if (!line.startsWith('{')) return { text: '', error: `the driver printed no result (exit code ${code}): ${stderr}` }
  const { text, error } = JSON.parse(line) as { text?: string; error?: object } // the contract of drivers
  return { text: text ?? '', ...(error === undefined ? {} : { error: JSON.stringify(error) }) }
}
