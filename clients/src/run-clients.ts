import { NotInstalledError, type Client, type Installed } from './client.ts'

/** What came of the clients. */
export interface Outcome {
  /** How many clients ran to the end. */
  readonly ran: number
  /** How many of their runs failed. */
  readonly failed: number
  /** Clients that could not be installed or run, and why. */
  readonly broken: readonly string[]
  /** Clients whose language is not installed. */
  readonly skipped: readonly string[]
}

/** Installs and runs one client after another. An error ends its client alone. `run` returns how many runs failed. */
export async function runClients(
  clients: readonly Client[],
  run: (client: Client, installed: Installed) => Promise<number>,
): Promise<Outcome> {
  const broken: string[] = []
  const skipped: string[] = []
  let ran = 0
  let failed = 0
  for (const client of clients) {
    try {
      failed += await run(client, await client.install())
      ran += 1
    } catch (error) {
      if (error instanceof NotInstalledError) skipped.push(`${client.name}: ${error.message}`)
      else broken.push(`${client.name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { ran, failed, broken, skipped }
}

/** The last lines of the suite. */
export function describeOutcome({ ran, failed, broken, skipped }: Outcome): string {
  const counts = [
    `${ran} clients`,
    failed === 0 ? 'no run failed' : `${failed} runs FAILED`,
    ...(broken.length === 0 ? [] : [`${broken.length} clients BROKEN`]),
    ...(skipped.length === 0 ? [] : [`${skipped.length} clients NOT RUN`]),
  ]
  return [
    ...broken.map((line) => `!!! BROKEN: ${line}\n`),
    ...skipped.map((line) => `!!! NOT RUN: ${line}\n`),
    counts.join(', '),
  ].join('\n')
}

/** A language that is not installed is not a failure; everything else is. */
export function hasFailed({ failed, broken }: Outcome): boolean {
  return failed > 0 || broken.length > 0
}
