import { keepExtras, nest, restore } from '../../ir/extras.ts'
import { reportForeignAnswer, reportForeignRequest } from '../../ir/foreign-extras.ts'
import type { DrawnImage, ImageAnswer, ImageRequest } from '../../ir/image.ts'
import { defined } from '../../lib/members.ts'
import {
  isEmpty,
  isObject,
  listOf,
  merge,
  objectOf,
  optionalString,
  type Json,
  type JsonObject,
} from '../../lib/json.ts'
import type { EncodeContext } from '../context.ts'
import { createImageTap } from '../image-tap.ts'
import { notAnAnswer, readAnswer, readRequest } from '../read-body.ts'
import type { ImageCodec, MediaDecoding } from '../media.ts'
import { reportUnsupported } from '../member-tables.ts'
import { checkImageRequest, spellImageRequest } from './image-check.ts'
import { IMAGE_TABLES } from './image-members.ts'
import { decodeImageSource, decodeReferences, encodeImageSource, encodeReferences } from './image-source.ts'
import type { PredictRequest, PredictImagesAnswer, WireInstance, WirePrediction } from './image-schema.ts'
import { imageSitesOf } from './image-sites.ts'
import { decodeParameters, encodeParameters, joinPassthrough } from './image-settings.ts'
import { NAME } from './schema.ts'

/** Images: `:predict`. */
export const image: ImageCodec = {
  paths: { predict: 'predict' },
  check: checkImageRequest,
  decode: (body, context) =>
    readRequest(body, checkImageRequest, () => decodeImageRequest(spellImageRequest(body) as PredictRequest, context)), // checked at the edge
  encode: (request, context) => ({
    operation: 'predict',
    body: encodeImageRequest(request, context) as JsonObject, // JSON by construction
  }),
  answer: {
    decode: (body) => readAnswer(() => decodeImageAnswer(body as PredictImagesAnswer)), // read leniently
    encode: (answer, context) => encodeImageAnswer(answer, context) as JsonObject, // JSON by construction
  },
  sites: imageSitesOf,
  urls: false,
  /** Upstreams have passthrough parameters only among the others. */
  edits(body) {
    const beside = Object.keys(body).filter((member) =>
      /^(image_?[sS]ize|quality|sample_?[iI]mage_?[sS]ize)$/.test(member),
    )
    if (beside.length === 0) return {}
    const { parameters, imageSize, quality, sampleImageSize } = spellImageRequest(body) as PredictRequest // checked at the edge
    const joined = joinPassthrough(parameters, { imageSize, quality, sampleImageSize })
    return { ...Object.fromEntries(beside.map((member) => [member, null])), parameters: JSON.stringify(joined) }
  },
  tap: () =>
    createImageTap((body) => ({ images: listOf(body['predictions'] as readonly Json[]).filter(isImage).length })),
}

/** The model is in the path. */
function decodeImageRequest(wire: PredictRequest, { path }: MediaDecoding): ImageRequest {
  const { instances, parameters, imageSize, quality, sampleImageSize, ...rest } = wire
  const { prompt, image: first, referenceImages, ...instanceRest } = instances[0] as WireInstance // checked
  const { settings, rest: parametersRest } = decodeParameters(
    joinPassthrough(parameters, { imageSize, quality, sampleImageSize }),
  )
  const left = nest(rest, 'parameters', parametersRest)
  return {
    model: path?.model ?? '',
    prompt,
    ...decodeReferences({ ...defined({ image: first, referenceImages }) }),
    settings,
    delivery: {},
    ...keepExtras(NAME, isEmpty(instanceRest) ? left : { ...left, instances: [instanceRest] }),
  }
}

function encodeImageRequest(request: ImageRequest, context: EncodeContext): PredictRequest {
  const { losses } = context
  const { prompt, settings, delivery, extras } = request
  reportUnsupported(request, IMAGE_TABLES.request, losses, context)
  reportUnsupported(delivery, IMAGE_TABLES.delivery, losses.at('delivery'), context)
  reportForeignRequest(request, NAME, losses)
  const parameters = encodeParameters(settings, losses.at('settings'), context)
  const { instances: kept, ...others } = extras?.[NAME] ?? {}
  const [instance] = listOf(kept as readonly Json[] | undefined)
  const own = { prompt, ...encodeReferences(request, losses) }
  const wire = { instances: [isObject(instance) ? merge(own, instance) : own] }
  return merge(isEmpty(parameters) ? wire : { ...wire, parameters }, others)
}

/** An element about the prompt, which is not an image. */
const PROMPT = 'Positive Prompt'

function decodeImageAnswer({ predictions, ...rest }: PredictImagesAnswer): ImageAnswer {
  if (!Array.isArray(predictions)) throw notAnAnswer()
  const elements = predictions.filter(isObject) as readonly WirePrediction[]
  const aboutPrompt = elements.filter(({ contentType }) => contentType === PROMPT)
  const left = aboutPrompt.length === 0 ? rest : { ...rest, predictions: aboutPrompt }
  const drawn = elements.filter(({ contentType }) => contentType !== PROMPT)
  return { images: drawn.map(decodePrediction), ...keepExtras(NAME, left) }
}

function decodePrediction({ prompt, raiFilteredReason, ...others }: WirePrediction): DrawnImage {
  const { source, rest } = isImage(others) ? decodeImageSource(others) : { source: undefined, rest: others }
  return {
    ...defined({ source, prompt: optionalString(prompt), blocked: optionalString(raiFilteredReason) }),
    ...keepExtras(NAME, rest),
  }
}

function isImage(prediction: Json | WirePrediction | undefined): boolean {
  const { bytesBase64Encoded, gcsUri } = objectOf(prediction as WirePrediction)
  return [bytesBase64Encoded, gcsUri].some((value) => typeof value === 'string' && value !== '')
}

function encodeImageAnswer(answer: ImageAnswer, context: EncodeContext): PredictImagesAnswer {
  const { losses } = context
  reportUnsupported(answer, IMAGE_TABLES.answer, losses, context)
  reportForeignAnswer(answer, NAME, losses)
  const { predictions: aboutPrompt, ...others } = answer.extras?.[NAME] ?? {}
  const drawn = answer.images.map((each, index): WirePrediction => {
    const { source, prompt, blocked } = each
    const wire = source && encodeImageSource(source, losses.at('images', index), ['source'])
    return restore(NAME, each, { ...wire, ...defined({ prompt, raiFilteredReason: blocked }) })
  })
  const predictions = [...drawn, ...(listOf(aboutPrompt as readonly Json[] | undefined) as readonly WirePrediction[])]
  return merge({ predictions }, others)
}
