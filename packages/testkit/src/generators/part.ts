import type {
  Citation,
  CitationSource,
  CitationSpan,
  Clip,
  Code,
  CodeOutput,
  JsonObject,
  Media,
  Opaque,
  Part,
  Reasoning,
  Refusal,
  SearchHit,
  Seal,
  Source,
  Text,
  ToolCall,
  ToolOutput,
  ToolResult,
} from '@dragoman/core'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import {
  base64,
  extras,
  json,
  jsonObject,
  key,
  number,
  seal,
  text,
  unknownMembers,
  url,
  word,
  writing,
} from './json.ts'
import { cacheMark } from './cache-mark.ts'
import { never, record } from './record.ts'
import { toolName } from './tool.ts'
import { FOREIGN, type World } from './world.ts'

/** Members that every part can have. Calls and results get their ids from the conversation. */
function partNode(world: World) {
  return { cache: cacheMark(), seal: seal(world), item: word(), extras: extras(world) }
}

export function textPart(world: World): Arbitrary<Text> {
  return record<Text>(
    { type: fc.constant('text'), text: text() },
    { citations: fc.array(citation(world), { minLength: 1, maxLength: 3 }), ...partNode(world) },
  )
}

/** Text of users: no citations, no seals. */
export function plainText(world: World): Arbitrary<Text> {
  return record<Text>(
    { type: fc.constant('text'), text: text() },
    { citations: never, ...partNode(world), seal: never, item: never },
  )
}

export function refusal(world: World): Arbitrary<Refusal> {
  return record<Refusal>({ type: fc.constant('refusal'), text: writing() }, partNode(world))
}

/** Reasoning that is signed, unsigned, or hidden, with only a seal. */
export function reasoning(world: World): Arbitrary<Reasoning> {
  const open = record<Reasoning>(
    { type: fc.constant('reasoning'), text: text() },
    { summary: fc.constant(true), hidden: never, ...partNode(world), seal: never, cache: never },
  )
  const hidden = record<Reasoning>(
    { type: fc.constant('reasoning'), text: fc.constant('') },
    { summary: never, hidden: fc.constant(true), ...partNode(world), seal: never, cache: never },
  )
  const sign = ([part, mark]: readonly [Reasoning, Seal]): Reasoning => ({ ...part, seal: mark })
  return fc.oneof(
    { weight: 2, arbitrary: open },
    { weight: 4, arbitrary: fc.tuple(open, seal(world)).map(sign) },
    {
      weight: 1,
      arbitrary: fc.tuple(hidden, seal(world)).map(([part, mark]) => ({ ...part, hidden: true as const, seal: mark })),
    },
  )
}

/** Raw samples: several parts of them can be one recording. */
const SAMPLES = 'audio/L16;codec=pcm;rate=24000'

export function media(world: World): Arbitrary<Media> {
  return fc.oneof(
    image(world),
    mediaOf(world, 'document', ['application/pdf', 'text/plain', 'text/csv'], never),
    mediaOf(world, 'audio', ['audio/wav', 'audio/mp3', 'audio/mpeg', 'audio/ogg', SAMPLES, SAMPLES], never),
    mediaOf(world, 'video', ['video/mp4'], never),
  )
}

function image(world: World): Arbitrary<Media> {
  return mediaOf(world, 'image', ['image/png', 'image/jpeg', 'image/tiff'], fc.constantFrom('low', 'high'))
}

function mediaOf(
  world: World,
  kind: Media['kind'],
  mimes: readonly string[],
  detail: Arbitrary<string> | typeof never,
): Arbitrary<Media> {
  const document = kind === 'document'
  return record<Media>(
    { type: fc.constant('media'), kind: fc.constant(kind), source: source(world, mimes, document) },
    {
      title: document ? writing() : never,
      context: document ? writing() : never,
      cite: document ? fc.boolean() : never,
      detail,
      clip: kind === 'video' ? clip() : never,
      transcript: kind === 'audio' ? writing() : never,
      ...partNode(world),
    },
  )
}

