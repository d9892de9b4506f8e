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
  pathsIn,
  replaced,
  replacedText,
} from './bounded.ts'
import { absurdCount, mustBoundCounts, mustBoundStream } from './absurd-counts.ts'
import { limits, mustEncodeResponseHonestly, mustEncodeRequestHonestly, mustEncodeStreamHonestly } from './crossing.ts'
import { mustNameLostFeatures } from './features.ts'
import { mustFold, mustFoldWire } from './fold.ts'
import { mustBeWellFormed, mustEndAsItDid, mustEndBroken, mustPassErrors } from './form.ts'
import { mustKeepRequest, mustKeepResponse, mustKeepStream } from './identity.ts'
import { mustReadNullAsAbsent } from './nulls.ts'
import { mustEditOnly, mustTapBody, mustTapCut, mustTapStream, mustReportFrames, spelled } from './relay.ts'
import { holds, RUNS, samples } from './runs.ts'
import { SEED } from './seed.ts'
import { everyPosition, mustIgnoreSplits } from './splits.ts'
import { bytesOf, decodeStream, encodeStream } from './streams.ts'
import { createExchange, createNoLosses, worldOf, type Subject } from './subject.ts'
import { mustPointAtLosses } from './wire-paths.ts'

/** Tests the seven laws for one protocol, with generated values. */
export function describeProtocol(protocol: Protocol, subject: Subject): void {
  describe(`${protocol.name} satisfies the laws (${RUNS} values each, seed ${SEED})`, () => {
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
    it('[tr.identity] reads a null member as absent', () =>
      holds(fc.tuple(wires.request, fc.nat({ max: 10_000 })), ([wire, pick]) =>
        mustReadNullAsAbsent(protocol, subject, wire, pick),
      ))
    it('[tr.identity] decodes and encodes a response without losing anything', () =>
      holds(wires.response, (wire) => mustKeepResponse(protocol, subject, wire)))
    it('[tr.identity] decodes and encodes a stream without losing anything', () =>
      holds(wires.stream, (wire) => mustKeepStream(protocol, subject, wire)))
    it('[tr.identity] bounds the counts of a response, marks them, and changes nothing else', () =>
      holds(fc.tuple(wires.response, absurdCount()), ([wire, absurd]) =>
        mustBoundCounts(protocol, subject, wire, absurd),
      ))
    it('[tr.identity] bounds the counts of a stream as those of the response', () =>
      holds(fc.tuple(wires.stream, absurdCount()), ([wire, absurd]) =>
        mustBoundStream(protocol, subject, wire, absurd),
      ))
  })
}

function describeHonesty(protocol: Protocol, subject: Subject): void {
  const world = worldOf(protocol)
  describe('honesty', () => {
    it('[tr.losses] [tr.ids] reports every difference in how an upstream understands a request', () =>
      holds(fc.tuple(request(world), limits()), ([value, limits]) =>
        mustEncodeRequestHonestly(protocol, subject, value, limits),
      ))
    it('[tr.losses] reports every difference in how an upstream with extensions understands a request', () =>
      holds(fc.tuple(request(world), limits()), ([value, limits]) =>
        mustEncodeRequestHonestly(protocol, subject, value, limits, subject.dialect),
      ))
    if (subject.less !== undefined) {
      const { dialect } = subject.less
      it('[tr.losses] [tr.ids] reports every difference in how an upstream that accepts less understands a request', () =>
        holds(fc.tuple(request(world), limits()), ([value, limits]) =>
          mustEncodeRequestHonestly(protocol, subject, value, limits, dialect),
        ))
    }
    it('[tr.losses] reports every difference in how a client understands a response', () =>
      holds(response(world), (value) => mustEncodeResponseHonestly(protocol, subject, value)))
    it('[tr.losses] reports every difference in how a client understands a stream', () =>
      holds(stream(world), (events) => mustEncodeStreamHonestly(protocol, subject, events)))
    if (protocol.request.sites !== undefined)
      it("reports the path of every dropped value in the caller's own body", () =>
        holds(subject.wires.request, (wire) => mustPointAtLosses(protocol, wire)))
    it('[tr.losses] names the features of a request that do not reach an upstream', () =>
      holds(subject.wires.request, (wire) => mustNameLostFeatures(protocol, wire)))
  })
}

function describeFold(protocol: Protocol, subject: Subject): void {
  describe('fold', () => {
    it('reads a stream as the same response without streaming', () =>
      holds(fc.tuple(streamedResponse(worldOf(protocol)), cuts()), ([value, sizes]) =>
        mustFold(protocol, subject, value, sizes),
      ))
    it("reads an upstream's stream as its whole response", () =>
      holds(subject.wires.stream, (wire) => mustFoldWire(protocol, subject, wire)))
  })
}

