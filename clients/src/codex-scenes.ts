import { readMessages, type Double, type Received, type Script } from '@dragoman/testkit'
import type { Ended } from './run-command.ts'
import { MARKER, THOUGHT } from './scenarios.ts'

/** What only codex does: tools of its own kinds, compaction, and how it reads failures. The upstream speaks messages. */
export interface Scene {
  readonly title: string
  /** The model that codex believes to call, which decides its tools. */
  readonly model?: string
  readonly turns: Script
  /** Keys of the configuration, and keys of its provider. */
  readonly config?: string
  readonly provider?: string
  /** Uses the built-in provider with another base URL, instead of a provider of its own. */
  readonly isBuiltIn?: true
  /** Continues the thread with these turns, by a provider of its own. */
  readonly resume?: Script
  /** Releases a stalled stream after this time: codex measures its silence by the clock. */
  readonly releaseAfterMs?: number
  readonly problems: (seen: Seen) => readonly (string | false)[]
}

export interface Seen extends Ended {
  readonly double: Double
  /** The requests to the upstream, as objects and as texts. */
  readonly requests: readonly Received['body'][]
  readonly bodies: readonly string[]
  /** The second process, which continued the thread. */
  readonly resumed?: Ended | undefined
  /** The text of the file that a scene writes. */
  readonly file: string | undefined
}

export const UPSTREAM = 'anthropic/claude-sonnet-4.5'
export const DONE = { parts: [{ text: `The answer is ${MARKER}.` }] } as const
const LONG_CALL = {
  parts: [{ call: 'exec_command', id: 'toolu_1', input: { cmd: 'echo 3141' } }],
  usage: { input: 9000, output: 900 },
} as const
const SMALL_WINDOW = 'model_context_window = 8000\nmodel_auto_compact_token_limit = 5000'
const PATCH = '*** Begin Patch\n*** Add File: made.txt\n+plums "1618"\n*** End Patch\n'
const IDLE_MS = 3000

export const SCENES: readonly Scene[] = [
  {
    title: 'thinking comes back signed after a command',
    turns: [
      {
        parts: [
          { reasoning: THOUGHT },
          { text: 'Looking.' },
          { call: 'exec_command', id: 'toolu_1', input: { cmd: 'echo 3141' } },
        ],
      },
      DONE,
    ],
    problems: (seen) => [...succeeded(seen, 2), ...looped(seen, 'Looking.', '3141'), ...declared(seen)],
  },
  {
    title: 'a call of a tool in a namespace',
    turns: [{ parts: [{ call: 'multi_agent_v1__close_agent', id: 'toolu_1', input: { target: 'nobody' } }] }, DONE],
    problems: (seen) => [
      ...succeeded(seen, 2),
      seen.bodies[1]?.includes('unsupported call') === true && 'the name did not come apart',
      !seen.bodies[1]?.includes('invalid agent id') && 'the tool did not run',
    ],
  },
  {
    title: 'apply_patch writes a file',
    model: 'gpt-5.5',
    turns: [{ parts: [{ reasoning: THOUGHT }, { call: 'apply_patch', id: 'toolu_1', input: { input: PATCH } }] }, DONE],
    problems: (seen) => [
      ...succeeded(seen, 2),
      seen.file !== 'plums "1618"\n' && `the file is ${JSON.stringify(seen.file)}`,
      !seen.bodies[0]?.includes('begin_patch') && 'the grammar did not reach the model',
      ...looped(seen, '', 'made.txt'),
    ],
  },
  {
    title: 'tools that are only in additional_tools',
    model: 'gpt-6-sol',
    turns: [{ parts: [{ call: 'functions__exec', id: 'toolu_1', input: { input: 'text("pears-2718")' } }] }, DONE],
    problems: (seen) => [
      ...succeeded(seen, 2),
      seen.stderr.includes('incompatible payload') && 'the call was not a custom one',
      !seen.bodies[1]?.includes('pears-2718') && 'the result did not arrive',
    ],
  },
  {
    title: 'compaction',
    config: SMALL_WINDOW,
    turns: [LONG_CALL, { parts: [{ text: 'A summary.' }] }, DONE],
    problems: (seen) => [...succeeded(seen, 3), !seen.stderr.includes('compacted') && 'nothing was compacted'],
  },
  {
    title: 'the built-in provider asks for a websocket once',
    isBuiltIn: true,
    turns: [DONE],
    problems: (seen) => [...succeeded(seen, 1), ...askedOnce(seen)],
  },
  {
    title: 'a compaction of the built-in provider is refused, and the thread goes on with a provider of its own',
    isBuiltIn: true,
    config: SMALL_WINDOW,
    turns: [LONG_CALL],
    resume: [DONE],
    problems: (seen) => [
      ...askedOnce(seen),
      ...shown(
        { ...seen, bodies: seen.bodies.slice(0, 1) },
        'Codex does so if this gateway is one of its model_providers',
      ),
      seen.bodies.length !== 2 && `the upstream was called ${seen.bodies.length} times instead of 2`,
      seen.resumed?.code !== 0 && `the thread did not go on: ${seen.resumed?.stderr.slice(-300)}`,
      !seen.resumed?.stdout.includes(MARKER) && 'the continued thread has no answer',
    ],
  },
  {
    title: 'silence longer than its timeout',
    turns: [{ ...DONE, sending: { stall: 4 } }],
    provider: `stream_idle_timeout_ms = ${IDLE_MS}`,
    releaseAfterMs: 2 * IDLE_MS,
    problems: (seen) => succeeded(seen, 1),
  },
  {
    title: 'silence longer than its timeout before the first event',
    turns: [{ ...DONE, sending: { stall: 0 } }],
    provider: `stream_idle_timeout_ms = ${IDLE_MS}`,
    releaseAfterMs: 2 * IDLE_MS,
    problems: (seen) => succeeded(seen, 1),
  },
  {
    title: 'a conversation that is too long',
    turns: [
      {
        status: 400,
        error: { type: 'invalid_request_error', message: 'prompt is too long: 8545 tokens > 8192 maximum' },
      },
    ],
    problems: (seen) => shown(seen, 'context_length_exceeded'),
  },
  {
    title: 'a limit',
    turns: [{ status: 429, error: { type: 'rate_limit_error', message: 'Slow down.' } }],
    problems: (seen) => shown(seen, '429 Too Many Requests'),
  },
  {
    title: 'a stream that breaks off',
    provider: 'stream_max_retries = 0',
    turns: [{ parts: [{ text: 'A long story about lions.' }], sending: { cut: { after: 5, how: 'broken' } } }],
    problems: (seen) => shown(seen, 'The connection to the upstream broke off.'),
  },
  {
    title: 'a limit of tokens',
    turns: [{ parts: [{ text: 'As far as' }], stop: 'max_tokens' }],
    problems: (seen) => shown(seen, 'max_output_tokens'),
  },
  {
    title: 'a refusal',
    turns: [{ parts: [{ text: `No, ${MARKER}.` }], stop: 'refusal' }],
    problems: (seen) => [!seen.stderr.includes(MARKER) && 'it did not show the words before it', ...refused(seen)],
  },
  {
    title: 'a refusal without words',
    turns: [{ parts: [], stop: 'refusal' }],
    problems: refused,
  },
]

