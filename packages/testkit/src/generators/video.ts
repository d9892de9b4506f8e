import type { Source } from '@dragoman/core'
import type {
  BlockedVideos,
  GeneratedVideo,
  VideoFailure,
  VideoFrame,
  VideoOperation,
  VideoReference,
  VideoRequest,
  VideoSettings,
  VideoState,
} from '@dragoman/core/media'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { base64, extras, url, word, writing } from './json.ts'
import { never, record } from './record.ts'
import { FOREIGN, type World } from './world.ts'

/** A request for videos: from a text, from an image, or between two images. */
export function videoRequest(world: World): Arbitrary<VideoRequest> {
  const request = record<VideoRequest>(
    { model: word().map((name) => `some/${name}`), settings: settings() },
    {
      prompt: writing(),
      image: frame(world),
      lastFrame: never,
      references: fc.array(reference(world), { minLength: 1, maxLength: 3 }),
      user: word(),
      extras: extras(world),
    },
  )
  return fc
    .tuple(request, fc.option(frame(world)), writing())
    .map(([each, lastFrame, prompt]) =>
      each.image === undefined ? { ...each, prompt } : lastFrame === null ? each : { ...each, lastFrame },
    )
}

function settings(): Arbitrary<VideoSettings> {
  return record<VideoSettings>(
    {},
    {
      count: fc.integer({ min: 1, max: 4 }),
      aspectRatio: fc.constantFrom('16:9', '9:16', '1:1'),
      resolution: fc.constantFrom('720p', '1080p'),
      seconds: fc.integer({ min: 1, max: 15 }),
      audio: fc.boolean(),
      negativePrompt: writing(),
      enhance: fc.boolean(),
      people: fc.constantFrom('dont_allow', 'allow_adult'),
      seed: fc.nat(),
      fps: fc.constantFrom(24, 30),
    },
  )
}

function frame(world: World): Arbitrary<VideoFrame> {
  return record<VideoFrame>({ source: image(world) }, { extras: extras(world) })
}

function reference(world: World): Arbitrary<VideoReference> {
  return record<VideoReference>(
    { source: image(world) },
    { role: fc.constantFrom('asset', 'style'), extras: extras(world) },
  )
}

function image(world: World): Arbitrary<Source> {
  const mime = fc.constantFrom('image/png', 'image/jpeg')
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('base64' as const), mime, data: base64() }) },
    sourceElsewhere(world, mime),
  )
}

/** Videos of a URL have a type, or none; base64 always has one. */
function sourceElsewhere(world: World, mime: Arbitrary<string>): Arbitrary<Source> {
  return fc.oneof(
    record<Extract<Source, { kind: 'url' }>>({ kind: fc.constant('url'), url: url() }, { mime }),
    record<Extract<Source, { kind: 'file' }>>(
      {
        kind: fc.constant('file'),
        issuer: fc.constantFrom(world.issuer, FOREIGN.issuer),
        id: word().map((name) => `gs://bucket/${name}`),
      },
      { mime },
    ),
    fc.record({ kind: fc.constant('text' as const), text: writing() }),
  )
}

/** An operation in any of its states. */
export function videoOperation(world: World): Arbitrary<VideoOperation> {
  return record<VideoOperation>(
    { name: word().map((id) => `publishers/some/models/film/operations/${id}`), state: state(world) },
    { extras: extras(world) },
  )
}

function state(world: World): Arbitrary<VideoState> {
  const blocked: Arbitrary<BlockedVideos> = fc
    .array(writing(), { minLength: 1, maxLength: 2 })
    .map((reasons) => ({ count: reasons.length, reasons }))
  return fc.oneof(
    fc.constant({ status: 'running' as const }),
    record<Extract<VideoState, { status: 'done' }>>(
      { status: fc.constant('done'), videos: fc.array(generated(world), { maxLength: 3 }) },
      { blocked },
    ),
    fc.record({ status: fc.constant('failed' as const), error: failure(world) }),
  )
}

function generated(world: World): Arbitrary<GeneratedVideo> {
  const mime = fc.constantFrom('video/mp4', 'video/webm')
  const source = fc.oneof(
    fc.record({ kind: fc.constant('base64' as const), mime, data: base64() }),
    sourceElsewhere(world, mime),
  )
  return record<GeneratedVideo>({}, { source, private: fc.constant(true as const), extras: extras(world) })
}

function failure(world: World): Arbitrary<VideoFailure> {
  return record<VideoFailure>(
    {
      kind: fc.constantFrom('invalid-request', 'unsupported', 'rate-limit', 'timeout', 'upstream', 'upstream-error'),
      message: writing(),
    },
    { extras: extras(world) },
  )
}
