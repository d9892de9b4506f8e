import { DragomanError, type JsonObject, type Protocol } from '@dragoman/core'
import * as fc from 'fast-check'
import { describe, it } from 'vitest'
import { request } from '../generators/request.ts'
import { response, streamedResponse } from '../generators/response.ts'
import { cuts, stream } from '../generators/stream.ts'
import {
  HEAVY,
  HOSTILE,
  mustLimitLines,
  mustSurviveFrames,
  mustSurviveRequest,
  mustSurviveResponse,
  parsed,
  placesOf,
  replaced,
  replacedText,
} from './bounded.ts'
import { limits, mustAnswerHonestly, mustAskHonestly, mustStreamHonestly } from './crossing.ts'
import { mustFold, mustFoldWire } from './fold.ts'
import { mustBeWellFormed, mustEndAsItDid, mustEndBroken, mustPassErrors } from './form.ts'
import { mustKeepRequest, mustKeepResponse, mustKeepStream } from './identity.ts'
import { mustReadNullAsAbsent } from './nulls.ts'
import { mustEditOnly, mustTapBody, mustTapCut, mustTapStream, mustTellFrames, spelled } from './relay.ts'
import { holds, RUNS, samples, SEED } from './runs.ts'
import { everyPosition, mustNotSeeSplits } from './splits.ts'
import { bytesOf, decodeStream, encodeStream } from './streams.ts'
import { createExchange, createNoLosses, worldOf, type Subject } from './subject.ts'

/** The seven laws, for one protocol: everything it must do, on generated values. */
export function describeProtocol(protocol: Protocol, subject: Subject): void {
  describe(`${protocol.name} keeps the laws (${RUNS} values each, seed ${SEED})`, () => {
    describeIdentity(protocol, subject)
    describeHonesty(protocol, subject)
    describeFold(protocol, subject)
    describeSplits(protocol, subject)
    describeForm(protocol, subject)
    describeRelay(protocol, subject)
    describeBounded(protocol, subject)
  })
}

function describeIdentity(protocol: Protocol, subject: Subject): void {
  const { wires } = subject
  describe('identity', () => {
    it('[tr.identity] decodes and encodes a request without losing anything', () =>
      holds(wires.request, (wire) => mustKeepRequest(protocol, subject, wire)))
    it('[tr.identity] reads a member that is null as one that was not given', () =>
      holds(fc.tuple(wires.request, fc.nat({ max: 10_000 })), ([wire, pick]) =>
        mustReadNullAsAbsent(protocol, subject, wire, pick),
      ))
    it('[tr.identity] decodes and encodes an answer without losing anything', () =>
      holds(wires.response, (wire) => mustKeepResponse(protocol, subject, wire)))
    it('[tr.identity] decodes and encodes a stream without losing anything', () =>
      holds(wires.stream, (wire) => mustKeepStream(protocol, subject, wire)))
  })
}

function describeHonesty(protocol: Protocol, subject: Subject): void {
  const world = worldOf(protocol)
  describe('honesty', () => {
    it('[tr.losses] [tr.ids] explains what an upstream understands of a request', () =>
      holds(fc.tuple(request(world), limits()), ([value, limits]) => mustAskHonestly(protocol, subject, value, limits)))
    it('[tr.losses] explains what an upstream that takes more understands of a request', () =>
      holds(fc.tuple(request(world), limits()), ([value, limits]) =>
        mustAskHonestly(protocol, subject, value, limits, subject.dialect),
      ))
    it('[tr.losses] explains what a client understands of an answer', () =>
      holds(response(world), (value) => mustAnswerHonestly(protocol, subject, value)))
    it('[tr.losses] explains what a client understands of a stream', () =>
      holds(stream(world), (events) => mustStreamHonestly(protocol, subject, events)))
  })
}

function describeFold(protocol: Protocol, subject: Subject): void {
  describe('fold', () => {
    it('reads a stream as the answer that it would have been unstreamed', () =>
      holds(fc.tuple(streamedResponse(worldOf(protocol)), cuts()), ([value, sizes]) =>
        mustFold(protocol, subject, value, sizes),
      ))
    it("reads an upstream's stream as its whole answer", () =>
      holds(subject.wires.stream, (wire) => mustFoldWire(protocol, subject, wire)))
  })
}

function describeSplits(protocol: Protocol, subject: Subject): void {
  describe('splits', () => {
    it('writes the same wherever the bytes are cut once', () => {
      for (const wire of samples(subject.wires.stream, 3)) {
        mustNotSeeSplits(protocol, subject, wire, everyPosition(wire))
      }
    })
    it('writes the same however often the bytes are cut', () =>
      holds(fc.tuple(subject.wires.stream, fc.array(fc.nat({ max: 4000 }), { maxLength: 30 })), ([wire, positions]) =>
        mustNotSeeSplits(protocol, subject, wire, [positions]),
      ))
  })
}

