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
}

/** The name of a model in a request. */
export interface ModelName {
  readonly model: string
  /** The same name without the publisher that an SDK put before it. */
  readonly bare?: string | undefined
}
