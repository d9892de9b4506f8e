import type { Head } from '@dragoman/core'
import { defineProvider, joinBody, type Call, type Transport } from '@dragoman/core/provider'
import { createGateway, createMemoryKeys, type Reply } from '@dragoman/gateway'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RUNS } from '../laws/runs.ts'
import { SEED } from '../laws/seed.ts'
import { dialogues, type Dialogue } from './dialogue.ts'
import { occurrencesOf, readPairs } from './pairs.ts'

const KEY = 'sk-restricted'
const OPEN_KEY = 'sk-open'

/** Members that choose a model, defined by the protocol, by the provider of the test or by routers. Values are JSON. */
const CHOOSING: { readonly [protocol: string]: readonly Member[] } = {
  chat: [
    { path: 'model', value: '"other"' },
    { path: 'models', value: '["other"]' },
    { path: 'route', value: '"fallback"' },
    { path: 'preset', value: '"mine"' },
    { path: 'plugins', value: '[{"id":"auto-router"}]' },
    { path: 'moderation.model', value: '"other"' },
  ],
  messages: [
    { path: 'model', value: '"other"' },
    { path: 'models', value: '["other"]' },
    { path: 'fallbacks', value: '[{"model":"other"}]' },
    { path: 'tools.*.type', value: '"openrouter:fusion"', begins: 'openrouter:', beside: ',"name":"fusion"' },
    { path: 'tools.*.model', value: '"other"', beside: ',"type":"advisor_20260301","name":"advisor"' },
  ],
  genai: [
    { path: 'model', value: '"models/other"' },
    { path: 'models', value: '["other"]' },
    { path: 'generationConfig.routingConfig', value: '{"manualMode":{"modelName":"other"}}' },
    { path: 'modelSelectionConfig', value: '{"featureSelectionPreference":"PRIORITIZE_COST"}' },
  ],
  responses: [
    { path: 'model', value: '"other"' },
    { path: 'models', value: '["other"]' },
    { path: 'plugins', value: '[{"id":"auto-router"}]' },
    { path: 'moderation.model', value: '"other"' },
    { path: 'tools.*.model', value: '"other"', beside: ',"type":"image_generation"' },
    { path: 'tools.*.svg', value: '{"model":"other"}', beside: ',"type":"image_generation"' },
  ],
}

interface Member {
  readonly path: string
  readonly value: string
  readonly begins?: string
  /** The other members on the wire. */
  readonly beside?: string
}

/** A gateway whose upstream records what it receives and answers nothing. */
function stage(protocol: string, mode: 'relay' | 'translate') {
  const calls: Call[] = []
  const transport: Transport = {
    send(call, receiver) {
      calls.push(call)
      receiver.onFail({ kind: 'refused', retryable: false })
      return { pause() {}, resume() {}, cancel() {} }
    },
  }
  const provider = defineProvider({
    name: 'acme',
    endpoints: { [protocol]: 'https://acme.example' },
    choosers: { messages: ['models', { at: 'tools.*.type', begins: 'openrouter:' }] },
    models: [
      {
        name: 'm',
        upstream: 'up-m',
        input: ['text'],
        output: ['text'],
        ...(mode === 'relay' ? {} : { dialects: { [protocol]: {} } }),
      },
    ],
  })
  const keys = createMemoryKeys([
    { id: 'restricted', secret: KEY, models: ['acme/m'] },
    { id: 'open', secret: OPEN_KEY },
  ])
  const gateway = createGateway({ providers: [provider], keys, transport, unsupportedFields: 'accept' })
  return {
    ask: async (
      dialogue: Dialogue,
      key: string,
      text: string,
    ): Promise<{ status: number; answer: string; sent?: Call }> => {
      const before = calls.length
      const reply = createReply()
      const pending = await gateway.open(headOf(dialogue, key), reply)
      pending?.proceed(new TextEncoder().encode(text))
      const { status, answer } = await reply.done
      const sent = calls[before]
      return { status, answer, ...(sent === undefined ? {} : { sent }) }
    },
  }
}

function headOf(dialogue: Dialogue, key: string): Head {
  const headers = dialogue.headers(key)
  const [path = '', query = ''] = dialogue.path('acme/m', 'whole').split('?')
  return { method: 'POST', path, query, header: (name) => headers[name] }
}

function createReply(): Reply & { readonly done: Promise<{ status: number; answer: string }> } {
  const done = Promise.withResolvers<{ status: number; answer: string }>()
  return {
    whole: (status, _headers, body) => done.resolve({ status, answer: String(body) }),
    start() {},
    write: () => true,
    end() {},
    cut() {},
    done: done.promise,
  }
}