function succeeded({ code, stdout, stderr, bodies, double }: Seen, calls: number): (string | false)[] {
  return [
    code !== 0 && `it ended with ${code}: ${stderr.slice(-300)}`,
    !stdout.includes(MARKER) && `it did not print the answer but ${JSON.stringify(stdout.slice(-300))}`,
    bodies.length !== calls && `the upstream was called ${bodies.length} times instead of ${calls}`,
    double.refused.length > 0 && `the upstream refused a request: ${double.refused.join()}`,
  ]
}

/** After a call, the second request has the turn as the model wrote it, and the result right behind it. */
function looped({ requests, double }: Seen, words: string, result: string): (string | false)[] {
  const { turns } = readMessages(requests[1] ?? {})
  const [turn, answer] = turns.slice(-2)
  return [
    turn?.seals.join() !== double.seal(THOUGHT) && 'the signature did not come back',
    turn?.text !== words && `the words of the model came back as ${JSON.stringify(turn?.text)}`,
    turn?.calls.length !== 1 && 'the call did not come back',
    !JSON.stringify(answer?.results[0]?.text ?? '').includes(result) && 'the result did not arrive',
  ]
}

/** Instructions of developers are the system's, tools in namespaces have flat names, and the search is one of the upstream. */
function declared({ requests: [request = {}] }: Seen): (string | false)[] {
  const names = readMessages(request).tools.map(({ name }) => name)
  return [
    !/You are a coding agent.*permissions instructions/s.test(JSON.stringify(request['system'])) &&
      'the instructions are not in the system prompt',
    !names.includes('multi_agent_v1__close_agent') && `the tools are ${names.join()}`,
    !JSON.stringify(request['tools']).includes('"type":"web_search_') && 'there is no search',
  ]
}

/** The refusal is the answer. */
function refused({ code, stdout, stderr, bodies }: Seen): (string | false)[] {
  return [
    code !== 0 && `it ended with ${code}: ${stderr.slice(-300)}`,
    !stdout.includes('The model refused to answer.') && `it printed ${JSON.stringify(stdout.slice(-300))}`,
    bodies.length !== 1 && `the upstream was called ${bodies.length} times`,
  ]
}

/** The failure is shown, and not tried again. */
function shown({ code, stderr, bodies }: Seen, words: string): (string | false)[] {
  return [
    code === 0 && 'it ended as if nothing had happened',
    !stderr.includes(words) && `it did not show ${JSON.stringify(words)} but ${JSON.stringify(stderr.slice(-300))}`,
    bodies.length !== 1 && `the upstream was called ${bodies.length} times`,
  ]
}

/** One websocket was tried and answered with 426: every other status would be tried again. */
function askedOnce({ stderr }: Seen): (string | false)[] {
  const tried = stderr.split('failed to connect to Responses WebSocket').length - 1
  return [tried !== 1 && `it tried a websocket ${tried} times`]
}