function describeForm(protocol: Protocol, subject: Subject): void {
  const world = worldOf(protocol)
  describe('form', () => {
    it('ends a stream that is cut between frames as an error', () =>
      holds(subject.wires.stream, (wire) => mustEndAsItDid(protocol, subject, wire), RUNS / 4))
    it('ends a stream that is cut inside a frame as an error', () =>
      holds(subject.wires.stream, (wire) => mustEndBroken(protocol, subject, wire)))
    it('reads what it wrote as blocks one after another', () =>
      holds(stream(world), (events) => {
        mustBeWellFormed(events)
        const exchange = createExchange(protocol, subject, { toward: 'client' })
        const text = encodeStream(protocol, events, exchange.encode(createNoLosses()))
        mustBeWellFormed(decodeStream(protocol, [bytesOf(text)], exchange.decode))
      }))
    it('tells the client of an error, and of a stream that just stops', () =>
      holds(
        stream(world),
        (events) => mustPassErrors(protocol, subject, events, new DragomanError('overloaded', 'Too many of you.')),
        RUNS / 4,
      ))
  })
}

function describeRelay(protocol: Protocol, subject: Subject): void {
  const { wires } = subject
  const positions = fc.array(fc.nat({ max: 4000 }), { maxLength: 12 })
  const bodies = wires.request.chain((body) => fc.tuple(fc.constant(body), spelled(body)))
  describe('relay', () => {
    it('edits the declared members of a body and no other byte', () =>
      holds(bodies, ([body, spelling]) => mustEditOnly(protocol, body, spelling)))
    it('hands on the bytes of a stream and reads its usage', () =>
      holds(fc.tuple(wires.stream, positions), ([wire, cuts]) => mustTapStream(protocol, subject, wire, cuts)))
    it('knows a stream that stopped early', () => holds(wires.stream, (wire) => mustTapCut(protocol, wire), RUNS / 4))
    it('knows when a keep-alive may be written', () =>
      holds(fc.tuple(wires.stream, positions), ([wire, cuts]) => mustTellFrames(protocol, wire, cuts)))
    it('hands on the bytes of a whole answer and reads its usage', () =>
      holds(fc.tuple(wires.response, positions), ([wire, cuts]) => mustTapBody(protocol, subject, wire, cuts)))
  })
}

function describeBounded(protocol: Protocol, subject: Subject): void {
  const asked = richest(samples(subject.wires.request, 12))
  const answered = richest(samples(subject.wires.response, 12))
  const streamed = richest(samples(subject.wires.stream, 12))
  const frames = streamed.frames.flatMap((frame) => /^data: ?([^\n]*)/m.exec(frame)?.[1] ?? [])
  describe('bounded', () => {
    for (const [name, hostile] of Object.entries(HOSTILE)) {
      const many = HEAVY.has(name) ? 6 : 120
      it(`survives ${name} in a request`, () => {
        mustSurviveRequest(protocol, subject, parsed(hostile()))
        for (const place of few(placesOf(asked), many))
          mustSurviveRequest(protocol, subject, replaced(asked, place, parsed(hostile())))
      })
      it(`survives ${name} in an answer`, () => {
        for (const place of few(placesOf(answered), many))
          mustSurviveResponse(protocol, subject, replaced(answered, place, parsed(hostile())))
      })
      it(`survives ${name} in a stream`, () => {
        for (const bad of hostileFrames(frames, hostile(), many)) mustSurviveFrames(protocol, subject, bad)
      })
    }
    it('survives frames that are no JSON, and JSON that is no object', () => {
      for (const bad of [
        '',
        '{',
        '{"a',
        'null',
        '[]',
        '1',
        '"x"',
        '\u0000',
        '{"type":"x"}',
        '{"choices":{}}',
        '{"error":null}',
      ]) {
        for (const index of frames.keys()) mustSurviveFrames(protocol, subject, frames.with(index, bad))
      }
    })
    it('gives up on a line that never ends', mustLimitLines)
  })
}

/** The frames with one place of one of them replaced: each place of each in turn, at most so many. */
function* hostileFrames(frames: readonly string[], text: string, many: number): Generator<readonly string[]> {
  const places = frames.flatMap((frame, index) => {
    if (!frame.startsWith('{')) return []
    const chunk = JSON.parse(frame) as JsonObject // generated as one
    return placesOf(chunk).map((place) => ({ index, chunk, place }))
  })
  for (const { index, chunk, place } of few(places, many)) {
    yield frames.with(index, replacedText(chunk, place, text))
  }
}

/** At most so many, spread over all of them. */
function few<T>(items: readonly T[], many: number): readonly T[] {
  const step = Math.max(1, Math.ceil(items.length / many))
  return items.filter((_, index) => index % step === 0)
}

function richest<T>(values: readonly T[]): T {
  const [first, ...rest] = values as [T, ...T[]] // there are samples
  return rest.reduce(
    (best, value) => (JSON.stringify(value).length > JSON.stringify(best).length ? value : best),
    first,
  )
}
