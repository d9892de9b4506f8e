import type { FunctionTool, Message, ModelRequest, ToolCall } from '@dragoman/core'
import { base64, plainWords, words } from './words.ts'

/** A typical agent request: instructions, six tools, turns with calls, parallel calls and results. */
export function typicalRequest(turns = 12): ModelRequest {
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
