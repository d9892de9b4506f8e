import { createLosses, type JsonObject, type Protocol } from '@dragoman/core'
import * as fc from 'fast-check'
import { describe, it } from 'vitest'
import { imageAnswer, imageRequest, imageStream } from '../generators/image.ts'
import { HEAVY, HOSTILE, parsed, pathsIn, replaced, replacedText, withinReason } from './bounded.ts'
import {
  codecOf,
  decodeImages,
  encodeImages,
  foldImages,
  readCall,
  passImages,
  reading,
  writing,
} from './image-exchange.ts'
import {
  mustAnswerHonestly,
  mustAskHonestly,
  mustEndImages,
  mustFoldImages,
  mustFoldImageWire,
  mustKeepForm,
  mustKeepImageAnswer,
  mustKeepImageRequest,
  mustKeepImageStream,
  mustPassImageErrors,
  mustStreamHonestly,
  mustTapImages,
} from './image-laws.ts'
import type { ImageSubject } from './image-subject.ts'
import { mustBeLinear } from './linear.ts'
import { mustReadNulls } from './image-nulls.ts'
import { holds, holdsAsync, RUNS, samples } from './runs.ts'
import { SEED } from './seed.ts'
import { worldOf } from './subject.ts'

/** Tests the laws of images for one protocol, with generated values. */
export function describeImages(protocol: Protocol, subject: ImageSubject): void {
  describe(`the images of ${protocol.name} satisfy the laws (${RUNS} values each, seed ${SEED})`, () => {
    describeIdentity(protocol, subject)
    describeHonesty(protocol, subject)
    if (subject.wires.stream !== undefined) describeStreams(protocol, subject, subject.wires.stream)
    describeRelay(protocol, subject)
    describeBounded(protocol, subject)
    describeLinear(protocol, subject)
  })
}

const positions = fc.array(fc.nat({ max: 4000 }), { maxLength: 12 })
/** What an answer is for; protocols with one kind of path ignore it. */
const operations = fc.constantFrom('image', 'image-edit')

function describeIdentity(protocol: Protocol, subject: ImageSubject): void {
  const { wires } = subject
  describe('identity', () => {
    it('decodes and encodes a request without losing anything', () =>
      holds(wires.request, (call) => mustKeepImageRequest(protocol, subject, call)))
    it('decodes and encodes an answer without losing anything', () =>
      holds(fc.tuple(wires.answer, operations), ([wire, operation]) =>
        mustKeepImageAnswer(protocol, subject, wire, operation),
      ))
    it('reads a null member as absent', () => holds(wires.request, (call) => mustReadNulls(protocol, call)))
    if (codecOf(protocol).form !== undefined)
      it('reads a form as the JSON body of the same request', () =>
        holdsAsync(wires.request, (call) => mustKeepForm(protocol, subject.canon.request(call)), RUNS / 4))
  })
}

function describeHonesty(protocol: Protocol, subject: ImageSubject): void {
  const world = worldOf(protocol)
  describe('honesty', () => {
    for (const dialect of subject.dialects) {
      it(`reports every difference in how an upstream understands a request, with the dialect ${JSON.stringify(dialect ?? {})}`, () =>
        holds(imageRequest(world), (request) => mustAskHonestly(protocol, subject, request, dialect)))
    }
    it('reports every difference in how a client understands an answer', () =>
      holds(fc.tuple(imageAnswer(world), operations), ([answer, operation]) =>
        mustAnswerHonestly(protocol, subject, answer, operation),
      ))
  })
}

function describeStreams(
  protocol: Protocol,
  subject: ImageSubject,
  wires: NonNullable<ImageSubject['wires']['stream']>,
): void {
  const world = worldOf(protocol)
  describe('streams', () => {
    it('are decoded and encoded without losing anything', () =>
      holds(wires, (stream) => mustKeepImageStream(protocol, stream)))
    it('report every difference in how a client understands them', () =>
      holds(fc.tuple(imageStream(world), operations), ([events, operation]) =>
        mustStreamHonestly(protocol, subject, events, operation),
      ))
    it('are read as the same answer without streaming', () =>
      holds(fc.tuple(imageAnswer(world), operations), ([answer, operation]) =>
        mustFoldImages(protocol, subject, answer, operation),
      ))
    it('of an upstream are read as its whole answer', () =>
      holds(wires, (stream) => mustFoldImageWire(protocol, stream)))
    it('end once, and as an error without an image', () => holds(wires, (stream) => mustEndImages(protocol, stream)))
    it('pass errors to the client', () =>
      holds(
        fc.tuple(imageStream(world), operations),
        ([events, operation]) => mustPassImageErrors(protocol, events, operation),
        RUNS / 4,
      ))
    it('are relayed unchanged, with their usage and images counted', () =>
      holds(fc.tuple(wires, positions), ([{ operation, frames }, cuts]) => {
        const text = frames.join('')
        mustTapImages(protocol, text, foldImages(decodeImages(protocol, text, operation)), true, cuts)
      }))
  })
}

