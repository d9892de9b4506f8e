import { readContent } from '@dragoman/core/provider'
import type { Head } from '@dragoman/core'
import type { Call, Failure, Fields, Flow, Provider, Receiver, Transport } from '@dragoman/core/provider'
import type { Bytes } from '@dragoman/core/provider'
import type { Reply } from '../src/index.ts'
import { card } from './fake-protocol.ts'

/** A transport whose responses the test gives by hand. */
export interface ScriptedTransport extends Transport {
  readonly calls: ScriptedCall[]
  readonly last: ScriptedCall
}

export interface ScriptedCall {
  readonly call: Call
  readonly flow: { paused: boolean; cancelled: boolean }
  head(status: number, headers?: Fields): void
  chunk(text: string): void
  end(): void
  fail(kind: Failure['kind'], more?: Partial<Failure>): void
}

export function scriptedTransport(): ScriptedTransport {
  const calls: ScriptedCall[] = []
  return {
    calls,
    get last() {
      const call = calls.at(-1)
      if (call === undefined) throw new Error('Nothing was sent.')
      return call
    },
    send(call, receiver) {
      const flow = { paused: false, cancelled: false }
      calls.push(scriptedCall(call, receiver, flow))
      return flowOf(flow, receiver)
    },
  }
}

function scriptedCall(call: Call, receiver: Receiver, flow: ScriptedCall['flow']): ScriptedCall {
  return {
    call,
    flow,
    head: (status, headers = { 'content-type': 'application/json' }) =>
      void receiver.onHead(status, (name) => headers[name]),
    chunk: (text) => receiver.onChunk(new TextEncoder().encode(text)),
    end: () => receiver.onEnd(),
    fail: (kind, more) => receiver.onFail({ kind, retryable: false, ...more }),
  }
}

function flowOf(flow: ScriptedCall['flow'], receiver: Receiver): Flow {
  return {
    pause() {
      flow.paused = true
    },
    resume() {
      flow.paused = false
    },
    cancel() {
      if (flow.cancelled) return
      flow.cancelled = true
      receiver.onFail({ kind: 'cancelled', retryable: false })
    },
  }
}

/** A reply that keeps everything it receives. */
export interface KeptReply extends Reply {
  status: number | undefined
  headers: Fields
  text: string
  state: 'open' | 'whole' | 'ended' | 'cut'
  /** The return value of `write`. */
  free: boolean
}

export function keptReply(): KeptReply {
  const decode = (chunk: Bytes): string => (typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk))
  const reply: KeptReply = {
    status: undefined,
    headers: {},
    text: '',
    state: 'open',
    free: true,
    whole(status, headers, body) {
      Object.assign(reply, { status, headers, text: decode(body), state: 'whole' })
    },
    start(status, headers) {
      Object.assign(reply, { status, headers })
    },
    write(chunk) {
      reply.text += decode(chunk)
      return reply.free
    },
    end() {
      reply.state = 'ended'
    },
    cut() {
      reply.state = 'cut'
    },
  }
  return reply
}

export function head(method: string, target: string, headers: Fields = {}): Head {
  const [path = '', query = ''] = target.split('?')
  return { method, path, query, header: (name) => headers[name] }
}

/** A provider with the given protocols; its calls go to `https://<name>.test`. */
export function fakeProvider(name: string, protocols: readonly string[], models = [card('m')]): Provider {
  return {
    name,
    models,
    protocols,
    call: (protocol, target, { headers, body, deadlines }) => ({
      url: `https://${name}.test/${protocol}${target.path}`,
      method: 'POST',
      headers: { ...headers, ...target.headers },
      body: readContent(target, body).bytes,
      deadlines,
    }),
  }
}

/** The text of an answer that is not ended cleanly. Throws if it is. */
export async function brokenText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of body ?? []) text += decoder.decode(chunk, { stream: true })
  } catch {
    return text
  }
  throw new Error(`The answer ended cleanly: ${text}`)
}