/** A name in a spelling that upstreams without case sensitivity also accept, with any JSON escapes. */
function spelledName(name: string): fc.Arbitrary<string> {
  const letter = (character: string) =>
    fc.constantFrom(
      character,
      character.toUpperCase(),
      ...(character === 's' ? ['ſ'] : []),
      ...(character === 'k' ? ['\u212a'] : []),
    )
  const written = fc.tuple(...Array.from(name, letter)).map((letters) => letters.join(''))
  return fc
    .oneof({ weight: 2, arbitrary: fc.constant(name) }, written)
    .chain((text) =>
      fc
        .boolean()
        .map((escape) =>
          escape ? `"\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}${text.slice(1)}"` : `"${text}"`,
        ),
    )
}

/** One member of a body with the chooser at its path, or without it. */
function memberText({ path, value, beside = '' }: Member): fc.Arbitrary<string> {
  const steps = path.split('.')
  const names = steps.map((step) => (step === '*' ? fc.constant('*') : spelledName(step)))
  const held = fc.constantFrom(value, value, 'null')
  return fc.tuple(fc.tuple(...names), held, fc.boolean()).map(([[first = '', ...rest], inner, isEmpty]) => {
    const build = ([step, ...more]: readonly string[]): string => {
      if (step === undefined) return inner
      if (step === '*') return `[${build(more)}]`
      return `{${step}:${build(more)}${more.length === 0 ? beside : ''}}`
    }
    return `${first}:${isEmpty && rest.length > 0 ? (rest[0] === '*' ? '[]' : '{}') : build(rest)}`
  })
}

/** An upstream finds no other model, whichever of two members with the same name it reads and however it compares names. */
function mustChooseNothing({ body = '' }: Call, protocol: string): void {
  const sent = joinBody(body)
  const pairs = readPairs(typeof sent === 'string' ? sent : new TextDecoder().decode(sent))
  for (const { path, begins } of CHOOSING[protocol] ?? []) {
    const found = occurrencesOf(pairs, path.split('.')).filter(
      (value) => value !== null && (begins === undefined || (typeof value === 'string' && value.startsWith(begins))),
    )
    const allowed = path === 'model' && protocol !== 'genai' ? ['up-m'] : []
    if (JSON.stringify(found) !== JSON.stringify(allowed)) throw new Error(`${path} is ${JSON.stringify(found)}`)
  }
}

function bodyText(dialogue: Dialogue): fc.Arbitrary<string> {
  const base = Object.entries(dialogue.ask('acme/m', 'Hi', 'whole')).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  )
  const more = fc.array(fc.oneof(...(CHOOSING[dialogue.protocol] ?? []).map(memberText)), { maxLength: 3 })
  return fc
    .tuple(more, fc.boolean())
    .map(([added, isBefore]) => `{${[...(isBefore ? added : []), ...base, ...(isBefore ? [] : added)].join(',')}}`)
}

describe.each(dialogues.map((dialogue) => [dialogue.protocol, dialogue] as const))(
  'a restricted key on %s',
  (name, dialogue) => {
    const choosing = CHOOSING[name] ?? []

    it.each(['relay', 'translate'] as const)('never forwards a chooser: %s', async (mode) => {
      const { ask } = stage(name, mode)
      const seen = { refused: 0, sent: 0 }
      await fc.assert(
        fc.asyncProperty(bodyText(dialogue), async (text) => {
          const { status, sent } = await ask(dialogue, KEY, text)
          // Some bodies have an unknown model in `model`, or an invalid tool.
          if (sent === undefined && ![400, 403, 404].includes(status)) throw new Error(`refused with ${status}`)
          if (sent !== undefined) mustChooseNothing(sent, name)
          seen[sent === undefined ? 'refused' : 'sent']++
        }),
        { numRuns: RUNS, seed: SEED },
      )
      expect(seen.refused).toBeGreaterThan(RUNS / 10)
      expect(seen.sent).toBeGreaterThan(RUNS / 10)
    })

    it.each(choosing.filter(({ path }) => path !== 'model'))(
      'gets an error that names the member it may not use: $path',
      async (member) => {
        const { ask } = stage(name, 'relay')
        const [first = '', ...rest] = member.path.split('.')
        const inner = rest.reduceRight(
          (value, step) => (step === '*' ? `[${value}]` : `{"${step}":${value}${member.beside ?? ''}}`),
          member.value,
        )
        const body = JSON.stringify(dialogue.ask('acme/m', 'Hi', 'whole')).replace('{', `{"${first}":${inner},`)
        const answer = await ask(dialogue, KEY, body)
        expect(answer.status).toBe(403)
        expect(answer.answer).toContain(member.path.replace('*', '0'))
        const open = await ask(dialogue, OPEN_KEY, body)
        expect(open.sent).toBeDefined()
        expect(new TextDecoder().decode(open.sent?.body as Uint8Array)).toContain(`"${first}":${inner}`) // relayed as bytes
      },
    )
  },
)
