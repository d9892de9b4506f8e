import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startStage, type Stage } from './stage.ts'
import { risePerMinute, slowDown, soak } from './measure.ts'

describe('the soak benchmark', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await startStage()
  })
  afterAll(() => stage.stop())

  it('keeps streams of every pair open through the real server without problems', async () => {
    const plan = { streams: 24, baselineMs: 300, warmUpMs: 500, sampleMs: 500, samples: 2 }
    const { samples, problems, openAfter } = await soak(stage, plan)
    expect(problems).toEqual([])
    expect(openAfter).toBe(0)
    expect(samples).toHaveLength(2)
    expect(samples.reduce((sum, { tokensPerSecond }) => sum + tokensPerSecond, 0)).toBeGreaterThan(0)
    for (const { heapMegabytes, residentMegabytes } of samples) {
      expect(heapMegabytes).toBeGreaterThan(1)
      expect(residentMegabytes).toBeGreaterThan(heapMegabytes)
    }
  })

  it('measures a server whose clients do not read, and leaves it unchanged', async () => {
    const { sentMegabytes, heap, openAfter } = await slowDown(stage, 6, 200)
    expect(sentMegabytes).toBeGreaterThan(0)
    expect(Math.min(...heap)).toBeGreaterThan(1)
    expect(openAfter).toBe(0)
  })

  it('finds the slope of a line', () => {
    const points = [0, 10, 20, 30].map((second) => ({ second, value: 100 + second / 2 }))
    expect(risePerMinute(points)).toBeCloseTo(30)
  })
})