function clip(): Arbitrary<Clip> {
  const seconds = fc.nat({ max: 90 }).map((n) => `${n}s`)
  return record<Clip>({}, { start: seconds, end: seconds, fps: number(0.1, 24) })
}

export function source(world: World, mimes: readonly string[], document: boolean): Arbitrary<Source> {
  const mime = fc.constantFrom(...mimes)
  const file = fc.constantFrom(world.issuer, FOREIGN.issuer)
  const anywhere = [
    record<Extract<Source, { kind: 'base64' }>>({ kind: fc.constant('base64'), mime, data: base64() }, {}),
    record<Extract<Source, { kind: 'url' }>>({ kind: fc.constant('url'), url: url() }, { mime }),
    record<Extract<Source, { kind: 'file' }>>({ kind: fc.constant('file'), issuer: file, id: word() }, { mime }),
  ]
  if (!document) return fc.oneof(...anywhere)
  const inside = fc.oneof({ weight: 3, arbitrary: plainText(world) }, { weight: 1, arbitrary: image(world) })
  const parts = fc.array(inside, { minLength: 1, maxLength: 2 })
  return fc.oneof(
    ...anywhere,
    record<Extract<Source, { kind: 'text' }>>({ kind: fc.constant('text'), text: writing() }, {}),
    record<Extract<Source, { kind: 'parts' }>>({ kind: fc.constant('parts'), parts }, {}),
  )
}

/** Arguments as the original JSON text, as an object, as empty text, and as text that is not JSON. */
export function toolCall(world: World, name: Arbitrary<string> = toolName()): Arbitrary<ToolCall> {
  const given = fc.oneof(
    { weight: 4, arbitrary: jsonObject().map((value) => JSON.stringify(value)) },
    { weight: 3, arbitrary: jsonObject() },
    { weight: 1, arbitrary: fc.constantFrom('', '{}', '{ "a" : 1.0 }') },
    { weight: 1, arbitrary: fc.constantFrom('{"cut', 'no json', '[1]', '"text"') },
  )
  const call = record<ToolCall>(
    { type: fc.constant('tool-call'), name, arguments: given, by: fc.constant('client') },
    { id: never, custom: never, ...partNode(world) },
  )
  const custom = record<ToolCall>(
    { type: fc.constant('tool-call'), name, arguments: text(), by: fc.constant('client') },
    { id: never, custom: never, ...partNode(world) },
  ).map((part) => ({ ...part, custom: true as const }))
  return fc.oneof({ weight: 9, arbitrary: call }, { weight: 1, arbitrary: custom })
}

export function toolResult(world: World): Arbitrary<ToolResult> {
  return record<ToolResult>(
    { type: fc.constant('tool-result'), output: toolOutput(world), by: fc.constant('client') },
    { callId: never, name: never, failed: fc.constant(true), ...partNode(world), seal: never },
  )
}

function toolOutput(world: World): Arbitrary<ToolOutput> {
  const parts = fc.array(
    fc.oneof(
      { weight: 6, arbitrary: plainText(world) },
      { weight: 1, arbitrary: media(world) },
      { weight: 1, arbitrary: searchHit(world) },
    ),
    { maxLength: 3 },
  )
  return fc.oneof(
    { weight: 5, arbitrary: record<Exclude<ToolOutput, { json: JsonObject }>>({ parts }, {}) },
    { weight: 1, arbitrary: record<Extract<ToolOutput, { json: JsonObject }>>({ json: jsonObject() }, { parts }) },
  )
}

/** A search by the upstream, answered in the same turn: the call and its result. */
export function serverSearch(world: World): Arbitrary<readonly Part[]> {
  const answer = fc.oneof(
    { weight: 3, arbitrary: fc.array(foundHit(world), { minLength: 1, maxLength: 2 }) },
    { weight: 1, arbitrary: fc.constant('max_uses_exceeded') },
  )
  return fc
    .record({ id: word(), query: writing(), answer, extras: extras(world), rare: fc.nat({ max: 9 }) })
    .map(({ id, query, answer, extras, rare }): readonly Part[] => [
      {
        type: 'tool-call',
        id: `srvtoolu_${id}`,
        name: 'web_search',
        arguments: { query },
        by: 'server',
        ...(rare === 0 ? { extras } : {}),
      },
      {
        type: 'tool-result',
        callId: `srvtoolu_${id}`,
        by: 'server',
        ...(typeof answer === 'string' ? { output: { parts: [] }, failed: answer } : { output: { parts: answer } }),
        ...(rare === 1 ? { extras } : {}),
      },
    ])
}

