import type { JsonObject, Protocol } from '@dragoman/core'
import { foldOf } from '../generators/stream.ts'
import { normal, same, show } from './same.ts'
import { bytesOf, decodeStream, encodeStream } from './streams.ts'
import { createExchange, createNoLosses, sent, type Subject, type WireStream } from './subject.ts'

/** Identity of requests: decoding and encoding in one protocol changes nothing except alternative spellings. */
export function mustKeepRequest(protocol: Protocol, subject: Subject, wire: JsonObject): void {
  const exchange = createExchange(protocol, subject, {
    toward: 'upstream',
    caller: protocol.name,
    dialect: subject.dialect,
  })
  const losses = createNoLosses()
  const request = protocol.request.decode(protocol.request.check(sent(wire)), exchange.decode)
  const back = sent(protocol.request.encode(request, exchange.encode(losses)))
  mustBeCanon(back, wire, subject.canon.request)
  losses.mustBeEmpty()
}

export function mustKeepResponse(protocol: Protocol, subject: Subject, wire: JsonObject): void {
  const exchange = createExchange(protocol, subject, { toward: 'client' })
  const losses = createNoLosses()
  const back = sent(
    protocol.response.encode(protocol.response.decode(sent(wire), exchange.decode), exchange.encode(losses)),
  )
  mustBeCanon(back, wire, subject.canon.response)
  losses.mustBeEmpty()
}

/** Identity of streams: frames may be split differently, but their content stays the same. */
export function mustKeepStream(protocol: Protocol, subject: Subject, stream: WireStream): void {
  const exchange = createExchange(protocol, subject, { toward: 'client' })
  const losses = createNoLosses()
  const events = decodeStream(protocol, [bytesOf(stream.frames.join(''))], exchange.decode)
  const text = encodeStream(protocol, events, exchange.encode(losses))
  const before = foldOf(events)
  const after = foldOf(decodeStream(protocol, [bytesOf(text)], exchange.decode))
  if (!same(normal(before), normal(after))) {
    throw new Error(`the stream changed\n before ${show(before)}\n after  ${show(after)}\n text ${text}`)
  }
  losses.mustBeEmpty()
}

function mustBeCanon(back: JsonObject, wire: JsonObject, canon: (wire: JsonObject) => JsonObject): void {
  const expected = canon(sent(wire))
  if (!same(canon(expected), expected))
    throw new Error(`canon is not idempotent\n once ${show(expected)}\n twice ${show(canon(expected))}`)
  if (!same(back, expected)) throw new Error(`the wire changed\n got      ${show(back)}\n expected ${show(expected)}`)
}
