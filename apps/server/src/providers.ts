import { DragomanError, type Environment, type Provider } from '@dragoman/core'
import { fromEnvironment as anthropic } from '@dragoman/provider-anthropic'
import { fromEnvironment as google } from '@dragoman/provider-google'
import { fromEnvironment as openai } from '@dragoman/provider-openai'
import { fromEnvironment as compatible } from '@dragoman/provider-openai-compatible'
import { createSim } from '@dragoman/provider-sim'
import { StartError } from './settings.ts'

/** The simulator, and every provider that the environment has a key or an address for. One line each. */
export function enabledProviders(environment: Environment): readonly Provider[] {
  try {
    return [
      createSim(),
      ...openai(environment),
      ...anthropic(environment),
      ...google(environment),
      ...compatible(environment),
    ]
  } catch (error) {
    if (error instanceof DragomanError) throw new StartError(error.message)
    throw error
  }
}