/** A search result that the user gives to the model. */
export function searchHit(world: World): Arbitrary<SearchHit> {
  const parts = fc.array(plainText(world), { minLength: 1, maxLength: 2 })
  return record<SearchHit>(
    { type: fc.constant('search-hit') },
    { url: url(), title: writing(), age: never, parts, cite: fc.boolean(), ...partNode(world), seal: never },
  )
}

/** A search result of the upstream, encrypted for itself. */
function foundHit(world: World): Arbitrary<SearchHit> {
  const hit = record<SearchHit>(
    { type: fc.constant('search-hit') },
    { url: never, title: never, age: word(), parts: never, cite: never, ...partNode(world), seal: never, cache: never },
  )
  return fc
    .record({ hit, url: url(), title: writing(), seal: seal(world) })
    .map(({ hit, ...rest }) => ({ ...hit, ...rest }))
}

export function code(world: World): Arbitrary<Code> {
  return record<Code>({ type: fc.constant('code'), language: fc.constant('PYTHON'), text: writing() }, partNode(world))
}

export function codeOutput(world: World): Arbitrary<CodeOutput> {
  return record<CodeOutput>(
    {
      type: fc.constant('code-output'),
      outcome: fc.constantFrom('OUTCOME_OK', 'OUTCOME_OK', 'OUTCOME_FAILED'),
      text: writing(),
    },
    partNode(world),
  )
}

/** Code that the upstream has run, with its outputs. */
export function ranCode(world: World): Arbitrary<readonly Part[]> {
  return fc
    .tuple(code(world), fc.array(codeOutput(world), { minLength: 1, maxLength: 2 }), fc.boolean())
    .map(([ran, outputs, isOne]): readonly Part[] => {
      if (!isOne || ran.item === undefined) return [ran, ...outputs]
      return [ran, ...outputs.map((output) => ({ ...output, item: ran.item ?? '' }))]
    })
}

/** A block of an unknown kind, of this protocol or another. */
export function opaque(world: World): Arbitrary<Opaque> {
  const value = fc.tuple(word(), unknownMembers()).map(([type, rest]) => ({ ...rest, type: `x_${type}` }))
  return record<Opaque>(
    { type: fc.constant('opaque'), protocol: fc.constantFrom(world.protocol, FOREIGN.protocol), value },
    { words: never, cache: never, seal: never, item: never, extras: never },
  )
}

export function citation(world: World): Arbitrary<Citation> {
  const range = fc
    .tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 }))
    .map(([start, size]): readonly [number, number] => [start, start + size])
  return record<Citation>(
    { source: citationSource(world) },
    { range, quote: writing(), grounded: never, extras: extras(world) },
  )
}

function citationSource(world: World): Arbitrary<CitationSource> {
  const date = fc.dictionary(key(), json(0), { minKeys: 1, maxKeys: 2, noNullPrototype: true })
  return fc.oneof(
    record<Extract<CitationSource, { kind: 'url' }>>(
      { kind: fc.constant('url'), url: url() },
      { title: writing(), seal: seal(world), license: word(), date },
    ),
    record<Extract<CitationSource, { kind: 'document' | 'search-hit' }>>(
      { kind: fc.constantFrom('document', 'search-hit'), index: fc.nat({ max: 5 }) },
      { title: writing(), source: word(), span: span() },
    ),
    record<Extract<CitationSource, { kind: 'file' }>>({ kind: fc.constant('file'), id: word() }, { title: word() }),
  )
}

function span(): Arbitrary<CitationSpan> {
  return record<CitationSpan>(
    { unit: fc.constantFrom('char', 'page', 'block'), start: fc.nat({ max: 9 }), end: fc.integer({ min: 9, max: 20 }) },
    {},
  )
}
