import type { AnswerTranslatorOptions, Protocol } from '@dragoman/core'
import type { ErrorInside, Outgoing } from '../bodies/answer-work.ts'
import type { AnswerTask, Offload } from '../bodies/offload.ts'
import type { Decoded, Order, Surveyed } from './orders.ts'
import { isShared } from '../bodies/is-shared.ts'
import type { BodyFacts, Prepared } from '../bodies/request-work.ts'

export interface OffloadOptions {
  /** Bodies of this many bytes or more are offloaded. */
  readonly from: number
  /** The protocols that the other threads have, as objects of this thread. */
  readonly protocols: readonly Protocol[]
  /** A thread for one body or one answer. */
  readonly borrow: () => BorrowedThread
}

/** One of the threads that run `createWorkServer`. */
export interface BorrowedThread {
  /** Sends an order, transfers the buffers, and resolves with the result. Rejects with a DragomanError. */
  ask(order: unknown, transfer: readonly ArrayBuffer[]): Promise<unknown>
  /** Sends an order that has no result. */
  tell(order: unknown): void
  giveBack(): void
}

/** The gateway's side of an offload: sends the work on bodies to other threads. */
export function createOffload({ from, protocols, borrow }: OffloadOptions): Offload {
  let works = 0
  return {
    from,
    knows: (asked) => asked.every((protocol) => protocols.includes(protocol)),
    request(inbound, match, { bytes, form }, { unsupportedFields, counts, part, downloads, clock }) {
      const thread = borrow()
      const work = works++
      const own = ownBytes(bytes)
      let open = true
      return {
        read() {
          const order: Order = {
            do: 'read',
            work,
            protocol: inbound.name,
            match,
            unsupportedFields,
            counts,
            part,
            downloads,
            form,
            bytes: own,
          }
          return thread.ask(order, buffersOf(own)) as Promise<BodyFacts> // the answer to this message
        },
        fill(texts) {
          return thread.ask({ do: 'fill', work, texts } satisfies Order, []) as Promise<BodyFacts> // the answer to this message
        },
        prepare({ id, card, protocol, isRestricted, leftOut }, seals) {
          const route = { id, card, protocol: protocol.name, isRestricted, leftOut }
          const order: Order = { do: 'prepare', work, route, withoutSeals: seals !== undefined, now: clock.now() }
          return thread.ask(order, []) as Promise<Prepared> // the answer to this message
        },
        async supply(files) {
          const sent = files.map((file) => ({ ...file, bytes: ownBytes(file.bytes) }))
          const order: Order = { do: 'supply', work, files: sent }
          await thread.ask(
            order,
            sent.flatMap((file) => buffersOf(file.bytes)),
          )
        },
        async survey() {
          const order: Order = { do: 'survey', work }
          const { survey } = (await thread.ask(order, [])) as Surveyed // the answer to this message
          return survey
        },
        async decode() {
          const order: Order = { do: 'decode', work }
          const { request } = (await thread.ask(order, [])) as Decoded // the answer to this message
          return request
        },
        close() {
          if (!open) return
          open = false
          thread.tell({ do: 'close', work } satisfies Order)
          thread.giveBack()
        },
      }
    },
    async answer(task, ...answers) {
      const thread = borrow()
      const own = answers.map(ownBytes)
      try {
        return (await thread.ask(orderOf(task, own), own.flatMap(buffersOf))) as Outgoing | ErrorInside // the answer to this message
      } finally {
        thread.giveBack()
      }
    },
  }
}

function orderOf(task: AnswerTask, answers: readonly Uint8Array[]): Order {
  const { operation, caller } = task
  if (task.mode === 'relay') {
    const [bytes = NO_BYTES] = answers
    return { do: 'relay-answer', operation, protocol: caller.name, model: task.model, asked: task.asked, bytes }
  }
  const { upstream, asked, options } = task
  const names = { caller: caller.name, upstream: upstream.name }
  return { do: 'translate-answer', operation, ...names, asked, options: plain(options), answers }
}

const NO_BYTES = new Uint8Array()

/** Without functions. */
function plain({ answerModel, issuer, dialect, now }: AnswerTranslatorOptions): Omit<AnswerTranslatorOptions, 'id'> {
  return { answerModel, issuer, dialect, now }
}

/** Bytes that fill their buffer, so that the buffer can be transferred, or that are shared by all threads. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  const { buffer, byteOffset, byteLength } = bytes
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
  return isWhole || isShared(bytes) ? new Uint8Array(buffer, byteOffset, byteLength) : bytes.slice()
}

/** The buffers to transfer. */
function buffersOf({ buffer }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer ? [buffer] : []
}
