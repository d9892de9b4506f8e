import type { Json, JsonObject } from '@dragoman/core'
import { genai } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { genaiOperation, genaiVideoRequest } from './generators/wire-genai-video.ts'
import { describeVideo } from './laws/video.ts'
import { withStandardData } from './subjects/base64.ts'

const { video } = genai
if (video === undefined) throw new Error('genai has no videos')

describeVideo(genai, video, {
  wires: { request: genaiVideoRequest(), operation: genaiOperation() },
  canon: { request: canonRequest, operation: canonOperation },
})

/** Base64 is standard; words are in lower case; parameters without members are absent. */
function canonRequest(wire: JsonObject): JsonObject {
  const { instances, parameters, ...rest } = withStandardData(wire)
  const [instance = {}] = listOf(instances)
  const { referenceImages, ...others } = instance
  const { personGeneration, ...settings } = objectOf(parameters)
  const all = { ...settings, ...lower({ personGeneration }) }
  return {
    ...rest,
    instances: [
      {
        ...others,
        ...(referenceImages === undefined
          ? {}
          : {
              referenceImages: listOf(referenceImages).map(({ referenceType, ...each }) => ({
                ...each,
                ...lower({ referenceType }),
              })),
            }),
      },
    ],
    ...(Object.keys(all).length === 0 ? {} : { parameters: all }),
  }
}

/** The form is that of Vertex AI, `done: false` is absent, and every video has a type. */
function canonOperation(wire: JsonObject): JsonObject {
  const { done, response, ...rest } = withStandardData(wire)
  if (done !== true) return rest
  if (response === undefined) return { ...rest, done }
  const { generateVideoResponse, ...own } = objectOf(response)
  const { generatedSamples, ...samples } = objectOf(generateVideoResponse)
  const { videos, ...members } = { ...samples, ...own }
  const all = [
    ...listOf(videos),
    ...listOf(generatedSamples).map(({ video: sample, ...others }) => {
      const { encodedVideo = null, encoding = null } = objectOf(sample)
      return { ...others, bytesBase64Encoded: encodedVideo, mimeType: encoding }
    }),
  ]
  return {
    ...rest,
    done,
    response: { ...members, videos: all.map((each) => ({ mimeType: 'video/mp4', ...each })) },
  }
}

describe('names of operations', () => {
  it('[video.submit] have the shape of the specification, for every name of a model', () => {
    for (const model of ['sim/film', 'google/veo-3.1:fast', 'some/a/b.c', 'some/operations/x']) {
      const name = video?.writeName(model, 'abc-DEF_123') ?? ''
      const slash = model.indexOf('/')
      expect(name).toBe(`publishers/${model.slice(0, slash)}/models/${model.slice(slash + 1)}/operations/abc-DEF_123`)
      expect(video?.readName(name)).toEqual({ model, id: 'abc-DEF_123' })
      expect(video?.readName(`projects/p/locations/l/${name}`)).toEqual({ model, id: 'abc-DEF_123' })
    }
  })

  it.each(['', 'operations/x', 'publishers/a/models/b', 'publishers/a/models/b/operations/', 'models/b/operations/x'])(
    'of another shape are not read: %j',
    (name) => expect(video?.readName(name)).toBeUndefined(),
  )
})

function lower(members: { readonly [name: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, word]) => (typeof word === 'string' ? [[name, word.toLowerCase()]] : [])),
  )
}

function objectOf(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {} // neither null nor a list
}

function listOf(value: Json | undefined): readonly JsonObject[] {
  return (Array.isArray(value) ? value : []) as readonly JsonObject[] // generated as objects
}
