import {
  DragomanError,
  type JsonObject,
  type Protocol,
  type ModelRequest,
  type ModelResponse,
  type StreamEvent,
} from '@dragoman/core'
import { chat, messages } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { eventsOf } from './generators/stream.ts'
import { mustSurviveRequest } from './laws/bounded.ts'
import { mustEncodeResponseHonestly, mustEncodeRequestHonestly, mustEncodeStreamHonestly } from './laws/crossing.ts'
import { mustFold, mustFoldWire } from './laws/fold.ts'
import { mustBeWellFormed, mustEndAsItDid, mustPassErrors } from './laws/form.ts'
import { mustKeepRequest, mustKeepResponse } from './laws/identity.ts'
import { mustTapCut, mustTapStream } from './laws/relay.ts'
import { samples } from './laws/runs.ts'
import { mustIgnoreSplits } from './laws/splits.ts'
import { bytesOf, decodeStream } from './laws/streams.ts'
import { createExchange, type Subject } from './laws/subject.ts'
import { chatSubject } from './subjects/chat.ts'
import { messagesSubject } from './subjects/messages.ts'

/** Every law is first tested with real protocols, which satisfy it, and then with a planted defect, which it must find. */
describe.each<[string, Protocol, Subject]>([
  ['chat', chat, chatSubject],
  ['messages', messages, messagesSubject],
])('a defect planted in %s', (_name, protocol, subject) => {
  const request = requestOf(protocol)
  const response = responseOf(protocol)
  const events = eventsOf(response, [3, 9, 1])
  const [stream] = samples(subject.wires.stream, 40).filter(
    ({ frames, answer }) => frames.length > 6 && answer['usage'] !== undefined,
  )
  const [requestWire] = samples(subject.wires.request, 200).filter((wire) =>
    Object.keys(wire).some((key) => key.startsWith('x_')),
  )
  const [responseWire] = samples(subject.wires.response, 200).filter((wire) =>
    Object.keys(wire).some((key) => key.startsWith('x_')),
  )
  if (stream === undefined || requestWire === undefined || responseWire === undefined)
    throw new Error('no fitting samples')

  const checkRequest = (defect: Protocol) => mustEncodeRequestHonestly(defect, subject, request)
  const checkResponse = (defect: Protocol) => mustEncodeResponseHonestly(defect, subject, response)
  const checkStream = (defect: Protocol) => mustEncodeStreamHonestly(defect, subject, events)

  it('is not found before it is planted', () => {
    checkRequest(protocol)
    checkResponse(protocol)
    checkStream(protocol)
    mustKeepRequest(protocol, subject, requestWire)
    mustKeepResponse(protocol, subject, responseWire)
    mustFold(protocol, subject, response, [3])
    mustFoldWire(protocol, subject, stream)
    mustEndAsItDid(protocol, subject, stream)
    mustPassErrors(protocol, subject, events, new DragomanError('overloaded', 'x'))
    mustTapStream(protocol, subject, stream, [5, 50])
    mustTapCut(protocol, stream)
    mustIgnoreSplits(protocol, subject, stream, [[7, 8, 9]])
  })

  it('honesty: a field of a request is dropped', () => {
    const { temperature: _, ...settings } = request.settings
    expect(() => checkRequest(encodingRequests(protocol, (value) => ({ ...value, settings })))).toThrow(
      'does not explain',
    )
  })

  it('honesty: a part of a request is dropped', () => {
    expect(() =>
      checkRequest(
        encodingRequests(
          protocol,
          withTurns((turn) => ({ ...turn, parts: turn.parts.filter((part) => part.type !== 'media') })),
        ),
      ),
    ).toThrow('does not explain')
  })

  it('honesty: a false loss is reported', () => {
    expect(() => checkRequest(reporting(protocol, ['settings', 'temperature']))).toThrow('does not explain')
    expect(() => checkRequest(reporting(protocol, ['settings', 'seed']))).toThrow('false loss')
    expect(() => checkRequest(reporting(protocol, ['messages', 0, 'nowhere', 'here']))).toThrow('false loss')
  })

  it('honesty: two blocks become one', () => {
    expect(() => checkRequest(encodingRequests(protocol, withTurns(joinTexts)))).toThrow('does not explain')
  })

  it('honesty: a signature for its issuer is lost', () => {
    const losing = (text: string): Protocol => ({
      ...protocol,
      request: {
        ...protocol.request,
        encode: (value, context) =>
          JSON.parse(
            JSON.stringify(protocol.request.encode(value, context)).replace('"signature":"sig_one"', text),
          ) as JsonObject, // one member is missing
      },
    })
    expect(() => checkRequest(losing('"x_gone":1'))).toThrow(/does not explain|signature/)
    expect(() => checkRequest(losing('"signature":"sig_two"'))).toThrow('does not explain')
  })

  it('honesty: a signature for a client is lost', () => {
    expect(() => checkResponse(encodingResponses(protocol, unsealedAnswer))).toThrow('does not explain')
    expect(() => checkStream(encodingStreams(protocol, unsealedEvent))).toThrow('does not explain')
  })

  it('honesty: reasoning is left out', () => {
    expect(() => checkResponse(encodingResponses(protocol, withoutThought))).toThrow('does not explain')
  })

  it('honesty: a tool result answers another call', () => {
    const crossed = withTurns((turn) => ({
      ...turn,
      parts: turn.parts.map((part) =>
        part.type === 'tool-result' ? { ...part, callId: part.callId === 'call_1' ? 'call_2' : 'call_1' } : part,
      ),
    }))
    expect(() => checkRequest(encodingRequests(protocol, crossed))).toThrow('does not explain')
  })

  it('honesty: the whole request is hidden in an extra field', () => {
    const hiding: Protocol = {
      ...protocol,
      request: {
        ...protocol.request,
        encode: (value, context) => ({ ...protocol.request.encode(value, context), all: JSON.stringify(value) }),
      },
    }
    expect(() => checkRequest(hiding)).toThrow('extra inputs')
  })

  it('honesty: a tool name is sent that the upstream refuses', () => {
    const unmapped: Protocol = {
      ...protocol,
      request: {
        ...protocol.request,
        encode: (value, context) => protocol.request.encode(value, { ...context, names: undefined }),
      },
    }
    expect(() => checkRequest(unmapped)).toThrow('does not match')
  })

  it('honesty: usage is lost, in a response or in a stream', () => {
    const { usage: _, ...unpaid } = response
    expect(() => checkResponse(encodingResponses(protocol, () => unpaid))).toThrow(/does not explain|false loss/)
    const silent = (event: StreamEvent): StreamEvent =>
      event.type === 'end'
        ? { type: 'end', candidate: event.candidate }
        : event.type === 'start'
          ? { type: 'start', response: event.response }
          : event
    expect(() => checkStream(encodingStreams(protocol, silent))).toThrow(/does not explain|false loss/)
  })

  it('identity: an unknown field is dropped', () => {
    const forgetful: Protocol = {
      ...protocol,
      request: {
        ...protocol.request,
        decode(body, context) {
          const { extras: _, ...value } = protocol.request.decode(body, context)
          return value
        },
      },
    }
    expect(() => mustKeepRequest(forgetful, subject, requestWire)).toThrow('the wire changed')
  })

  it('identity: a canon that is not idempotent', () => {
    const restless = {
      ...subject,
      canon: {
        ...subject.canon,
        request: (wire: JsonObject) => ({ ...wire, model: `${JSON.stringify(wire['model'])}!` }),
      },
    }
    expect(() => mustKeepRequest(protocol, restless, requestWire)).toThrow('idempotent')
  })

  it('fold: usage is counted twice in a stream', () => {
    expect(() => mustFoldWire(decodingStreams(protocol, twice), subject, stream)).toThrow('differ')
  })

  it('form: a cut stream ends cleanly', () => {
    expect(() => mustEndAsItDid(endingCleanly(protocol), subject, stream)).toThrow(/ends as end|not started/)
  })

  it('form: a block is never closed, a delta comes without a block, something follows the end', () => {
    const decoded = decodeStream(
      protocol,
      [bytesOf(stream.frames.join(''))],
      createExchange(protocol, subject, { toward: 'client' }).decode,
    )
    const [part] = response.candidates[0]!.parts
    mustBeWellFormed(decoded)
    expect(() => mustBeWellFormed(decoded.slice(0, -1))).toThrow('no terminal event')
    expect(() => mustBeWellFormed([...decoded, { type: 'block-end' }])).toThrow('after the terminal event')
    expect(() => mustBeWellFormed([decoded[0]!, { type: 'block-delta', text: 'x' }, ...decoded.slice(1)])).toThrow(
      'a delta without a block',
    )
    expect(() =>
      mustBeWellFormed([decoded[0]!, { type: 'block-start', part: emptied(part!) }, decoded.at(-1)!]),
    ).toThrow('inside a block')
    expect(() => mustBeWellFormed(decoded.slice(1))).toThrow('not started')
  })

  it('form: an error in a stream is swallowed', () => {
    expect(() =>
      mustPassErrors(reportingSuccess(protocol), subject, events, new DragomanError('overloaded', 'x')),
    ).toThrow('ends as end')
  })

  it('splits: the output depends on the cuts', () => {
    let machines = 0
    const numbered: Protocol = {
      ...protocol,
      stream: {
        ...protocol.stream,
        encode(write, context) {
          const comment = `: machine ${machines++}\n`
          return protocol.stream.encode((text) => write(comment + text), context)
        },
      },
    }
    expect(() => mustIgnoreSplits(numbered, subject, stream, [[7]])).toThrow('cut at')
  })

  it('relay: a tap that changes bytes, keeps the upstream’s model, takes every end as complete, or counts twice', () => {
    const tapped = (
      change: (tap: ReturnType<Protocol['relay']['tap']>) => Partial<ReturnType<Protocol['relay']['tap']>>,
    ): Protocol => ({
      ...protocol,
      relay: {
        ...protocol.relay,
        tap(options) {
          const tap = protocol.relay.tap(options)
          return {
            failed: undefined,
            push: (chunk) => tap.push(chunk),
            end: () => tap.end(),
            betweenFrames: true,
            lineEnd: '\n',
            strips: false,
            ...change(tap),
          }
        },
      },
    })
    const louder = tapped((tap) => ({
      push: (chunk) => Buffer.concat([Buffer.from(tap.push(chunk) ?? []), Buffer.from(' ')]),
    }))
    const trusting = tapped((tap) => ({ end: () => ({ ...tap.end(), complete: true }) }))
    const double = tapped((tap) => ({
      end() {
        const { usage, ...rest } = tap.end()
        return { ...rest, usage: { ...usage, output: (usage?.output ?? 0) * 2 + 1 } }
      },
    }))
    const unnamed: Protocol = {
      ...protocol,
      relay: { ...protocol.relay, tap: ({ stream, usage }) => protocol.relay.tap({ stream, usage }) },
    }
    expect(() => mustTapStream(unnamed, subject, stream, [])).toThrow('the bytes changed')
    expect(() => mustTapStream(louder, subject, stream, [])).toThrow('the bytes changed')
    expect(() => mustTapCut(trusting, stream)).toThrow('complete after')
    expect(() => mustTapStream(double, subject, stream, [])).toThrow('the tap reads')
  })

  it('bounded: an error of another kind', () => {
    const brittle: Protocol = {
      ...protocol,
      request: {
        ...protocol.request,
        check() {
          throw new TypeError('cannot read properties of undefined')
        },
      },
    }
    expect(() => mustSurviveRequest(brittle, subject, {})).toThrow('not a DragomanError')
  })
})

