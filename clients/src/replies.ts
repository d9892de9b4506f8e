import { join } from 'node:path'
import type { Answer, Failure, Received, ReceivedRequest, Turn } from '@dragoman/testkit'
import type { Client, Scenario } from './client.ts'
import { readerCalls } from './reader-calls.ts'
import { FIRST_TEXT, MARKER, READ, THOUGHT, WEATHER } from './scenarios.ts'
import type { Upstream } from './upstreams.ts'

const TEXT: Answer = { parts: [{ text: `The answer is ${MARKER}.` }] }
/** A stream that stops after its first words. */
const STALLED: Answer = {
  parts: [{ text: `${FIRST_TEXT} let me think for a while, and then for longer.` }],
  sending: { stall: 6 },
}
const LIMITED: Failure = {
  status: 429,
  error: { type: 'rate_limit_error', message: 'Too many requests: wait a second.' },
  headers: { 'retry-after': '1' },
}

/** The answers of an upstream for one scenario. Agents make calls without tools on the side, for titles and the like. */
export function createReplies(
  client: Client,
  scenario: Scenario,
  upstream: Upstream,
  work: string,
): (call: Received) => Turn {
  let limited = false
  return (call) => {
    const request = upstream.read(call.body)
    if (client.kind === 'agent' && request.tools.length === 0) return TEXT
    if (scenario === 'abort') return STALLED
    if (scenario === 'limit' && !limited) {
      limited = true
      return LIMITED
    }
    return asksForTools(request) ? callTools(client, request, work) : TEXT
  }
}

/** Whether the last turn is a prompt that needs tools. The results of tools are a turn without such a prompt. */
function asksForTools({ turns, tools }: ReceivedRequest): boolean {
  const last = turns.at(-1)
  if (tools.length === 0 || last === undefined || last.results.length > 0) return false
  return last.text.includes(READ) || last.text.includes(WEATHER)
}

function callTools(client: Client, { tools, turns }: ReceivedRequest, work: string): Answer {
  const round = turns.filter(({ role }) => role === 'model').length
  const calls =
    client.kind === 'agent'
      ? readerCalls(tools, [join(work, 'first.txt'), join(work, 'second.txt')])
      : ['Paris', 'Rome'].map((city) => ({ call: 'get_weather', input: { city } }))
  return { parts: [{ reasoning: THOUGHT }, ...calls.map((one, index) => ({ ...one, id: `toolu_${round}_${index}` }))] }
}
