import { describe, expect, it } from 'vitest'
import { verdictOf, type Task } from './verdict.ts'

const task = (more: Partial<Task>): Task => ({
  taskId: 'core#test',
  directory: 'packages/core',
  command: 'vitest run',
  cache: { status: 'MISS' },
  ...more,
})
const ended = (exitCode: number | null) => task({ execution: { startTime: 0, endTime: 1, exitCode } })
const cached = task({ cache: { status: 'HIT' } })

describe('the verdict on all checks', () => {
  it('is "all passed" if all have passed, now or before', () => {
    expect(verdictOf({ exitCode: 0, isStopped: false }, [ended(0), cached])).toEqual({
      text: 'all passed',
      exitCode: 0,
    })
  })

  it.each([
    ['a check failed', { exitCode: 1, isStopped: false }, [ended(0), ended(1)]],
    ['it was stopped, although turbo ends with 0 then', { exitCode: 0, isStopped: true }, [ended(0)]],
    ['a check has not run', { exitCode: 0, isStopped: false }, [ended(0), task({})]],
    ['a check was killed', { exitCode: 0, isStopped: false }, [ended(0), ended(null)]],
    ['turbo wrote no summary', { exitCode: 0, isStopped: false }, []],
  ])('is none if %s', (_why, run, tasks) => {
    const { text, exitCode } = verdictOf(run, tasks)
    expect(text).not.toContain('passed')
    expect(exitCode).toBe(1)
  })
})