it('a defect planted in messages: a block index is used twice', () => {
  const careless: Protocol = {
    ...messages,
    stream: {
      ...messages.stream,
      encode: (write, context) =>
        messages.stream.encode((text) => write(text.replaceAll('"index":1', '"index":0')), context),
    },
  }
  const events = eventsOf(responseOf(messages), [4])
  expect(() => mustEncodeStreamHonestly(careless, messagesSubject, events)).toThrow('index')
})

function requestOf({ issuer }: Protocol): ModelRequest {
  const seal = { issuer, value: 'sig_one' }
  return {
    model: 'some/model',
    messages: [
      { role: 'system', parts: [{ type: 'text', text: 'be brief' }] },
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two' },
          { type: 'media', kind: 'image', source: { kind: 'base64', mime: 'image/png', data: 'AAAA' } },
        ],
      },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'hm', seal },
          { type: 'text', text: 'let me see' },
          { type: 'tool-call', id: 'call_1', name: 'mcp.add', arguments: { a: 1 }, by: 'client' },
          { type: 'tool-call', id: 'call_2', name: 'mcp.add', arguments: { a: 2 }, by: 'client' },
        ],
      },
      {
        role: 'user',
        parts: [
          { type: 'tool-result', callId: 'call_1', output: { parts: [{ type: 'text', text: '1' }] }, by: 'client' },
          { type: 'tool-result', callId: 'call_2', output: { parts: [{ type: 'text', text: '2' }] }, by: 'client' },
          { type: 'text', text: 'go on' },
        ],
      },
    ],
    tools: [
      {
        type: 'function',
        name: 'mcp.add',
        schema: { dialect: 'json-schema', value: { type: 'object', properties: {} } },
      },
    ],
    settings: { maxTokens: 9000, temperature: 0.5 },
    delivery: {},
  }
}

