import { join } from 'node:path'
import type { Answer, Failure, Received, ReceivedRequest, Turn } from '@dragoman/testkit'
import type { Client, Scenario } from './client.ts'
import { readerCalls } from './reader-calls.ts'
import { EDIT, EDITED, FIRST_TEXT, MARKER, READ, THOUGHT, WEATHER } from './scenarios.ts'
import type { Upstream } from './upstreams.ts'

const TEXT: Answer = { parts: [{ text: `The answer is ${MARKER}.` }] }
/** A stream that stops after its first words. */
const STALLED: Answer = {
  parts: [{ text: `${FIRST_TEXT} let me think for a while, and then for longer.` }],
  sending: { stall: 6 },
}
/** A new version of a file, in the format that Aider asks for: its name, then its content between fences. */
const LISTING: Answer = {
  parts: [{ reasoning: THOUGHT }, { text: `The answer is ${MARKER}.\n\nfirst.txt\n\`\`\`\n${EDITED}\`\`\`\n` }],
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
    if (client.kind === 'editor') return asks(request, EDIT) ? LISTING : TEXT
    return asksForTools(request) ? callTools(client, request, work) : TEXT
  }
}

/** Whether the last turn is a prompt that needs tools. The results of tools are a turn without such a prompt. */
function asksForTools(request: ReceivedRequest): boolean {
  const { turns, tools } = request
  return tools.length > 0 && turns.at(-1)?.results.length === 0 && (asks(request, READ) || asks(request, WEATHER))
}

function asks({ turns }: ReceivedRequest, prompt: string): boolean {
  return turns.at(-1)?.text.includes(prompt) === true
}

function callTools(client: Client, { tools, turns }: ReceivedRequest, work: string): Answer {
  const round = turns.filter(({ role }) => role === 'model').length
  const calls =
    client.kind === 'agent'
      ? readerCalls(tools, [join(work, 'first.txt'), join(work, 'second.txt')])
      : ['Paris', 'Rome'].map((city) => ({ call: 'get_weather', input: { city } }))
  return { parts: [{ reasoning: THOUGHT }, ...calls.map((one, index) => ({ ...one, id: `toolu_${round}_${index}` }))] }
}
