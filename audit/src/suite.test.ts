import { describe, expect, it } from 'vitest'
import { runScenario } from './run-scenario.ts'
import type { Scenario } from './scenario.ts'
import { SCENARIOS } from './scenarios.ts'

it('has a name of its own for each scenario', () => {
  expect(new Set(SCENARIOS.map(({ name }) => name)).size).toBe(SCENARIOS.length)
})

describe('the short form of', () => {
  it.each(SCENARIOS.filter(({ waits }) => waits !== true))('$name: $rule', expectRule)
  // Most of their time they wait.
  it.concurrent.each(SCENARIOS.filter(({ waits }) => waits === true))('$name: $rule', expectRule)
})

async function expectRule(scenario: Scenario): Promise<void> {
  const findings = await runScenario(scenario, { size: 'short' })
  expect(findings).not.toEqual([])
  expect(findings.filter(({ holds }) => !holds)).toEqual([])
}
