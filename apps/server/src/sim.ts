import type { Provider } from '@dragoman/core'
import { createWorkThreads } from '@dragoman/gateway-node'
import { createSim, type Delivery, type SimCall } from '@dragoman/provider-sim'

/** What the thread of the simulator is asked. */
export interface SimOrder {
  readonly call: SimCall
  readonly tokensPerSecond: number | undefined
}

/** The simulator. Requests of `from` bytes or more are answered by another thread, as they are translated by one. */
export function createServerSim(tokensPerSecond: number | undefined, from: number): Provider {
  const threads = createWorkThreads({ entry: new URL('./sim-thread.ts', import.meta.url), most: 1 })
  const answer = async (call: SimCall): Promise<Delivery> => {
    const thread = threads.borrow()
    try {
      return (await thread.ask({ call, tokensPerSecond } satisfies SimOrder, [])) as Delivery // what the thread sends
    } finally {
      thread.giveBack()
    }
  }
  return createSim({ tokensPerSecond, offload: { from, answer } })
}
