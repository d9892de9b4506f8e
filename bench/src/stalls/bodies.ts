import type { JsonObject, Message, Protocol, ModelRequest } from '@dragoman/core'
import { base64, plainWords } from '../corpus/words.ts'
import { wireRequest } from '../corpus/wire.ts'

/** A body that is large in one way: many elements, or one large value. */
export interface Kind {
  readonly name: string
  /** `count` is the number of elements, or the size in characters. */
  build(protocol: Protocol, model: string, count: number): JsonObject
}

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })

function requestOf(model: string, messages: readonly Message[], more: Partial<ModelRequest> = {}): ModelRequest {
  return { model, messages, settings: { maxTokens: 1024 }, delivery: {}, ...more }
}

function ir(name: string, build: (model: string, count: number) => ModelRequest): Kind {
  return { name, build: (protocol, model, count) => wireRequest(protocol, build(model, count)) }
}

const list = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_none, index) => make(index))

/** Every way in which a client, or a generator of the testkit, can make a request large. */
export const KINDS: readonly Kind[] = [
  ir('one long text', (model, count) => requestOf(model, [user(plainWords(count).slice(0, count))])),
  ir('one long text beyond ASCII', (model, count) => requestOf(model, [user('é€😀 '.repeat(count / 10))])),
  ir('one long text of escapes', (model, count) => requestOf(model, [user('\n"\\'.repeat(count / 6))])),
  ir('one image', (model, count) =>
    requestOf(model, [
      {
        role: 'user',
        parts: [
          {
            type: 'media',
            kind: 'image',
            source: { kind: 'base64', mime: 'image/png', data: base64((count * 3) / 4) },
          },
        ],
      },
    ]),
  ),
  ir('short turns', (model, count) =>
    requestOf(
      model,
      list(count / 60, (index) => ({
        role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
        parts: [{ type: 'text' as const, text: 'ok' }],
      })),
    ),
  ),
  ir('short parts', (model, count) =>
    requestOf(model, [{ role: 'user', parts: list(count / 35, () => ({ type: 'text' as const, text: 'ok' })) }]),
  ),
  ir('calls and results', (model, count) =>
    requestOf(
      model,
      list(count / 250, (index): Message[] => [
        {
          role: 'assistant',
          parts: [{ type: 'tool-call', id: `c${index}`, name: 'look', arguments: { a: index }, by: 'client' }],
        },
        {
          role: 'user',
          parts: [
            {
              type: 'tool-result',
              callId: `c${index}`,
              output: { parts: [{ type: 'text', text: 'ok' }] },
              by: 'client',
            },
          ],
        },
      ]).flat(),
    ),
  ),
  ir('tools', (model, count) =>
    requestOf(model, [user('Hi')], {
      tools: list(count / 100, (index) => ({
        type: 'function' as const,
        name: `tool ${index}`,
        schema: { dialect: 'json-schema', value: { type: 'object', properties: {} } },
      })),
    }),
  ),
  {
    name: 'small values in a schema',
    build: (protocol, model, count) =>
      wireRequest(
        protocol,
        requestOf(model, [user('Hi')], {
          tools: [
            {
              type: 'function',
              name: 'pick',
              schema: { dialect: 'json-schema', value: { type: 'object', enum: list(count / 2, () => 1) } },
            },
          ],
        }),
      ),
  },
  {
    name: 'unknown members',
    build: (protocol, model, count) => ({
      ...wireRequest(protocol, requestOf(model, [user('Hi')])),
      ...Object.fromEntries(list(count / 14, (index) => [`m${index}`, 1])),
    }),
  },
  {
    name: 'empty objects',
    build: (protocol, model, count) => ({
      ...wireRequest(protocol, requestOf(model, [user('Hi')])),
      unknown: list(count / 3, () => ({})),
    }),
  },
]
