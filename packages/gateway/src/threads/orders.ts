import type { AnswerTranslatorOptions, CountLimits, Match, ModelRequest } from '@dragoman/core'
import type { Card } from '@dragoman/core/provider'
import type { UnsupportedFields } from '../ports/body.ts'
import type { ErrorInside, Outgoing } from '../bodies/answer-work.ts'
import type { Survey } from '../bodies/survey.ts'
import type { PlainError } from './plain-error.ts'
import type { BodyFacts, LinkFile, Prepared } from '../bodies/request-work.ts'

/** A message to the other thread. Plain data for `postMessage`; protocols and operations are sent by name. */
export type Order =
  | {
      readonly do: 'read'
      readonly work: number
      readonly protocol: string
      readonly match: Match
      readonly unsupportedFields: UnsupportedFields
      readonly counts: CountLimits
      readonly part: number
      readonly downloads: boolean
      /** The content type of a form; absent for JSON. */
      readonly form?: string | undefined
      readonly bytes: Uint8Array
    }
  | {
      readonly do: 'prepare'
      readonly work: number
      readonly route: {
        readonly id: string
        readonly card: Card
        readonly protocol: string
        readonly isRestricted: boolean
        readonly leftOut?: string | undefined
      }
      readonly withoutSeals: boolean
      readonly now: number
    }
  | { readonly do: 'fill'; readonly work: number; readonly texts: ReadonlyMap<string, string> }
  | { readonly do: 'supply'; readonly work: number; readonly files: readonly LinkFile[] }
  | { readonly do: 'survey'; readonly work: number }
  | { readonly do: 'decode'; readonly work: number }
  | { readonly do: 'close'; readonly work: number }
  | {
      readonly do: 'relay-answer'
      readonly operation: string
      readonly protocol: string
      readonly model: string | undefined
      readonly asked?: unknown
      readonly bytes: Uint8Array
    }
  | {
      readonly do: 'translate-answer'
      readonly operation: string
      readonly caller: string
      readonly upstream: string
      /** What the operation has noted about the request. */
      readonly asked: unknown
      readonly options: Omit<AnswerTranslatorOptions, 'id'>
      /** The answers to all calls. */
      readonly answers: readonly Uint8Array[]
    }

/** An order with its id. `close` has no result. */
export interface SentOrder {
  readonly id: number
  readonly order: Order
}

/** A request in the IR. */
export interface Decoded {
  readonly request: ModelRequest | undefined
}

/** What is known about a request. */
export interface Surveyed {
  readonly survey: Survey | undefined
}

/** The files were taken. */
export interface Supplied {
  readonly supplied: true
}

export interface OrderResult {
  readonly id: number
  readonly result?: BodyFacts | Prepared | Supplied | Surveyed | Decoded | Outgoing | ErrorInside
  readonly error?: PlainError
}
