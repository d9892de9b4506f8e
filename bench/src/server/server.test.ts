import { readFileSync } from 'node:fs'
import { protocols } from '@dragoman/core/protocols'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainRequest } from '../corpus/requests.ts'
import type { Driver, Order } from './driver.ts'
import { startNativeDriver } from './native-driver.ts'
import { buildNative } from './native.ts'
import { createScript } from './script.ts'
import { callOnce, type Shot } from './shot.ts'
import { measureStreamMemory } from './stream-memory.ts'
import { listCandidates, shotOf, type Subject } from './subjects.ts'
import { checkAnswer, createTake, WORKLOADS } from './window.ts'
import { readWrk } from './wrk-driver.ts'

const native = buildNative()
const SHORT = { leadMs: 100, windowMs: 300 }
const [PROTOCOL] = protocols

// Skipped without a C compiler; the end of `npm test` then names it.
describe.skipIf(typeof native === 'string')('load and upstream in C', () => {
  let driver: Driver
  beforeAll(async () => {
    if (typeof native === 'string') return
    driver = await startNativeDriver(native)
  })
  afterAll(() => driver.stop())

  const direct = (name: string, stream: boolean, size = 200): Shot => {
    const protocol = protocols.find((each) => each.name === name) ?? PROTOCOL!
    return shotOf({ port: driver.upstreamPort }, `/${name}`, protocol, 'bench-model', size, stream)
  }
  const orderOf = (shot: Shot, connections: number): Order => ({
    shot,
    connections,
    ...SHORT,
    pid: process.pid,
    onBegin: () => {},
  })

  it.each(protocols)('answers in $name by its script, with small and large bodies', async (protocol) => {
    const { whole } = createScript(protocol)
    expect(await callOnce(direct(protocol.name, false))).toBe(whole.toString())
    expect(await callOnce(direct(protocol.name, false, 64 * 1024))).toBe(whole.toString())
    expect(whole.length).toBeGreaterThan(1000)
  })

  it('reads a body that comes in chunks', async () => {
    const body = new Blob([JSON.stringify(plainRequest('bench-model', false, 70_000))]).stream()
    const url = `http://127.0.0.1:${driver.upstreamPort}/chat/completions`
    const init: RequestInit & { duplex: string } = { method: 'POST', body, duplex: 'half' }
    const answer = await fetch(url, init)
    expect(await answer.text()).toContain('the very answer of the upstream')
  })

  it('answers after the whole body has arrived, because the options can be at its end', async () => {
    const body = JSON.stringify({ padding: 'x'.repeat(500_000), stream: true })
    const answer = await fetch(`http://127.0.0.1:${driver.upstreamPort}/chat/completions`, { method: 'POST', body })
    expect(answer.headers.get('content-type')).toContain('text/event-stream')
    await answer.body?.cancel()
  })

  it.each(protocols)('streams in $name, with the time in every token', async (protocol) => {
    const { opening, beforeStamp, afterStamp } = createScript(protocol)
    const { path, headers, body } = direct(protocol.name, true)
    const url = `http://127.0.0.1:${driver.upstreamPort}${path}`
    const answer = await fetch(url, { method: 'POST', headers, body })
    expect(answer.headers.get('content-type')).toBe(protocol.stream.contentType(undefined))
    const text = await readUntil(answer, (sofar) => sofar.split(afterStamp).length > 3)
    const sent = text.slice(opening.length).split(beforeStamp)
    expect(text.startsWith(opening)).toBe(true)
    expect(sent[1]).toMatch(/^~\d{16}~/)
    expect(Number(sent[2]?.slice(1, 17))).toBeGreaterThan(Number(sent[1]?.slice(1, 17)))
  })

  it('counts calls and tokens, and measures their times', async () => {
    for (const counted of [
      await driver.calls(orderOf(direct('chat', false), 4)),
      await driver.calls(orderOf(direct('genai', false, 64 * 1024), 4)),
      await driver.streams?.(orderOf(direct('messages', true), 4)),
    ]) {
      const { count = 0, micros = 0, cpuMicros = -1, p50 = 0, p99 = 0, max = 0 } = counted ?? {}
      expect(count).toBeGreaterThan(0)
      expect(micros).toBeGreaterThanOrEqual(SHORT.windowMs * 1000)
      expect(cpuMicros).toBeGreaterThanOrEqual(0)
      expect([p50, p99, max]).toEqual([p50, p99, max].sort((left, right) => left - right))
      expect(p50).toBeGreaterThan(0)
    }
  })

  it('reports a failed response, and a port where nothing listens', async () => {
    const shot = { ...direct('chat', false), path: '/nowhere/at/all' }
    await expect(driver.calls(orderOf(shot, 2))).rejects.toThrow('not a success: HTTP/1.1 404')
    await expect(driver.calls(orderOf({ ...shot, port: 1 }, 2))).rejects.toThrow('cannot connect')
  })

  describe('around real servers', () => {
    const subjects: Subject[] = []
    beforeAll(async () => {
      const names = [
        'node:http pass-through',
        'node:http + undici dispatch',
        'dragoman chat → chat',
        'dragoman messages → genai',
      ]
      for (const { name, start } of listCandidates())
        if (names.includes(name)) subjects.push(await start(driver.upstreamPort))
    })
    afterAll(() => {
      for (const { child } of subjects) child.stop()
    })

    it('gets the response of the upstream, and figures for every load', async () => {
      expect(subjects).toHaveLength(4)
      for (const subject of subjects) {
        await checkAnswer(subject)
        for (const workload of Object.values(WORKLOADS)) {
          const reading = await createTake(driver, { ...workload, connections: 4 }, SHORT)(subject)
          expect(reading?.perSecond).toBeGreaterThan(0)
          expect(reading?.micros).toBeGreaterThan(0)
          expect(reading?.gc).toBeGreaterThanOrEqual(0)
          expect(reading?.stallMs).toBeGreaterThanOrEqual(0)
        }
        // Between its windows it does not run at all.
        const { pid } = subject.child
        await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) T /)
      }
    })

    it('measures their memory while streams are open', async () => {
      const plan = { streams: 20, leadMs: 300, windowMs: 500 }
      const { ours = 0, dispatch = 0 } = (await measureStreamMemory(driver, plan)) ?? {}
      expect(dispatch).toBeGreaterThan(30)
      expect(ours).toBeGreaterThan(dispatch)
    })
  })
})

describe('a machine without a C compiler', () => {
  it('gets a message', () => {
    expect(buildNative('no-such-compiler')).toBe('there is no no-such-compiler')
  })
})

describe('wrk as the load', () => {
  it('reads the output of wrk', () => {
    expect(readWrk(WRK)).toEqual({ count: 1402, micros: 2_000_000, p50: 12_300, p99: 1_190_000, max: 1_500_000 })
    expect(() => readWrk(`${WRK}\n  Non-2xx or 3xx responses: 7`)).toThrow('7 answers were not a success')
  })
})

const WRK = `Running 2s test @ http://127.0.0.1:8080/chat
  1 threads and 32 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency    24.90ms   40.18ms   1.50s    90.10%
    Req/Sec   703.10    120.21     0.90k    75.00%
  Latency Distribution
     50%   12.30ms
     75%   30.00ms
     90%   61.05ms
     99%    1.19s
  1402 requests in 2.00s, 1.90MB read
Requests/sec:    701.00
Transfer/sec:      0.95MB`

async function readUntil(answer: Response, enough: (text: string) => boolean): Promise<string> {
  let text = ''
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString()
    if (enough(text)) break
  }
  return text
}
