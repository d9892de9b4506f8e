import type { Feature, LossCode } from '@dragoman/core'
import type { CostItem, CostName, Fields } from '@dragoman/core/provider'
import type { CallPolicy } from '../routing/preferences.ts'

/** What a call would do. Plain JSON. */
export interface Explanation {
  /** As the caller wrote it. */
  readonly model: string
  /** The caller's protocol. */
  readonly protocol: string
  readonly stream: boolean
  /** How the routes are chosen: by the call, its alias and its key. */
  readonly policy: CallPolicy
  /** The routes in the order in which the call would try them. */
  readonly routes: readonly ExplainedRoute[]
  /** The routes that the call must not or cannot take. */
  readonly skipped: readonly SkippedRoute[]
}

export interface SkippedRoute {
  readonly provider: string
  /** The routed id: `<provider>/<name>`. */
  readonly model: string
  /** The upstream's name of the model. */
  readonly upstreamModel: string
  /** The upstream's protocol. */
  readonly protocol: string
  /** Why it is at this position, or why it is skipped. */
  readonly reasons: readonly string[]
}

export interface ExplainedRoute extends SkippedRoute {
  /** The error that the call gets if it comes to this route: it is then not sent. */
  readonly refused?: ExplainedError
  readonly mode: 'relay' | 'translate'
  /** Why it is translated. */
  readonly because?: string
  readonly request: ExplainedRequest
  /** What the upstream would not get of the request. If there are many, only the first ones. */
  readonly losses: readonly ExplainedLoss[]
  /** The number of all losses. */
  readonly lossCount: number
  /** An estimate. Absent if the card of the model has no prices. */
  readonly price?: ExplainedPrice
  /** Set if cache marks would be lost. */
  readonly lostCache?: LostCache
}

export interface ExplainedError {
  readonly kind: string
  readonly message: string
}

/** The upstream request. Header values and query values that the provider adds are masked, because they may be secrets. */
export interface ExplainedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Fields
  /** The body as it would be sent. Absent if the bodies of all routes together are larger than the limit of a request. */
  readonly body?: string
  /** The size of the body. */
  readonly bytes: number
}

export interface ExplainedLoss {
  /** A stable name. */
  readonly code: LossCode
  /** Kind, path and reason. */
  readonly text: string
  /** What does not arrive because of it. */
  readonly features: readonly Feature[]
}

export interface ExplainedPrice {
  readonly nanos: number
  /** Exact, as a decimal. */
  readonly dollars: string
  readonly items: readonly CostItem[]
  /** What the card has no price for. It is not in the sum. */
  readonly unpriced?: readonly CostName[]
  /** The version of the prices. */
  readonly version?: string
}

/** What lost cache marks cost in each turn of a conversation, at most. */
export interface LostCache {
  /** The number of lost marks. */
  readonly marks: number
  /** The tokens from the last mark that is kept, or from the beginning, to the last one that is lost; an estimate. */
  readonly tokens: number
  /** These tokens at the price of the prompt, less the price of cache reads. Absent if the card has no prices. */
  readonly nanosPerTurn?: number
  readonly dollarsPerTurn?: string
  readonly text: string
}
