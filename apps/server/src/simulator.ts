import type { Environment, Provider } from '@dragoman/core/provider'
import { environmentMistake, type Mistake } from './config/mistakes.ts'
import type { ProviderConfig } from './config/schema.ts'
import { choiceOf } from './settings.ts'
import { createServerSim } from './sim.ts'
import { VARIABLES } from './variables.ts'

/**
 * The simulator is used if there is no other provider. Beside others it must be enabled: its models cost nothing and fail on request, so
 * real calls must not reach them by accident. An entry in the file decides before the environment; one without `enabled` asks for it.
 */
export function isSimWanted(
  environment: Environment,
  entry: ProviderConfig | undefined,
  hasOthers: boolean,
  mistakes: Mistake[],
): boolean {
  const wrong = (line: string): void => void mistakes.push(environmentMistake(line))
  const byDefault = choiceOf(environment, VARIABLES.sim, ['on', 'off'], hasOthers ? 'off' : 'on', wrong) === 'on'
  return entry === undefined ? byDefault : entry.enabled !== false
}

export function simOf(entry: ProviderConfig | undefined, inlineBytes: number, mistakes: Mistake[]): Provider {
  const { enabled: _wanted, tokensPerSecond, videoSeconds, ...others } = entry ?? {}
  for (const member of Object.keys(others))
    mistakes.push({ path: ['providers', 'sim', member], reason: 'is not for the simulator' })
  return createServerSim({ tokensPerSecond, videoSeconds }, inlineBytes)
}
