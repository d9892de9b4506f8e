import type { GatewayOptions } from '@dragoman/gateway'
import type { Config } from './config/schema.ts'

/** Only the members that are set, in milliseconds. */
export function breakerOptions(
  given: NonNullable<Config['routing']>['breaker'] = {},
): NonNullable<GatewayOptions['breaker']> {
  const { faults, share, pause, longestPause } = given
  return {
    ...(faults === undefined ? {} : { leastFaults: faults }),
    ...(share === undefined ? {} : { faultShare: share }),
    ...(pause === undefined ? {} : { pauseMs: pause * 1000 }),
    ...(longestPause === undefined ? {} : { longestPauseMs: longestPause * 1000 }),
  }
}
