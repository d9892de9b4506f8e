import type { AnswerFacts, AnswerTranslatorOptions, Match, Protocol } from '@dragoman/core'
import type { ErrorInside, Outgoing } from './answer-work.ts'
import type { VectorTranslation } from '../media/vector-translation.ts'
import type { RequestWork, WorkOptions } from './request-work.ts'

/** Another thread that processes large bodies, so that this one is not blocked. */
export interface Offload {
  /** Bodies of this many bytes or more are offloaded. */
  readonly from: number
  /** Whether the other thread has these protocols. */
  knows(protocols: readonly Protocol[]): boolean
  /** Transfers the bytes: they cannot be read here afterwards. `form` is the content type of a form. */
  request(inbound: Protocol, match: Match, bytes: Uint8Array, options: WorkOptions, form?: string): RequestWork
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

/** The task for a whole answer. */
export type AnswerTask =
  | { readonly mode: 'relay'; readonly caller: Protocol; readonly model: string | undefined }
  | {
      readonly mode: 'translate'
      readonly caller: Protocol
      readonly upstream: Protocol
      readonly facts: AnswerFacts
      readonly options: AnswerTranslatorOptions
    }
  | { readonly mode: 'relay-vectors'; readonly caller: Protocol; readonly model: string | undefined }
  | {
      readonly mode: 'translate-vectors'
      readonly caller: Protocol
      readonly upstream: Protocol
      readonly translation: VectorTranslation
    }
