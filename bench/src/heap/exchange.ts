import type { Protocol, StreamEvent } from '@dragoman/core'
import { defineProvider, type Fields, type Flow, type Transport } from '@dragoman/core/provider'
import { createGateway, createMemoryKeys, type Reply, type Stage } from '@dragoman/gateway'
import { ANSWER_MARK, plainResponse } from '../corpus/answers.ts'
import { token } from '../corpus/words.ts'
import { wireFrames, wireResponse } from '../corpus/wire.ts'
import { CALLER_KEY } from '../server/gateway.ts'
import { baseOf, shotOf } from '../server/subjects.ts'

/** An operation whose allocations are measured. */
export type Operation = () => unknown

/**
 * A call through the real gateway without a network: the transport answers at once, and the reply accepts everything. With tokens, the
 * response is a stream with one chunk per token.
 */
export function createExchange(
  client: Protocol,
  upstream: Protocol,
  tokens: number,
  stages: readonly Stage[] = [],
): Operation {
  const stream = tokens > 0
  const gateway = createGateway({
    providers: [
      defineProvider({
        name: 'bench',
        models: [{ name: 'model', input: ['text'], output: ['text'], maxOutput: 32_000, protocols: [upstream.name] }],
        endpoints: { [upstream.name]: 'http://127.0.0.1:1/upstream' },
        auth: { header: 'authorization', prefix: 'Bearer ' },
        key: 'bench-upstream-key',
      }),
    ],
    transport: createAnswering(
      stream ? framesOf(upstream, tokens) : [wholeOf(upstream)],
      stream ? upstream : undefined,
    ),
    keys: createMemoryKeys([{ id: 'bench', secret: CALLER_KEY }]),
    stages,
  })
  const { path, headers, body } = shotOf({ port: 0 }, baseOf(client), client, 'bench/model', 200, stream)
  const [target = '', query = ''] = path.split('?')
  const bytes = new TextEncoder().encode(body)
  const mark = stream ? token(0).trim() : ANSWER_MARK

  return () =>
    new Promise<void>((resolve, reject) => {
      const head = { method: 'POST', path: target, query, header: (name: string) => fieldOf(headers, name) }
      const onOver = (text: string): void => {
        if (text.includes(mark)) resolve()
        else reject(new Error(`Not the response of the upstream: ${text.slice(0, 600)}`))
      }
      const opened = gateway.open(head, createReply(onOver))
      if (opened instanceof Promise) void opened.then((pending) => pending?.proceed(bytes))
      else opened?.proceed(bytes)
    })
}

function fieldOf(fields: Fields, name: string): string | undefined {
  return name === 'content-type' ? 'application/json' : fields[name]
}

/** Keeps only the first chunk of a response, to check it. */
function createReply(onOver: (text: string) => void): Reply {
  let text = ''
  const decoder = new TextDecoder()
  const take = (chunk: string | Uint8Array): void => {
    if (text.length < 2000) text += typeof chunk === 'string' ? chunk : decoder.decode(chunk)
  }
  return {
    whole(_status, _headers, body) {
      take(body)
      onOver(text)
    },
    start: () => {},
    write(chunk) {
      take(chunk)
      return true
    },
    end: () => onOver(text),
    cut: () => onOver('the answer was cut'),
  }
}

const FLOW: Flow = { pause: () => {}, resume: () => {}, cancel: () => {} }

/** Answers every call with the same chunks, in a later turn of the event loop, as a network would. */
function createAnswering(chunks: readonly Uint8Array[], streaming: Protocol | undefined): Transport {
  const headers: Fields = { 'content-type': streaming?.stream.contentType(undefined) ?? 'application/json' }
  return {
    send(_call, receiver) {
      queueMicrotask(() => {
        receiver.onHead(200, (name) => headers[name])
        for (const chunk of chunks) receiver.onChunk(chunk)
        receiver.onEnd()
      })
      return FLOW
    },
  }
}

function wholeOf(protocol: Protocol): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(wireResponse(protocol, plainResponse(800))))
}

function framesOf(protocol: Protocol, tokens: number): Uint8Array[] {
  const events: StreamEvent[] = [
    { type: 'start', response: { id: 'bench_1', model: 'bench-model', created: 1_760_000_000 } },
    { type: 'block-start', part: { type: 'text', text: '' } },
    ...Array.from({ length: tokens }, (_none, index) => ({ type: 'block-delta' as const, text: token(index) })),
    { type: 'block-end' },
    { type: 'end', candidate: { finish: { reason: 'stop' } }, usage: { input: 40, output: tokens } },
  ]
  return wireFrames(protocol, events).map((frame) => new TextEncoder().encode(frame))
}