function responseOf({ issuer }: Protocol): ModelResponse {
  return {
    id: 'answer_1',
    model: 'some/model',
    created: 1_700_000_000,
    candidates: [
      {
        parts: [
          { type: 'reasoning', text: 'first', seal: { issuer, value: 'sig_one' } },
          { type: 'text', text: 'a word' },
          { type: 'tool-call', id: 'call_1', name: 'add', arguments: '{"a":1}', by: 'client' },
          { type: 'tool-call', id: 'call_2', name: 'add', arguments: '{"a":2}', by: 'client' },
        ],
        finish: { reason: 'tool-calls' },
      },
    ],
    usage: { input: 10, output: 5 },
  }
}

function encodingRequests(protocol: Protocol, change: (request: ModelRequest) => ModelRequest): Protocol {
  return {
    ...protocol,
    request: { ...protocol.request, encode: (value, context) => protocol.request.encode(change(value), context) },
  }
}

function reporting(protocol: Protocol, path: readonly (string | number)[]): Protocol {
  return {
    ...protocol,
    request: {
      ...protocol.request,
      encode(value, context) {
        context.losses.dropped(path, 'planted')
        return protocol.request.encode(value, context)
      },
    },
  }
}

function encodingResponses(protocol: Protocol, change: (response: ModelResponse) => ModelResponse): Protocol {
  return {
    ...protocol,
    response: { ...protocol.response, encode: (value, context) => protocol.response.encode(change(value), context) },
  }
}

