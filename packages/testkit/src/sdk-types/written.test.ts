import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLosses, type JsonObject, type ModelResponse, type Protocol } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import type { Card } from '@dragoman/core/provider'
import { expect, it } from 'vitest'
import { samples } from '../laws/runs.ts'
import { bytesOf, decodeStream, encodeStream } from '../laws/streams.ts'
import { createExchange, type Exchange } from '../laws/subject.ts'
import { SUBJECT_OF } from '../subjects/subject-of.ts'

const PACKAGE = join(import.meta.dirname, '../..')
const FOLDER = join(PACKAGE, '.vitest/written')
/** Whole answers of each protocol, and as many streams, for each other protocol. */
const ANSWERS = 60

it('writes answers, stream events and models that are assignable to the types of the SDKs', async () => {
  const calls = protocols.flatMap((protocol) => [
    ...protocols.filter((other) => other !== protocol).flatMap((other) => callsOf(protocol, other)),
    callOf(protocol, 'Response', encoded(protocol, SEARCHED)),
    ...CARDS.map((card) => callOf(protocol, 'Model', protocol.models.one({ id: card.name, provider: 'p', card }))),
  ])
  const functions = protocols.flatMap(({ name }) => [`${name}Response`, `${name}Event`, `${name}Model`])
  const head = `import { ${functions.join(', ')} } from '../../src/sdk-types/written.test-d.ts'`
  await mkdir(FOLDER, { recursive: true })
  await writeFile(join(FOLDER, 'written.ts'), [head, ...calls].join('\n'))
  const config = { extends: '../../../../tsconfig.base.json', include: ['written.ts'] }
  await writeFile(join(FOLDER, 'tsconfig.json'), JSON.stringify(config))
  expect(await compile()).toBe('')
})

/** What one protocol writes of the answers of another, as calls that the compiler checks; equal shapes once. */
function callsOf(protocol: Protocol, upstream: Protocol): string[] {
  const wires = SUBJECT_OF[upstream.name]?.wires
  if (wires === undefined) throw new Error(`no subject for ${upstream.name}`)
  const shapes = new Map<string, string>()
  const add = (kind: Kind, body: JsonObject) =>
    void shapes.set(`${kind} ${shapeOf(body)}`, callOf(protocol, kind, body))
  const { decode } = exchangeOf(upstream)
  for (const wire of samples(wires.response, ANSWERS))
    add('Response', encoded(protocol, upstream.response.decode(wire, decode)))
  for (const { frames } of samples(wires.stream, ANSWERS)) {
    const events = decodeStream(upstream, [bytesOf(frames.join(''))], decode)
    const text = encodeStream(protocol, events, exchangeOf(protocol).encode(createLosses()))
    for (const line of text.split('\n'))
      if (line.startsWith('data: {')) add('Event', JSON.parse(line.slice('data: '.length)) as JsonObject) // one frame
  }
  return [...shapes.values()]
}

type Kind = 'Response' | 'Event' | 'Model'

/** Data with members that all objects have, such as `constructor`, confuses the compiler in a list. */
function callOf({ name }: Protocol, kind: Kind, body: JsonObject): string {
  return `${name}${kind}(${JSON.stringify(body).replaceAll(/"(constructor|toString|valueOf|hasOwnProperty)":/g, '"_$1":')})`
}

function encoded(protocol: Protocol, response: ModelResponse): JsonObject {
  return protocol.response.encode(response, exchangeOf(protocol).encode(createLosses()))
}

function exchangeOf(protocol: Protocol): Exchange {
  const subject = SUBJECT_OF[protocol.name]
  if (subject === undefined) throw new Error(`no subject for ${protocol.name}`)
  return createExchange(protocol, subject, { toward: 'client' })
}

/** A value with the types of its texts and numbers, except for texts that are tags. */
function shapeOf(value: JsonObject): string {
  return JSON.stringify(value, (key, inner: unknown) =>
    typeof inner === 'number' || (typeof inner === 'string' && !TAGS.has(key)) ? typeof inner : inner,
  )
}

const TAGS: ReadonlySet<string> = new Set(['type', 'role', 'object', 'finish_reason', 'stop_reason', 'finishReason'])

/** The errors of the compiler; empty if there are none. */
function compile(): Promise<string> {
  const tsc = join(PACKAGE, 'node_modules/.bin/tsc')
  return new Promise((resolve) => {
    execFile(tsc, ['--noEmit', '-p', FOLDER], { cwd: FOLDER, maxBuffer: 2 ** 26 }, (error, output) =>
      resolve(error === null ? '' : output.slice(0, 4000) || error.message),
    )
  })
}

/** An answer with a search of the upstream, which only one protocol has on its wire. */
const SEARCHED: ModelResponse = {
  candidates: [
    {
      parts: [
        { type: 'tool-call', id: 'srvtoolu_1', name: 'web_search', arguments: { query: 'sky' }, by: 'server' },
        {
          type: 'tool-result',
          callId: 'srvtoolu_1',
          by: 'server',
          output: {
            parts: [
              { type: 'search-hit', url: 'https://a', title: 'A', seal: { issuer: 'anthropic', value: 'Eo8BCioI.x' } },
            ],
          },
        },
        { type: 'text', text: 'Blue.', citations: [{ quote: 'sky', source: { kind: 'url', url: 'https://a' } }] },
      ],
      finish: { reason: 'stop' },
    },
  ],
  usage: { input: 10, output: 20, cacheRead: 1, cacheWrite1h: 2, reasoning: 3, searches: 1 },
}

/** A model of which little is known, and one of which much is. */
const CARDS: readonly Card[] = [
  { name: 'plain', input: ['text'], output: ['text'] },
  {
    name: 'rich',
    input: ['text', 'image', 'file'],
    output: ['text'],
    released: '2026-01-01',
    retires: '2027-01-01',
    context: 200_000,
    maxOutput: 64_000,
    reasoning: {},
    prices: { web_search: [{ value: 0.01, unit: 'perCount', currency: 'USD' }] },
  },
]
