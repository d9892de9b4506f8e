import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Protocol, StreamEvent } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { plainResponse } from '../corpus/answers.ts'
import { wireFrames, wireResponse } from '../corpus/wire.ts'

/** A response of a protocol, ready to send. A token goes between the two halves of its frame. */
export interface Script {
  readonly whole: Buffer
  readonly wholeHead: { readonly [name: string]: string | number }
  readonly streamHead: { readonly [name: string]: string }
  readonly opening: string
  readonly beforeStamp: string
  readonly afterStamp: string
  readonly ending: string
}

export const STREAM_TOKENS_PER_SECOND = 50

/** The number of tokens of a complete stream. */
export const STREAM_TOKENS = 3000
const STAMP = '@stamp@'

export function createScript(protocol: Protocol): Script {
  const whole = Buffer.from(JSON.stringify(wireResponse(protocol, plainResponse(800))))
  const events: StreamEvent[] = [
    { type: 'start', response: { id: 'bench_1', model: 'bench-model', created: 1_760_000_000 } },
    { type: 'block-start', part: { type: 'text', text: '' } },
    { type: 'block-delta', text: STAMP },
    { type: 'block-end' },
    { type: 'end', candidate: { finish: { reason: 'stop' } }, usage: { input: 40, output: STREAM_TOKENS } },
  ]
  const frames = wireFrames(protocol, events)
  const position = frames.findIndex((frame) => frame.includes(STAMP))
  const [beforeStamp = '', afterStamp = ''] = frames[position]?.split(STAMP) ?? []
  return {
    whole,
    wholeHead: { 'content-type': 'application/json', 'content-length': whole.length },
    streamHead: { 'content-type': protocol.stream.contentType(undefined) },
    opening: frames.slice(0, position).join(''),
    beforeStamp,
    afterStamp,
    ending: frames.slice(position + 1).join(''),
  }
}

/** The placeholder for the time at which the C upstream sends a token: 16 digits, so that all tokens have the same length. */
const DIGITS = `~${'0'.repeat(16)}~`

/** Writes the responses of all protocols for the C upstream, with HTTP framing: one file for each part of each. */
export function writeScripts(folder: string): readonly string[] {
  mkdirSync(folder, { recursive: true })
  for (const protocol of protocols) {
    const { whole, wholeHead, streamHead, opening, beforeStamp, afterStamp, ending } = createScript(protocol)
    const parts = {
      whole: Buffer.concat([Buffer.from(headOf(wholeHead)), whole]),
      opening: headOf({ ...streamHead, 'transfer-encoding': 'chunked' }) + chunkOf(opening),
      token: chunkOf(beforeStamp + DIGITS + afterStamp),
      ending: `${chunkOf(ending)}0\r\n\r\n`,
    }
    for (const [part, bytes] of Object.entries(parts)) writeFileSync(join(folder, `${protocol.name}.${part}`), bytes)
  }
  return protocols.map(({ name }) => name)
}

function headOf(headers: { readonly [name: string]: string | number }): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`
}

/** Empty text gives no chunk, because an empty chunk would end the response. */
function chunkOf(text: string): string {
  return text === '' ? '' : `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}
