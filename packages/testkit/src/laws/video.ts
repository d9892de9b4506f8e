import { createLosses, type JsonObject, type Protocol } from '@dragoman/core'
import type { VideoCodec, VideoOperation, VideoRequest } from '@dragoman/core/media'
import type { Arbitrary } from 'fast-check'
import { describe, it } from 'vitest'
import { videoOperation, videoRequest } from '../generators/video.ts'
import { mustExplain } from './honesty.ts'
import { holds, RUNS } from './runs.ts'
import { SEED } from './seed.ts'
import { same, show } from './same.ts'
import { createNoLosses, sent, worldOf } from './subject.ts'

/** What the laws need to know about the videos of a protocol beyond its codec. */
export interface VideoSubject {
  readonly wires: { readonly request: Arbitrary<JsonObject>; readonly operation: Arbitrary<JsonObject> }
  /** Reduces alternative spellings to one. */
  readonly canon: {
    readonly request: (wire: JsonObject) => JsonObject
    readonly operation: (wire: JsonObject) => JsonObject
  }
}

/** Tests the laws of identity and honesty for requests and operations of videos. */
export function describeVideo(protocol: Protocol, codec: VideoCodec, { wires, canon }: VideoSubject): void {
  const world = worldOf(protocol)
  const decoding = { issuer: protocol.issuer, operation: 'video-submit', path: { model: 'some/film' } }
  const encoding = { ...decoding, toward: 'client' as const, id: () => 'new', now: 1_700_000_000 }

  describe(`the videos of ${protocol.name} satisfy the laws (${RUNS} values each, seed ${SEED})`, () => {
    it('[tr.identity] decodes and encodes a request without losing anything', () =>
      holds(wires.request, (wire) => {
        const losses = createNoLosses()
        const request = codec.decode(codec.check(sent(wire), decoding), decoding)
        const { body } = codec.encode(request, { ...encoding, toward: 'upstream', losses })
        mustBe(sent(body), canon.request(sent(wire)))
        losses.mustBeEmpty()
      }))
    it('[tr.identity] decodes and encodes an operation without losing anything', () =>
      holds(wires.operation, (wire) => {
        const losses = createNoLosses()
        const operation = codec.answer.decode(sent(wire), decoding)
        mustBe(sent(codec.answer.encode(operation, { ...encoding, losses })), canon.operation(sent(wire)))
        losses.mustBeEmpty()
      }))
    it('[tr.losses] reports every difference in how an upstream understands a request', () =>
      holds(videoRequest(world), (request: VideoRequest) => {
        const losses = createLosses()
        const { body } = codec.encode(request, { ...encoding, toward: 'upstream', losses })
        const path = { model: request.model }
        mustExplain(losses.entries(), request, codec.decode(sent(body), { ...decoding, path }))
      }))
    it('[tr.losses] reports every difference in how a client understands an operation', () =>
      holds(videoOperation(world), (operation: VideoOperation) => {
        const losses = createLosses()
        const wire = codec.answer.encode(operation, { ...encoding, losses })
        mustExplain(losses.entries(), operation, codec.answer.decode(sent(wire), decoding))
      }))
  })
}

function mustBe(back: JsonObject, expected: JsonObject): void {
  if (!same(back, expected)) throw new Error(`the wire changed\n got      ${show(back)}\n expected ${show(expected)}`)
}
