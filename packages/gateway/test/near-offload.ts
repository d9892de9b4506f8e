import { protocols } from '@dragoman/core/protocols'
import { createOffload, createWorkServer, errorOf, type SentOrder, type Offload } from '../src/index.ts'

/** An offload whose worker side is in this thread. All messages are cloned as by `postMessage`. */
export function nearOffload(from = 0): Offload {
  const answer = createWorkServer(protocols)
  let id = 0
  const post = async (order: unknown, transfer: readonly ArrayBuffer[]) => {
    const delivery = await answer(structuredClone({ id: id++, order } as SentOrder, { transfer: [...transfer] })) // a message of the caller side
    return delivery === undefined ? undefined : structuredClone(delivery.message, { transfer: [...delivery.transfer] })
  }
  return createOffload({
    from,
    protocols,
    borrow: () => ({
      async ask(order, transfer) {
        const message = await post(order, transfer)
        if (message?.error !== undefined) throw errorOf(message.error)
        return message?.result
      },
      tell: (order) => void post(order, []),
      giveBack() {},
    }),
  })
}
