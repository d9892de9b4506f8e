import { describe, expect, it } from 'vitest'
import { runScenario } from './run-scenario.ts'
import type { Scenario } from './scenario.ts'
import { OPEN, SCENARIOS } from './scenarios.ts'

const suite = SCENARIOS.filter(({ name }) => !OPEN.has(name))

it('names only scenarios that exist as open', () => {
  expect([...OPEN].filter((name) => SCENARIOS.every((scenario) => scenario.name !== name))).toEqual([])
})

describe('the short form of', () => {
  it.each(suite.filter(({ waits }) => waits !== true))('$name: $rule', expectRule)
  // Most of their time they wait.
  it.concurrent.each(suite.filter(({ waits }) => waits === true))('$name: $rule', expectRule)
})

async function expectRule(scenario: Scenario): Promise<void> {
  const findings = await runScenario(scenario, { size: 'short' })
  expect(findings).not.toEqual([])
  expect(findings.filter(({ holds }) => !holds)).toEqual([])
}
