import type { LogEntry } from '@dragoman/gateway'
import { describe, expect, it } from 'vitest'
import { createLog } from './log.ts'
import type { LogLevel } from './config/choices.ts'

const ENTRY: LogEntry = {
  requestId: 'req_1',
  method: 'POST',
  path: '/api/v1/chat/completions',
  protocol: 'chat',
  status: 200,
  outcome: 'complete',
  ms: 12.4,
  caller: 'te"ster\n',
  provider: 'sim',
  model: 'sim/chat-1',
  mode: 'relay',
  attempts: [],
  losses: [],
}

function setUp(level: LogLevel) {
  const lines: string[] = []
  const log = createLog(level, { write: (line) => lines.push(line), flush: async () => {}, flushNow() {} })
  return { log, lines }
}

describe('the log', () => {
  it('writes one line of JSON per response', () => {
    const { log, lines } = setUp('info')
    const before = Date.now()
    log.write(ENTRY)
    const [line = ''] = lines
    expect(line.indexOf('\n')).toBe(line.length - 1)
    const { time, ...facts } = JSON.parse(line) as { time: number }
    expect(time).toBeGreaterThanOrEqual(before)
    expect(time).toBeLessThanOrEqual(Date.now())
    const { attempts, losses, ...entry } = ENTRY
    expect(facts).toEqual({ level: 'info', ...entry, ms: 12, ['msg']: 'answered' })
  })

  it('has levels for errors', () => {
    const { log, lines } = setUp('debug')
    log.write({ ...ENTRY, status: 502 })
    log.write({ ...ENTRY, outcome: 'interrupted' })
    log.note('warn', 'a "word"\nof warning')
    const levels = lines.map((line) => (JSON.parse(line) as { level: string }).level)
    expect(levels).toEqual(['error', 'warn', 'warn'])
    expect(JSON.parse(lines[2] ?? '')).toHaveProperty('msg', 'a "word"\nof warning')
  })

  it('builds nothing for a line that the level hides', () => {
    const { log, lines } = setUp('warn')
    const unread = {
      ...ENTRY,
      get path(): string {
        throw new Error('read')
      },
    }
    log.write(unread)
    log.note('info', 'hidden')
    expect(lines).toEqual([])
    log.setLevel('info')
    expect(() => log.write(unread)).toThrow('read')
    log.setLevel('silent')
    log.note('error', 'hidden')
    expect(lines).toEqual([])
  })
})