function encodingStreams(protocol: Protocol, change: (event: StreamEvent) => StreamEvent): Protocol {
  return {
    ...protocol,
    stream: {
      ...protocol.stream,
      encode(write, context) {
        const machine = protocol.stream.encode(write, context)
        return { push: (event) => machine.push(change(event)), end: () => machine.end() }
      },
    },
  }
}

function decodingStreams(protocol: Protocol, change: (event: StreamEvent) => StreamEvent): Protocol {
  return {
    ...protocol,
    stream: {
      ...protocol.stream,
      decode: (emit, context) => protocol.stream.decode((event) => emit(change(event)), context),
    },
  }
}

/** Ends a truncated stream as if it were complete. */
function endingCleanly(protocol: Protocol): Protocol {
  const clean = (event: StreamEvent): StreamEvent =>
    event.type === 'error' ? { type: 'end', candidate: { finish: { reason: 'stop' } } } : event
  return decodingStreams(protocol, clean)
}

/** Reports success to the client for a failed stream. */
function reportingSuccess(protocol: Protocol): Protocol {
  return encodingStreams(protocol, (event) =>
    event.type === 'error' ? { type: 'end', candidate: { finish: { reason: 'stop' } } } : event,
  )
}

function twice(event: StreamEvent): StreamEvent {
  return event.type === 'end' && event.usage !== undefined
    ? { ...event, usage: { ...event.usage, output: (event.usage.output ?? 0) * 2 + 1 } }
    : event
}

function withTurns(
  change: (message: ModelRequest['messages'][number]) => ModelRequest['messages'][number],
): (request: ModelRequest) => ModelRequest {
  return (request) => ({ ...request, messages: request.messages.map(change) })
}

function joinTexts(turn: ModelRequest['messages'][number]): ModelRequest['messages'][number] {
  const [first, second, ...rest] = turn.parts
  return first?.type === 'text' && second?.type === 'text'
    ? { ...turn, parts: [{ ...first, text: first.text + second.text }, ...rest] }
    : turn
}

function withoutThought(response: ModelResponse): ModelResponse {
  return {
    ...response,
    candidates: response.candidates.map((candidate) => ({ ...candidate, parts: candidate.parts.slice(1) })),
  }
}

function unsealed(
  part: ModelRequest['messages'][number]['parts'][number],
): ModelRequest['messages'][number]['parts'][number] {
  const { seal: _, ...rest } = part
  return rest
}

function unsealedAnswer(response: ModelResponse): ModelResponse {
  return {
    ...response,
    candidates: response.candidates.map((candidate) => ({ ...candidate, parts: candidate.parts.map(unsealed) })),
  }
}

function unsealedEvent(event: StreamEvent): StreamEvent {
  if (event.type === 'block-start') return { ...event, part: unsealed(event.part) }
  return event.type === 'block-patch' ? { type: 'block-patch' } : event
}

function emptied(
  part: ModelResponse['candidates'][number]['parts'][number],
): ModelResponse['candidates'][number]['parts'][number] {
  return part.type === 'reasoning' ? { ...part, text: '' } : part
}