function describeRelay(protocol: Protocol, { wires }: ImageSubject): void {
  describe('relay', () => {
    it('passes a whole answer unchanged, with its usage and images counted', () =>
      holds(fc.tuple(wires.answer, positions), ([wire, cuts]) => {
        const meant = codecOf(protocol).answer.decode(wire, reading(protocol, 'image'))
        mustTapImages(protocol, JSON.stringify(wire), meant, false, cuts)
      }))
  })
}

function describeBounded(protocol: Protocol, { wires }: ImageSubject): void {
  const codec = codecOf(protocol)
  const calls = samples(wires.request, 12)
  const answers = samples(wires.answer, 6)
  const streams = wires.stream === undefined ? [] : samples(wires.stream, 4)
  describe('bounded', () => {
    for (const [name, hostile] of Object.entries(HOSTILE)) {
      const most = HEAVY.has(name) ? 6 : 60
      it(`survives ${name}`, () => {
        const text = hostile()
        const value = parsed(text)
        for (const { operation, body } of calls)
          for (const path of few(pathsIn(body), most / 6))
            surviveRequest(protocol, operation, replaced(body, path, value))
        for (const body of answers)
          for (const path of few(pathsIn(body), most / 3))
            withinReason(() => {
              const answer = codec.answer.decode(replaced(body, path, value), reading(protocol, 'image'))
              codec.answer.encode(answer, writing(protocol, createLosses(), 'image'))
            })
        for (const { operation, frames } of streams) surviveFrames(protocol, operation, frames, text, most / 3)
      })
    }
  })
}

function surviveRequest(protocol: Protocol, operation: string, body: JsonObject): void {
  withinReason(() => {
    const request = readCall(protocol, { operation, body })
    codecOf(protocol).encode(request, { ...writing(protocol, createLosses(), operation), toward: 'upstream' })
  })
}

/** A machine never throws: a hostile frame ends the stream, or is skipped. */
function surviveFrames(
  protocol: Protocol,
  operation: string,
  frames: readonly string[],
  hostile: string,
  most: number,
): void {
  for (const [index, frame] of frames.entries()) {
    const [head = '', data = ''] = frame.split('data: ')
    const body = JSON.parse(data) as JsonObject // as generated
    for (const path of few(pathsIn(body), most)) {
      const bad = frames.with(index, `${head}data: ${replacedText(body, path, hostile)}\n\n`)
      const last = passImages(protocol, bad.join(''), operation)
      if (last?.type !== 'end' && last?.type !== 'error') throw new Error('no terminal event')
    }
  }
}

function describeLinear(protocol: Protocol, { shapes }: ImageSubject): void {
  const codec = codecOf(protocol)
  describe('linear time', () => {
    for (const [what, shape] of Object.entries(shapes.request))
      it(`${what} of a request`, () =>
        mustBeLinear((size) => {
          const call = shape(size)
          return () => {
            const request = readCall(protocol, call)
            const context = writing(protocol, createLosses(), call.operation)
            return codec.encode(request, { ...context, toward: 'upstream' })
          }
        }))
    for (const [what, shape] of Object.entries(shapes.answer))
      it(`${what} of an answer`, () =>
        mustBeLinear((size) => {
          const wire = shape(size)
          return () => {
            const answer = codec.answer.decode(wire, reading(protocol, 'image'))
            return codec.answer.encode(answer, writing(protocol, createLosses(), 'image'))
          }
        }))
    for (const [what, shape] of Object.entries(shapes.stream ?? {}))
      it(`${what} of a stream`, () =>
        mustBeLinear((size) => {
          const text = shape(size).join('')
          return () => {
            const events = decodeImages(protocol, text, 'image')
            return encodeImages(protocol, events, writing(protocol, createLosses(), 'image'))
          }
        }))
  })
}

/** At most `count` of the items, spread evenly. */
function few<T>(items: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, Math.ceil(items.length / Math.max(1, count)))
  return items.filter((_, index) => index % step === 0)
}
