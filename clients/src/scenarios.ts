import type { Cell, Client, Protocol, Scenario } from './client.ts'

export const PROTOCOLS: readonly Protocol[] = ['chat', 'messages', 'genai', 'responses']

export const QUESTION = 'Why is the sky blue?'
/** The prompt that makes the double call tools, for agents. */
export const READ = 'Read the files first.txt and second.txt, then tell me what they contain.'
/** The prompt that makes the double call tools, for libraries. */
export const WEATHER = 'What is the weather in Paris and in Rome?'

/** The prompt that makes the double write a file, for editors. */
export const EDIT = 'Add the word plums-1618 to first.txt.'

/** The prompts of an agent, one process for each. All but the first continue the conversation. */
export const PROMPTS_OF: Readonly<Record<Scenario, readonly string[]>> = {
  question: [QUESTION],
  tools: [READ],
  session: [QUESTION, READ, 'And at night?', 'And on Mars?'],
  limit: [QUESTION],
  abort: [QUESTION],
}

/** Editors have no tool for reading, and edit a file instead. */
export function promptsOf(kind: 'agent' | 'editor', scenario: Scenario): readonly string[] {
  return PROMPTS_OF[scenario].map((prompt) => (kind === 'editor' && prompt === READ ? EDIT : prompt))
}

/** The last text of the double, which the client must print. */
export const MARKER = 'blue-marker-4711'
/** The first piece of the text of a stalled stream. */
export const FIRST_TEXT = 'Well,'
/** The reasoning that the double signs. */
export const THOUGHT = 'Both are needed, so I ask for both at once.'

/** The content of the files of an agent's folder, and the results of a library's tool. */
export const FILES: Readonly<Record<string, string>> = {
  'first.txt': 'The first file contains apples-3141.\n',
  'second.txt': 'The second file contains pears-2718.\n',
}

/** The content of first.txt after the edit. */
export const EDITED = 'The first file contains apples-3141 and plums-1618.\n'

/**
 * Tools with every upstream; the other scenarios with one upstream each, beginning with the client's own protocol. Those of Responses take
 * turns in the scenarios of its own clients only, to save time.
 */
export function cellsOf({ protocol, kind, upstreams = PROTOCOLS }: Tried): Cell[] {
  const turns = protocol === 'responses' ? upstreams : upstreams.filter((upstream) => upstream !== 'responses')
  // A client that cannot use an upstream of its own protocol begins with the first.
  const own = Math.max(
    0,
    turns.findIndex((upstream) => upstream === protocol),
  )
  const upstreamOf = (index: number): Protocol => turns[(own + index) % turns.length] as Protocol // within the list
  const tools = upstreams.map((upstream): Cell => ({ scenario: 'tools', upstream, stream: true }))
  const sessions = new Set([upstreamOf(0), upstreamOf(1)])
  return [
    { scenario: 'question', upstream: upstreamOf(0), stream: kind !== 'library' },
    ...tools,
    ...(kind !== 'library' ? [] : tools.map((cell) => ({ ...cell, stream: false }))),
    ...[...sessions].map((upstream): Cell => ({ scenario: 'session', upstream, stream: true })),
    { scenario: 'limit', upstream: upstreamOf(2), stream: kind !== 'library' },
    { scenario: 'abort', upstream: upstreamOf(1), stream: true },
  ]
}

type Tried = Pick<Client, 'protocol' | 'kind' | 'upstreams'>
