import { expect, it } from 'vitest'
import { reportForeign, reportForeignExtras } from './foreign-extras.ts'
import { createLosses, type Losses } from './loss.ts'
import type { ModelRequest } from './request.ts'

const reported = (losses: Losses): string[] => losses.entries().map(({ kind, path }) => `${kind} ${path.join('.')}`)

it('names every lost member of every node', () => {
  const extras = { chat: { foo: 1 }, genai: { bar: 2 } }
  const hit = { type: 'search-hit', parts: [{ type: 'text', text: 'a', extras }] } as const
  const citations = [{ source: { kind: 'url', url: 'u' }, extras }] as const
  const document = { kind: 'parts', parts: [{ type: 'text', text: 'b', extras }] } as const
  const request: ModelRequest = {
    model: 'm',
    messages: [
      {
        role: 'user',
        extras,
        parts: [
          { type: 'tool-result', by: 'client', output: { parts: [hit] } },
          { type: 'text', text: 'c', citations },
          { type: 'media', kind: 'document', source: document },
          { type: 'opaque', protocol: 'chat', value: { extras: { chat: { theirs: 1 } } } },
        ],
      },
    ],
    tools: [{ type: 'function', name: 'f', extras }],
    settings: {},
    delivery: {},
    metadata: { extras: { chat: { theirs: 1 } } },
  }
  const losses = createLosses()
  reportForeign(request, 'genai', losses)
  expect(reported(losses)).toEqual([
    'dropped messages.0.extras.chat.foo',
    'dropped messages.0.parts.0.output.parts.0.parts.0.extras.chat.foo',
    'dropped messages.0.parts.1.citations.0.extras.chat.foo',
    'dropped messages.0.parts.2.source.parts.0.extras.chat.foo',
    'dropped tools.0.extras.chat.foo',
  ])
  expect(losses.entries()[0]?.reason).toBe('only chat has this')
})

it('reports extras inside nested objects, to three levels', () => {
  const losses = createLosses()
  const chat = { a: { b: { c: { d: 1 } }, list: [{ f: 1 }], none: {} }, nothing: null }
  reportForeignExtras({ chat }, undefined, losses, ['usage'])
  expect(reported(losses)).toEqual([
    'dropped usage.extras.chat.a.b.c',
    'dropped usage.extras.chat.a.list',
    'dropped usage.extras.chat.a.none',
    'dropped usage.extras.chat.nothing',
  ])
})
