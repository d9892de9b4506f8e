import { translate, type JsonObject, type Protocol, type Translation } from '@dragoman/core'
import type { CONVERTER_BARS } from '../bars.ts'
import { typicalResponse, typicalStream } from '../corpus/answers.ts'
import { imageRequest, longRequest, shortTurnsRequest, typicalRequest } from '../corpus/requests.ts'
import { clientRequest, wireFrames, wireRequest, wireResponse } from '../corpus/wire.ts'
import type { Work } from '../measure.ts'
import { jsonFloor, streamFloor } from './floor.ts'

export type CaseName = keyof typeof CONVERTER_BARS

/** One conversion, and the floor that it is compared with. */
export interface Case {
  readonly subject: CaseName
  /** The number of input bytes. */
  readonly size: number
  readonly floor: Work
  readonly works: readonly {
    readonly name: CaseName
    readonly work: Work
    /** The same conversion by the converters of another checkout. */
    readonly before?: Work | undefined
  }[]
}

/** The size of the corpus; small for tests. */
export interface Sizes {
  readonly imageBytes: number
  readonly shortTurns: number
  readonly tokens: number
}

export const SIZES: Sizes = { imageBytes: 1024 * 1024, shortTurns: 200, tokens: 400 }

const OPTIONS = { model: 'bench-model', id: () => 'made', now: 1_760_000_000 }

/** A pair of protocols of one checkout. */
export interface ConverterPair {
  readonly translate: typeof translate
  readonly client: Protocol
  readonly upstream: Protocol
}

export interface CaseOptions {
  readonly sizes: Sizes
  /** Makes the request that no other run has. */
  readonly seed: number
  readonly before?: ConverterPair | undefined
}

/** All conversions of a client's requests to an upstream, and of the responses back. */
export function casesOf(client: Protocol, upstream: Protocol, { sizes, seed, before }: CaseOptions): Case[] {
  const requests = {
    'typical request': typicalRequest(),
    'new request': typicalRequest(seed),
    '1 MB request': imageRequest(sizes.imageBytes),
    'many short turns': shortTurnsRequest(sizes.shortTurns),
  }
  return [
    ...Object.entries(requests).map(
      ([name, request]) =>
        requestCase(name as keyof typeof requests, client, upstream, clientRequest(client, request), before), // its own keys
    ),
    responseCase(client, upstream, before),
    streamCase(client, upstream, sizes.tokens, before),
  ]
}

export function requestCase(
  name: 'typical request' | 'new request' | '1 MB request' | 'many short turns',
  client: Protocol,
  upstream: Protocol,
  body: JsonObject,
  before?: ConverterPair,
): Case {
  const text = JSON.stringify(body)
  const parse = () => JSON.parse(text) as JsonObject // written from an object
  const convert = (pair: ConverterPair, body: JsonObject) =>
    JSON.stringify(pair.translate(pair.client, pair.upstream, body, OPTIONS).body)
  const plain = (pair: ConverterPair) => () => convert(pair, parse())
  const checked = (pair: ConverterPair) => () => convert(pair, pair.client.request.check(JSON.parse(text)))
  const ours = { translate, client, upstream }
  return {
    subject: name,
    size: text.length,
    floor: jsonFloor(text, JSON.parse(checked(ours)())),
    works: [
      { name, work: plain(ours), before: before && plain(before) },
      { name: `${name}, checked`, work: checked(ours), before: before && checked(before) },
    ],
  }
}

export function responseCase(client: Protocol, upstream: Protocol, before?: ConverterPair): Case {
  const text = JSON.stringify(wireResponse(upstream, typicalResponse(upstream.issuer)))
  const convert = (asked: Translation) => asked.response(JSON.parse(text) as JsonObject).body // written from an object
  const work = (asked: Translation) => () => JSON.stringify(convert(asked))
  const asked = ask(client, upstream)
  return {
    subject: 'response',
    size: text.length,
    floor: jsonFloor(text, convert(asked)),
    works: [{ name: 'response', work: work(asked), before: before && work(askIn(before)) }],
  }
}

export function streamCase(client: Protocol, upstream: Protocol, tokens: number, before?: ConverterPair): Case {
  const encoder = new TextEncoder()
  const chunks = wireFrames(upstream, typicalStream(upstream.issuer, tokens)).map((frame) => encoder.encode(frame))
  const work = (asked: Translation) => () => streamThrough(asked, chunks).length
  return {
    subject: 'stream',
    size: chunks.reduce((sum, chunk) => sum + chunk.length, 0),
    floor: streamFloor(chunks),
    works: [{ name: 'stream', work: work(ask(client, upstream)), before: before && work(askIn(before)) }],
  }
}

/** Sends all chunks of an upstream's stream through one translation. Returns the text for the client. */
export function streamThrough(asked: Translation, chunks: readonly Uint8Array[]): string {
  let out = ''
  const stream = asked.answerStream((text) => {
    out += text
  })
  for (const chunk of chunks) stream.push(chunk)
  stream.end()
  return out
}

export function ask(client: Protocol, upstream: Protocol): Translation {
  return askIn({ translate, client, upstream })
}

function askIn({ translate, client, upstream }: ConverterPair): Translation {
  return translate(client, upstream, wireRequest(client, longRequest()), OPTIONS)
}
