import type { Provider } from '@dragoman/core/provider'
import { createWorkThreads } from '@dragoman/gateway-node'
import { createSim, type Delivery, type SimCall, type SimOptions } from '@dragoman/provider-sim'

/** The message to the thread of the simulator. */
export interface SimOrder {
  readonly call: SimCall
  readonly tokensPerSecond: number | undefined
}

/** The simulator. Requests of `from` bytes or more are answered by another thread. */
export function createServerSim(
  { tokensPerSecond, videoSeconds }: Pick<SimOptions, 'tokensPerSecond' | 'videoSeconds'>,
  from: number,
): Provider {
  const threads = createWorkThreads({ entry: new URL('./sim-thread.ts', import.meta.url), most: 1 })
  const answer = async (call: SimCall): Promise<Delivery> => {
    const thread = threads.borrow()
    try {
      return (await thread.ask({ call, tokensPerSecond } satisfies SimOrder, [])) as Delivery // the answer of the thread
    } finally {
      thread.giveBack()
    }
  }
  return createSim({ tokensPerSecond, videoSeconds, offload: { from, answer } })
}
