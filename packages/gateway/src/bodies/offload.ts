import type { AnswerTranslatorOptions, Match, Protocol } from '@dragoman/core'
import type { ErrorInside, Outgoing } from './answer-work.ts'
import type { RequestWork, SentBody, WorkOptions } from './request-work.ts'

/** Another thread that processes large bodies, so that this one is not blocked. */
export interface Offload {
  /** Bodies of this many bytes or more are offloaded. */
  readonly from: number
  /** Whether the other thread has these protocols. */
  knows(protocols: readonly Protocol[]): boolean
  /** Transfers the bytes: they cannot be read here afterwards. */
  request(inbound: Protocol, match: Match, sent: SentBody, options: WorkOptions): RequestWork
  /** Transfers the bytes of a whole answer, or of several that become one. */
  answer(task: AnswerTask, ...answers: readonly Uint8Array[]): Promise<Outgoing | ErrorInside>
}

/** The offload for a body of this size in these protocols; undefined if this thread must process it. */
export function offloadFor(
  offload: Offload | undefined,
  size: number,
  protocols: readonly Protocol[],
): Offload | undefined {
  return offload !== undefined && size >= offload.from && offload.knows(protocols) ? offload : undefined
}

/** The task for a whole answer of an operation, by its name. */
export type AnswerTask =
  | {
      readonly mode: 'relay'
      readonly operation: string
      readonly caller: Protocol
      readonly model: string | undefined
      readonly asked?: unknown
    }
  | {
      readonly mode: 'translate'
      readonly operation: string
      readonly caller: Protocol
      readonly upstream: Protocol
      readonly asked: unknown
      readonly options: AnswerTranslatorOptions
    }
