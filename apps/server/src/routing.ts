import type { GatewayOptions } from '@dragoman/gateway'
import type { Config } from './config/schema.ts'

const WAITING = 100
const SECONDS = 30

/** The options of the gateway for trying routes. */
export function routingOf({ providers = {}, routing }: Config): Pick<GatewayOptions, 'retries' | 'queues'> {
  const queues = Object.entries(providers).flatMap(([name, entry]) => {
    if (typeof entry === 'boolean' || entry.queue === undefined) return []
    const { concurrency, waiting = WAITING, seconds = SECONDS } = entry.queue
    return [[name, { concurrency, queue: waiting, waitMs: seconds * 1000 }] as const]
  })
  return { retries: routing?.retries, queues: Object.fromEntries(queues) }
}
