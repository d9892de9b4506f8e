import { translate, type JsonObject, type Protocol, type ModelRequest, type Translation } from '@dragoman/core'
import type { CONVERTER_BARS } from '../bars.ts'
import { typicalResponse, typicalStream } from '../corpus/answers.ts'
import { imageRequest, shortTurnsRequest, typicalRequest } from '../corpus/requests.ts'
import { wireFrames, wireRequest, wireResponse } from '../corpus/wire.ts'
import type { Work } from '../measure.ts'
import { jsonFloor, streamFloor } from './floor.ts'

export type CaseName = keyof typeof CONVERTER_BARS

/** One conversion, and the floor that it is compared with. */
export interface Case {
  readonly subject: CaseName
  /** The number of input bytes. */
  readonly size: number
  readonly floor: Work
  readonly works: readonly { readonly name: CaseName; readonly work: Work }[]
}

/** The size of the corpus; small for tests. */
export interface Sizes {
  readonly turns: number
  readonly imageBytes: number
  readonly shortTurns: number
  readonly tokens: number
}

export const SIZES: Sizes = { turns: 12, imageBytes: 1024 * 1024, shortTurns: 200, tokens: 400 }

const OPTIONS = { model: 'bench-model', id: () => 'made', now: 1_760_000_000 }

/** All conversions of a client's requests to an upstream, and of the responses back. */
export function casesOf(client: Protocol, upstream: Protocol, sizes: Sizes): Case[] {
  return [
    requestCase('typical request', client, upstream, typicalRequest(sizes.turns)),
    requestCase('1 MB request', client, upstream, imageRequest(sizes.imageBytes)),
    requestCase('many short turns', client, upstream, shortTurnsRequest(sizes.shortTurns)),
    responseCase(client, upstream),
    streamCase(client, upstream, sizes.tokens),
  ]
}

export function requestCase(
  name: 'typical request' | '1 MB request' | 'many short turns',
  client: Protocol,
  upstream: Protocol,
  request: ModelRequest,
): Case {
  const text = JSON.stringify(wireRequest(client, request))
  const convert = (body: JsonObject) => JSON.stringify(translate(client, upstream, body, OPTIONS).body)
  const checked = (): JsonObject => client.request.check(JSON.parse(text))
  return {
    subject: name,
    size: text.length,
    floor: jsonFloor(text, translate(client, upstream, checked(), OPTIONS).body),
    works: [
      { name, work: () => convert(JSON.parse(text) as JsonObject) }, // written from an object
      { name: `${name}, checked`, work: () => convert(checked()) },
    ],
  }
}

export function responseCase(client: Protocol, upstream: Protocol): Case {
  const text = JSON.stringify(wireResponse(upstream, typicalResponse(upstream.issuer)))
  const asked = ask(client, upstream)
  const convert = () => asked.response(JSON.parse(text) as JsonObject).body // written from an object
  return {
    subject: 'response',
    size: text.length,
    floor: jsonFloor(text, convert()),
    works: [{ name: 'response', work: () => JSON.stringify(convert()) }],
  }
}

export function streamCase(client: Protocol, upstream: Protocol, tokens: number): Case {
  const encoder = new TextEncoder()
  const chunks = wireFrames(upstream, typicalStream(upstream.issuer, tokens)).map((frame) => encoder.encode(frame))
  const asked = ask(client, upstream)
  return {
    subject: 'stream',
    size: chunks.reduce((sum, chunk) => sum + chunk.length, 0),
    floor: streamFloor(chunks),
    works: [{ name: 'stream', work: () => streamThrough(asked, chunks).length }],
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
  return translate(client, upstream, wireRequest(client, typicalRequest()), OPTIONS)
}
