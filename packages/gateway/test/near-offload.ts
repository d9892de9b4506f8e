import { protocols } from '@dragoman/core'
import { createOffload, createWorkServer, errorOf, type Asked, type Offload } from '../src/index.ts'

/** An offload whose far side is in this thread. All that crosses goes through the clone that `postMessage` makes. */
export function nearOffload(from = 0): Offload {
  const answer = createWorkServer(protocols)
  let id = 0
  const post = (order: unknown, transfer: readonly ArrayBuffer[]) => {
    const delivery = answer(structuredClone({ id: id++, order } as Asked, { transfer: [...transfer] })) // an order of the near side
    return delivery === undefined ? undefined : structuredClone(delivery.answered, { transfer: [...delivery.transfer] })
  }
  return createOffload({
    from,
    protocols,
    borrow: () => ({
      async ask(order, transfer) {
        const answered = post(order, transfer)
        if (answered?.error !== undefined) throw errorOf(answered.error)
        return answered?.result
      },
      tell: (order) => void post(order, []),
      giveBack() {},
    }),
  })
}
