import { expect } from 'vitest'
import { z } from 'zod'
import { WEATHER } from './scene.ts'
import type { Stage, Upstream } from './stage.ts'

export const THOUGHT = { reasoning: 'I need the weather, surely.' }
/** A loop of tools with signed thinking. */
export const LOOP = [
  { parts: [THOUGHT, { text: 'Let me see.' }, WEATHER] },
  { parts: [{ text: 'Warm.' }], usage: { input: 30, output: 9, cacheRead: 10 } },
] as const
export const CITY = z.object({ city: z.string(), unit: z.string() })

/** The second request has the whole first turn: nothing was lost on the way through the client. */
export function expectWholeTurn({ double, lastRequest }: Stage, upstream: Upstream): void {
  expect(double(upstream).refused).toEqual([])
  expect(double(upstream).received).toHaveLength(2)
  const [, turn, results] = lastRequest(upstream).turns
  expect(turn).toMatchObject({ role: 'model', text: 'Let me see.', calls: [{ name: WEATHER.call }] })
  // Genai signs the call, others the reasoning before it.
  const signed = upstream.protocol === 'genai' ? WEATHER.call : THOUGHT.reasoning
  expect(turn?.seals).toContain(double(upstream).seal(signed))
  expect(results).toMatchObject({ role: 'user', results: [{ text: '21 degrees' }] })
}
