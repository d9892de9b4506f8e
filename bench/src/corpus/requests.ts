import type { FunctionTool, Message, ModelRequest, ToolCall } from '@dragoman/core'
import { createChoice, nestedTool, type Choose } from './tools.ts'
import { base64, plainWords, words } from './words.ts'

const TOOLS = 10
/** Without the instructions. */
const TURNS = 20

/**
 * A typical agent request of 7.6 KB: ten tools with nested schemas, twenty short turns with calls and results, only ASCII. Each seed makes
 * another one.
 */
export function typicalRequest(seed = 1): ModelRequest {
  const choose = createChoice(seed)
  const tools = Array.from({ length: TOOLS }, (_none, index) => nestedTool(index, choose))
  const turns = Array.from({ length: TURNS / 4 }, () => shortCall(tools[choose(TOOLS)]?.name ?? '', choose)).flat()
  return {
    model: 'bench-model',
    messages: [
      { role: 'system', parts: [{ type: 'text', text: plainWords(20) }] },
      ...turns.slice(0, -1),
      { role: 'user', parts: [{ type: 'text', text: plainWords(7, choose(40)) }] },
    ],
    tools,
    toolChoice: { mode: 'auto' },
    settings: { maxTokens: 4096, temperature: 0.7 },
    delivery: { stream: true, usage: true },
  }
}

/** Four turns: a question, a call, its result, an answer. */
function shortCall(name: string, choose: Choose): Message[] {
  const id = `call_${choose(1_000_000)}`
  const text = (count: number) => plainWords(count, choose(40))
  const output = { parts: [{ type: 'text' as const, text: JSON.stringify({ rows: [text(3), choose(100)] }) }] }
  const given = JSON.stringify({ query: text(3), limit: choose(50) })
  return [
    { role: 'user', parts: [{ type: 'text', text: text(6) }] },
    { role: 'assistant', parts: [{ type: 'tool-call', id, name, arguments: given, by: 'client' }] },
    { role: 'user', parts: [{ type: 'tool-result', callId: id, output, by: 'client' }] },
    { role: 'assistant', parts: [{ type: 'text', text: text(7) }] },
  ]
}

/** A request with long texts: instructions, six tools, turns with calls, parallel calls and results. The records of the heap are of this one. */
export function longRequest(turns = 12): ModelRequest {
  return {
    model: 'bench-model',
    messages: [{ role: 'system', parts: [{ type: 'text', text: words(220) }] }, ...conversation(turns)],
    tools: Array.from({ length: 6 }, (_none, index) => tool(index)),
    toolChoice: { mode: 'auto' },
    settings: { maxTokens: 4096, temperature: 0.7 },
    delivery: { stream: true, usage: true },
  }
}

/** A question about a large image. */
export function imageRequest(bytes = 1024 * 1024): ModelRequest {
  return {
    model: 'bench-model',
    messages: [
      { role: 'system', parts: [{ type: 'text', text: words(40) }] },
      {
        role: 'user',
        parts: [
          { type: 'text', text: words(20) },
          { type: 'media', kind: 'image', source: { kind: 'base64', mime: 'image/png', data: base64(bytes) } },
        ],
      },
    ],
    settings: { maxTokens: 1024 },
    delivery: {},
  }
}

/** A long chat of short lines: much structure, little text. */
export function shortTurnsRequest(turns = 200): ModelRequest {
  return {
    model: 'bench-model',
    messages: Array.from({ length: turns }, (_none, index) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      parts: [{ type: 'text' as const, text: words(6, index) }],
    })),
    settings: { maxTokens: 1024 },
    delivery: {},
  }
}

/** A question of the given size in characters, only ASCII, without tools. */
export function plainRequest(model: string, stream: boolean, size = 200): ModelRequest {
  const text = plainWords(size).slice(0, size)
  return {
    model,
    messages: [
      { role: 'system', parts: [{ type: 'text', text: plainWords(12) }] },
      { role: 'user', parts: [{ type: 'text', text }] },
    ],
    settings: { maxTokens: 1024 },
    delivery: stream ? { stream, usage: true } : {},
  }
}

function conversation(turns: number): Message[] {
  const messages: Message[] = []
  for (let turn = 0; messages.length < turns; turn++) {
    const calls = turn % 2 === 0 ? [call(turn, 0)] : [call(turn, 0), call(turn, 1)]
    messages.push({ role: 'user', parts: [{ type: 'text', text: words(30, turn) }] })
    messages.push({ role: 'assistant', parts: [{ type: 'text', text: words(25, turn + 3) }, ...calls] })
    messages.push({
      role: 'user',
      parts: calls.map(({ id = '' }) => ({
        type: 'tool-result',
        callId: id,
        output: { parts: [{ type: 'text', text: JSON.stringify({ rows: [words(40, turn), words(10, turn + 1)] }) }] },
        by: 'client',
      })),
    })
    messages.push({ role: 'assistant', parts: [{ type: 'text', text: words(60, turn + 5) }] })
  }
  // The last turn is the user's.
  return [...messages.slice(0, -1), { role: 'user', parts: [{ type: 'text', text: words(20) }] }]
}

function call(turn: number, position: number): ToolCall {
  return {
    type: 'tool-call',
    id: `call_${turn}_${position}_0123456789abcdef`,
    name: `search_documents_${position}`,
    arguments: JSON.stringify({
      query: words(8, turn),
      limit: 20 + position,
      filters: { language: 'en', recent: true },
    }),
    by: 'client',
  }
}

function tool(index: number): FunctionTool {
  return {
    type: 'function',
    name: `search_documents_${index}`,
    description: words(30, index),
    schema: {
      dialect: 'json-schema',
      value: {
        type: 'object',
        properties: {
          query: { type: 'string', description: words(12, index) },
          limit: { type: 'integer', minimum: 1, maximum: 100 },
          filters: {
            type: 'object',
            properties: { language: { type: 'string', enum: ['en', 'de', 'fr'] }, recent: { type: 'boolean' } },
          },
        },
        required: ['query'],
      },
    },
  }
}
