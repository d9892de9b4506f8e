import { createMessagesDouble, type Double, type Received } from '@dragoman/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { problemsOf } from './checks.ts'
import type { Client } from './client.ts'
import type { Observed } from './observed.ts'
import { FILES, MARKER, READ, THOUGHT } from './scenarios.ts'

const CLIENT: Client = {
  name: 'a',
  title: 'A',
  language: 'javascript',
  kind: 'agent',
  protocol: 'messages',
  echoes: 'signatures',
  connect: '',
  install: () => Promise.reject(new Error('It is not installed.')),
}

let double: Double
beforeAll(async () => {
  double = await createMessagesDouble([{ parts: [{ text: 'Fine.' }] }])
})
afterAll(() => double.close())

/** The second request of a tool loop. */
function requestOf(
  changed: { readonly signature?: string; readonly mark?: object | null; readonly text?: string } = {},
) {
  const { signature = double.seal(THOUGHT), mark = { type: 'ephemeral', ttl: '1h' }, text } = changed
  const results = Object.values(FILES).map((file, index) => ({
    type: 'tool_result',
    tool_use_id: `toolu_${index}`,
    content: text ?? file,
  }))
  const calls = results.map(({ tool_use_id: id }) => ({ type: 'tool_use', id, name: 'Read', input: {} }))
  return {
    messages: [
      { role: 'user', content: [{ type: 'text', text: READ, cache_control: mark }] },
      { role: 'assistant', content: [{ type: 'thinking', thinking: THOUGHT, signature }, ...calls] },
      { role: 'user', content: results },
    ],
  }
}

function observe(body: Received['body']): Observed {
  const sent = { method: 'POST', path: '/api/anthropic/v1/messages', headers: {}, losses: '', answer: '', startedMs: 0 }
  return {
    cell: { scenario: 'tools', upstream: 'messages', stream: true },
    ended: [{ code: 0, stdout: MARKER, stderr: '', timedOut: false }],
    exchanges: [{ ...sent, status: 200, body: JSON.stringify(requestOf()) }],
    received: [{ number: 1, path: '/v1/messages', headers: {}, body }],
    refused: [],
    hungUp: false,
    folder: '',
    file: '',
  }
}

it('finds nothing if everything arrived as it was sent', () => {
  expect(problemsOf(CLIENT, double, observe(requestOf()))).toEqual([])
})

it('finds a signature that a library lost later in a session, which an agent may', () => {
  const { messages } = requestOf({ signature: '' })
  const answer = { role: 'assistant', content: [{ type: 'text', text: MARKER }] }
  const later = { messages: [...messages, answer, { role: 'user', content: 'And at night?' }] }
  const problem = 'the signature of the thinking did not come back to the upstream'
  expect(problemsOf(CLIENT, double, observe(later))).toEqual([])
  expect(problemsOf({ ...CLIENT, kind: 'library' }, double, observe(later))).toContain(problem)
})

it.each([
  ['a lost signature', { signature: '' }, 'the signature of the thinking did not come back'],
  ['another signature', { signature: 'c2lnbmVkIGJ5IGFub3RoZXI=' }, 'the signature of the thinking did not come back'],
  ['a lost cache mark', { mark: null }, 'the cache marks messages.0.content.0 {"type":"ephemeral","ttl":"1h"} did not'],
  ['a changed cache mark', { mark: { type: 'ephemeral' } }, 'the cache marks messages.0.content.0'],
  ['another result', { text: 'nothing' }, 'result 1 is not'],
])('finds %s', (_name, changed, problem) => {
  expect(problemsOf(CLIENT, double, observe(requestOf(changed)))).toContainEqual(expect.stringContaining(problem))
})