function describeSplits(protocol: Protocol, subject: Subject): void {
  describe('splits', () => {
    it('writes the same for a cut at any position', () => {
      for (const wire of samples(subject.wires.stream, 3)) {
        mustIgnoreSplits(protocol, subject, wire, everyPosition(wire))
      }
    })
    it('writes the same for any number of cuts', () =>
      holds(fc.tuple(subject.wires.stream, fc.array(fc.nat({ max: 4000 }), { maxLength: 30 })), ([wire, positions]) =>
        mustIgnoreSplits(protocol, subject, wire, [positions]),
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
    it('reads its own output as blocks one after another', () =>
      holds(stream(world), (events) => {
        mustBeWellFormed(events)
        const exchange = createExchange(protocol, subject, { toward: 'client' })
        const text = encodeStream(protocol, events, exchange.encode(createNoLosses()))
        mustBeWellFormed(decodeStream(protocol, [bytesOf(text)], exchange.decode))
      }))
    it('reports an error to the client, and a stream that stops without an end', () =>
      holds(
        stream(world),
        (events) => mustPassErrors(protocol, subject, events, new DragomanError('overloaded', 'Too many calls.')),
        RUNS / 4,
      ))
  })
}

function describeRelay(protocol: Protocol, subject: Subject): void {
  const { wires } = subject
  const positions = fc.array(fc.nat({ max: 4000 }), { maxLength: 12 })
  const bodies = wires.request.chain((body) => fc.tuple(fc.constant(body), spelled(body)))
  describe('relay', () => {
    it('edits only the declared members of a body', () =>
      holds(bodies, ([body, spelling]) => mustEditOnly(protocol, body, spelling)))
    it('forwards the bytes of a stream and reads its usage', () =>
      holds(fc.tuple(wires.stream, positions), ([wire, cuts]) => mustTapStream(protocol, subject, wire, cuts)))
    it('detects a stream that stopped early', () => holds(wires.stream, (wire) => mustTapCut(protocol, wire), RUNS / 4))
    it('reports when a keep-alive may be written', () =>
      holds(fc.tuple(wires.stream, positions), ([wire, cuts]) => mustReportFrames(protocol, wire, cuts)))
    it('forwards the bytes of a whole response and reads its usage', () =>
      holds(fc.tuple(wires.response, positions), ([wire, cuts]) => mustTapBody(protocol, subject, wire, cuts)))
  })
}

function describeBounded(protocol: Protocol, subject: Subject): void {
  const requestBody = largest(samples(subject.wires.request, 12))
  const responseBody = largest(samples(subject.wires.response, 12))
  const streamed = largest(samples(subject.wires.stream, 12))
  const frames = streamed.frames.flatMap((frame) => /^data: ?([^\n]*)/m.exec(frame)?.[1] ?? [])
  describe('bounded', () => {
    for (const [name, hostile] of Object.entries(HOSTILE)) {
      const count = HEAVY.has(name) ? 6 : 120
      it(`survives ${name} in a request`, () => {
        const value = parsed(hostile())
        mustSurviveRequest(protocol, subject, value)
        for (const path of few(pathsIn(requestBody), count))
          mustSurviveRequest(protocol, subject, replaced(requestBody, path, value))
      })
      it(`survives ${name} in a response`, () => {
        const value = parsed(hostile())
        for (const path of few(pathsIn(responseBody), count))
          mustSurviveResponse(protocol, subject, replaced(responseBody, path, value))
      })
      it(`survives ${name} in a stream`, () => {
        for (const bad of hostileFrames(frames, hostile(), count)) mustSurviveFrames(protocol, subject, bad)
      })
    }
    it('survives frames that are not JSON, and JSON that is not an object', () => {
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
    it('refuses a line without an end', mustLimitLines)
  })
}

/** The frames with the value at one path of one frame replaced: each path of each frame in turn, at most `count`. */
function* hostileFrames(frames: readonly string[], text: string, count: number): Generator<readonly string[]> {
  const targets = frames.flatMap((frame, index) => {
    if (!frame.startsWith('{')) return []
    const chunk = JSON.parse(frame) as JsonObject // generated as an object
    return pathsIn(chunk).map((path) => ({ index, chunk, path }))
  })
  for (const { index, chunk, path } of few(targets, count)) {
    yield frames.with(index, replacedText(chunk, path, text))
  }
}

/** At most `count` of the items, spread evenly. */
function few<T>(items: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, Math.ceil(items.length / count))
  return items.filter((_, index) => index % step === 0)
}

function largest<T>(values: readonly T[]): T {
  const [first, ...rest] = values as [T, ...T[]] // there are always samples
  return rest.reduce(
    (best, value) => (JSON.stringify(value).length > JSON.stringify(best).length ? value : best),
    first,
  )
}
