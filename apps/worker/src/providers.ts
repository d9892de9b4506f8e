import type { Environment, Provider } from '@dragoman/core/provider'
import { fromEnvironment as anthropic } from '@dragoman/provider-anthropic'
import { fromEnvironment as google } from '@dragoman/provider-google'
import { fromEnvironment as kling } from '@dragoman/provider-kling'
import { fromEnvironment as openai } from '@dragoman/provider-openai'
import { fromEnvironment as compatible } from '@dragoman/provider-openai-compatible'
import { createSim } from '@dragoman/provider-sim'

/** Every provider whose key or address is in the bindings, and the simulator if it is asked for: a worker is open to the world. One line each. */
export function enabledProviders(environment: Environment): readonly Provider[] {
  return [
    ...(environment['DRAGOMAN_SIM'] === 'on' ? [createSim()] : []),
    ...openai(environment),
    ...anthropic(environment),
    ...google(environment),
    ...kling(environment),
    ...compatible(environment),
  ]
}
