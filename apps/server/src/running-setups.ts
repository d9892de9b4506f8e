import type { Gateway } from '@dragoman/gateway'
import type { Setup } from './setup.ts'

/** The setup in use, and earlier ones whose calls are still running. */
export interface RunningSetups {
  readonly current: Setup
  /** New calls use another setup. The calls of the old one finish with it, then its connections are closed. */
  swap(next: Setup): void
  /** Passes every call to the current gateway. */
  readonly gateway: Omit<Gateway, 'close'>
  /** Closes all gateways, and returns how many calls were cut off. */
  close(graceMs: number): Promise<number>
}

/** Longer than any answer may take. */
const UNTIL_DONE_MS = 2 ** 31 - 1

export function createRunningSetups(first: Setup, onSwap: (next: Setup) => void): RunningSetups {
  let current = first
  const leaving = new Set<Setup>()
  const all = (): readonly Gateway[] => [current, ...leaving].map(({ gateway }) => gateway)
  onSwap(first)
  return {
    get current() {
      return current
    },
    swap(next) {
      const old = current
      current = next
      onSwap(next)
      leaving.add(old)
      void old.gateway.close(UNTIL_DONE_MS).then(async () => {
        leaving.delete(old)
        await old.transport.close()
      })
    },
    gateway: {
      open: (head, reply) => current.gateway.open(head, reply),
      refuse: (head, reply, why) => current.gateway.refuse(head, reply, why),
      breakers: () => current.gateway.breakers(),
      calls: () => sum(all().map((gateway) => gateway.calls())),
    },
    close: async (graceMs) => sum(await Promise.all(all().map((gateway) => gateway.close(graceMs)))),
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
