import type { Protocol } from '@dragoman/core'
import type { Card, Provider } from '@dragoman/core/provider'

/** One way to serve a model: provider, card and protocol. */
export interface Route {
  /** `<provider>/<name>` */
  readonly id: string
  readonly provider: Provider
  readonly card: Card
  readonly protocol: Protocol
  /** Protocols that would come before it, whose endpoint its upstream has turned out not to have. */
  readonly instead?: readonly string[] | undefined
  /** The index of the only key of the provider that may be used. Absent: any key. */
  readonly key?: number | undefined
}

/** The only route that can serve a call, because it has begun what the call continues. Plain data. */
export interface PinnedRoute extends Pick<Route, 'id' | 'key'> {
  /** The name of its protocol. */
  readonly protocol: string
}

/** The name of a model in a request. */
export interface ModelName {
  readonly model: string
  /** The same name without the publisher that an SDK put before it. */
  readonly withoutPublisher?: string | undefined
}
