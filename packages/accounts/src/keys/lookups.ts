import type { Caller } from '@dragoman/gateway'
import { networkOf } from './network.ts'

type Found = Promise<Caller | undefined>

/** Lets a bounded number of keys be looked up at once. The networks that wait take turns, so that no network can block the others. */
export interface Lookups {
  /** Clients begin with many calls at once: one lookup of a name is enough for all calls of the network. */
  run(address: string | undefined, name: string, look: () => Found): Found
}

const MOST = 64
const MOST_OF_A_NETWORK = 8

interface Line {
  running: number
  readonly waiting: (() => void)[]
  readonly shared: Map<string, Found>
}

export function createLookups(): Lookups {
  /** Networks with lookups, the next one first. */
  const lines = new Map<string, Line>()
  let running = 0
  const isFree = (line: Line): boolean => running < MOST && line.running < MOST_OF_A_NETWORK
  const begin = (line: Line): void => {
    line.running++
    running++
  }
  /** The network goes to the end of the queue. */
  const beginNext = (): void => {
    for (const [network, line] of lines) {
      if (line.waiting.length === 0 || !isFree(line)) continue
      lines.delete(network)
      lines.set(network, line)
      return line.waiting.shift()?.()
    }
  }
  const take = async (network: string, line: Line, name: string, look: () => Found): Found => {
    if (isFree(line) && line.waiting.length === 0) begin(line)
    else await new Promise<void>((resolve) => line.waiting.push(() => resolve(begin(line))))
    try {
      return await look()
    } finally {
      line.running--
      running--
      line.shared.delete(name)
      if (line.shared.size === 0) lines.delete(network)
      beginNext()
    }
  }
  return {
    run(address, name, look) {
      const network = address === undefined ? '' : networkOf(address)
      const line = lines.get(network) ?? { running: 0, waiting: [], shared: new Map<string, Found>() }
      lines.set(network, line)
      const found = line.shared.get(name) ?? take(network, line, name, look)
      line.shared.set(name, found)
      return found
    },
  }
}
