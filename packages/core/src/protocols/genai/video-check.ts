import { camelKeys, namesOf } from '../../lib/grammar/camel.ts'
import { createReader } from '../../lib/grammar/reader.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import { checkBody } from '../read-body.ts'
import { checkImage, wrong } from './image-check.ts'
import { videoPoll, videoRequest, type WireVideoRequest } from './video-schema.ts'

const REQUEST = createReader(videoRequest)
const POLL = createReader(videoPoll)

/** Throws an error with the path if a request for videos is invalid. The result has camelCase members. */
export function checkVideo(body: unknown): JsonObject {
  const checked = checkBody(REQUEST, isObject(body) ? spellVideo(body) : body)
  const { instances } = checked as WireVideoRequest // checkBody has checked it
  const [instance = {}] = instances
  const { prompt = '', image, lastFrame, referenceImages = [] } = instance
  const at = 'instances.0'
  if (image !== undefined) checkImage(image, `${at}.image`)
  if (lastFrame !== undefined) checkImage(lastFrame, `${at}.lastFrame`)
  for (const [index, reference] of referenceImages.entries())
    checkImage(reference.image, `${at}.referenceImages.${index}.image`)
  // Some models continue a given video; what else a request can begin with is not known here.
  if (prompt === '' && image === undefined && !Object.hasOwn(instance, 'video'))
    throw wrong(`${at}.prompt`, 'is required without an image')
  if (lastFrame !== undefined && image === undefined) throw wrong(`${at}.lastFrame`, 'needs an image, the first frame')
  return checked
}

/** Throws if the body of a poll is invalid. */
export function checkPoll(body: unknown): JsonObject {
  return checkBody(POLL, isObject(body) ? camelKeys(body, POLL_NAMES) : body)
}

/** A request with its snake_case members renamed to camelCase, as the real REST API reads them. */
export function spellVideo(body: JsonObject): JsonObject {
  return camelKeys(body, REQUEST_NAMES)
}

const REQUEST_NAMES = namesOf(videoRequest)
const POLL_NAMES = namesOf(videoPoll)
