import { DragomanError } from '../../ir/error.ts'
import { type JsonObject, stringOf } from '../../lib/json.ts'
import { readAnswer, readRequest } from '../read-body.ts'
import type { VideoCodec } from '../media.ts'
import { checkPoll, checkVideo, spellVideo } from './video-check.ts'
import { decodeOperation, encodeOperation } from './video-operation.ts'
import { decodeVideo, encodeVideo } from './video-request.ts'
import { videoSitesOf } from './video-sites.ts'
import type { WireOperation, WireVideoRequest } from './video-schema.ts'

/** The operation of each action. */
const SUBMIT = 'video-submit'
const POLL = 'video-poll'

/** Videos: `:predictLongRunning` and `:fetchPredictOperation`. */
export const video: VideoCodec = {
  paths: { predictLongRunning: SUBMIT, fetchPredictOperation: POLL },
  check: (body, { operation }) => (operation === POLL ? checkPoll(body) : checkVideo(body)),
  decode: (body, context) =>
    readRequest(body, checkVideo, () => decodeVideo(spellVideo(body) as WireVideoRequest, context)), // checked at the edge
  encode: (request, context) => ({
    operation: SUBMIT,
    body: encodeVideo(request, context) as JsonObject, // JSON by construction
  }),
  answer: {
    decode: (body) => readAnswer(() => decodeOperation(body as WireOperation)), // read leniently
    encode: (operation, context) => encodeOperation(operation, context) as JsonObject, // JSON by construction
  },
  sites: videoSitesOf,
  urls: false,
  tap() {
    throw new DragomanError('internal', 'The operations of videos are not relayed.')
  },
  nameSite: 'operationName',
  named: (body) => stringOf(body['operationName']),
  writeName: (model, id) => {
    const slash = model.indexOf('/')
    return `publishers/${model.slice(0, slash)}/models/${model.slice(slash + 1)}/operations/${id}`
  },
  readName(name) {
    const [, publisher, model, id] = NAME_SHAPE.exec(name) ?? []
    return publisher === undefined || model === undefined || id === undefined
      ? undefined
      : { model: `${publisher}/${model}`, id }
  },
  poll(name, model) {
    // The Gemini API names its operations after their path. Vertex AI takes the name in a body.
    if (OWN_NAME.test(name)) return { path: `/${name}`, method: 'GET' }
    const path = `/models/${model.split('/').map(encodeURIComponent).join('/')}:fetchPredictOperation`
    return { path, method: 'POST', body: { operationName: name } }
  },
  results: '/v1/results',
}

/** A project and a location may come first. */
const NAME_SHAPE = /^(?:projects\/[^/]+\/locations\/[^/]+\/)?publishers\/([^/]+)\/models\/(.+)\/operations\/([^/]+)$/

/** Checked character by character, because it becomes a path. */
const OWN_NAME = /^models\/[\w.-]+\/operations\/[\w.-]+$/
