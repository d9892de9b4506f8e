import { describe, expect, it } from 'vitest'
import { verdictOf, type Result } from './verdict.ts'

const result = (status: Result['status']): Result => ({
  name: 'packages/core',
  status,
  seconds: 1,
  cpuSeconds: 1,
  tests: 1,
  failedTests: 0,
  failed: [],
  skipped: [],
  files: [],
})

describe('the verdict on all checks', () => {
  it('is "all passed" if all have passed, now or before', () => {
    expect(verdictOf([result('ok'), result('cached')], false)).toEqual({ text: 'all passed', exitCode: 0 })
  })

  it.each([
    ['a check failed', [result('ok'), result('failed')], false],
    ['it was stopped', [result('ok')], true],
    ['a check has not run', [result('ok'), result('not run')], false],
    ['there are no checks', [], false],
  ])('is not a success if %s', (_why, results, isStopped) => {
    const { text, exitCode } = verdictOf(results, isStopped)
    expect(text).not.toContain('passed')
    expect(exitCode).toBe(1)
  })
})
