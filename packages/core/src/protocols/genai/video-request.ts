import { keepExtras, nest, restore } from '../../ir/extras.ts'
import { reportVideoExtras } from '../../ir/foreign-extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { VideoFrame, VideoReference, VideoRequest, VideoSettings } from '../../ir/video.ts'
import { type Draft, decodeMembers, encodeMembers, isNumber, isString, type Members } from '../../lib/members.ts'
import { isEmpty, isObject, merge, type JsonObject } from '../../lib/json.ts'
import type { DecodeContext, EncodeContext } from '../context.ts'
import { decodeImageSource, encodeImageSource } from './image-source.ts'
import type { WireImageSource } from './image-schema.ts'
import { NAME } from './schema.ts'
import type { WireInstance, WireParameters, WireReference, WireVideoRequest } from './video-schema.ts'

/** The member that holds a setting. */
const SETTINGS: Members<WireParameters, VideoSettings> = {
  sampleCount: ['count', isNumber],
  aspectRatio: ['aspectRatio', isString],
  resolution: ['resolution', isString],
  durationSeconds: ['seconds', isNumber],
  generateAudio: ['audio', isFlag],
  negativePrompt: ['negativePrompt', isString],
  enhancePrompt: ['enhance', isFlag],
  personGeneration: ['people', isString],
  seed: ['seed', isNumber],
  fps: ['fps', isNumber],
}

/** The model is in the path. */
export function decodeVideo(wire: WireVideoRequest, context: DecodeContext): VideoRequest {
  const { instances, parameters = {}, ...rest } = wire
  const { prompt, image, lastFrame, referenceImages, ...instanceRest } = instances[0] ?? {}
  const { ours, rest: parametersRest } = decodeMembers(parameters, SETTINGS)
  const left = nest(rest, 'parameters', parametersRest)
  // What SDKs write in upper case for images, and as given for videos.
  if (ours.people !== undefined) ours.people = ours.people.toLowerCase()
  const request: Draft<VideoRequest> = {
    model: context.path?.model ?? '',
    settings: ours,
    ...keepExtras(NAME, isEmpty(instanceRest) ? left : { ...left, instances: [instanceRest] }),
  }
  if (prompt !== undefined) request.prompt = prompt
  if (image !== undefined) request.image = decodeFrame(image)
  if (lastFrame !== undefined) request.lastFrame = decodeFrame(lastFrame)
  if (referenceImages !== undefined) request.references = referenceImages.map(decodeReference)
  return request
}

function decodeFrame(wire: WireImageSource): VideoFrame {
  const { source, rest } = decodeImageSource(wire)
  return { source, ...keepExtras(NAME, rest) }
}

function decodeReference({ image, referenceType, ...others }: WireReference): VideoReference {
  const { source, rest } = decodeImageSource(image)
  const left = nest(others, 'image', rest)
  const role = referenceType?.toLowerCase()
  return { source, ...(role === undefined ? {} : { role }), ...keepExtras(NAME, left) }
}

export function encodeVideo(request: VideoRequest, { losses }: EncodeContext): WireVideoRequest {
  const { prompt, image, lastFrame, references, settings, extras } = request
  const {
    instances: [unknownMembers],
    ...rest
  } = ownExtras(extras?.[NAME])
  const instance: Draft<WireInstance> = {}
  if (prompt !== undefined) instance.prompt = prompt
  const first = image && encodeFrame(image, losses.at('image'))
  if (first !== undefined) instance.image = first
  const last = lastFrame && encodeFrame(lastFrame, losses.at('lastFrame'))
  if (last !== undefined) instance.lastFrame = last
  if (references !== undefined) {
    const written = references.flatMap((each, index) => encodeReference(each, losses.at('references', index)) ?? [])
    if (written.length > 0 || references.length === 0) instance.referenceImages = written
  }
  if (request.user !== undefined) losses.dropped(['user'], 'genai has no user of a video')
  reportVideoExtras(request, NAME, losses)
  const parameters = encodeMembers(settings, SETTINGS)
  const wire: WireVideoRequest = { instances: [merge(instance, unknownMembers)] }
  return merge(isEmpty(parameters) ? wire : { ...wire, parameters }, rest)
}

function encodeFrame(frame: VideoFrame, losses: Losses): WireImageSource | undefined {
  const image = encodeImageSource(frame.source, losses)
  return image && restore(NAME, frame, image)
}

function encodeReference(reference: VideoReference, losses: Losses): WireReference | undefined {
  const image = encodeImageSource(reference.source, losses)
  if (image === undefined) return undefined
  const { role } = reference
  return restore(NAME, reference, role === undefined ? { image } : { image, referenceType: role })
}

/** Members of the one instance are kept in the shape of the wire: in a list. */
function ownExtras(extras: JsonObject | undefined) {
  const { instances, ...rest } = extras ?? {}
  return { ...rest, instances: Array.isArray(instances) ? instances.filter(isObject) : [] }
}

function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean'
}
