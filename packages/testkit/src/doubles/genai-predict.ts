import {
  base64,
  filled,
  flag,
  isFuture,
  matching,
  nonEmpty,
  object,
  oneOf,
  only,
  optional,
  refuse,
  string,
  whole,
  within,
  type Wire,
} from './refuse.ts'

const PARAMETERS =
  'sampleCount negativePrompt aspectRatio outputOptions seed enhancePrompt personGeneration safetySetting includeRaiReason addWatermark ' +
  'guidanceScale imageSize quality sampleImageSize storageUri language includeSafetyAttributes editMode editConfig mode upscaleConfig'
const TYPES = ['RAW', 'MASK', 'STYLE', 'SUBJECT', 'CONTROL', 'CONTENT'].map((type) => `REFERENCE_TYPE_${type}`)
const MODES = ['DEFAULT', 'USER_PROVIDED', 'BACKGROUND', 'FOREGROUND', 'SEMANTIC'].map((mode) => `MASK_MODE_${mode}`)

/** Throws if an upstream with `:predict` for images would refuse the request. */
export function acceptPredictRequest(body: unknown): void {
  const request = object(body, 'body')
  only(request, 'instances parameters labels', 'body')
  const instances = filled(request['instances'], 'instances')
  if (instances.length > 1) refuse('instances', 'must have exactly one instance')
  acceptInstance(object(instances[0], 'instances.0'))
  optional(request['parameters'], (value) => acceptParameters(object(value, 'parameters')))
}

function acceptInstance(instance: Wire): void {
  only(instance, 'prompt image referenceImages', 'instances.0')
  nonEmpty(instance['prompt'], 'instances.0.prompt')
  optional(instance['image'], (value) => acceptImage(value, 'instances.0.image'))
  optional(instance['referenceImages'], (value) => {
    const references = filled(value, 'instances.0.referenceImages').map((item, index) =>
      acceptReference(object(item, 'reference'), `instances.0.referenceImages.${index}`),
    )
    if (new Set(references.map(({ id }) => id)).size < references.length)
      refuse('instances.0.referenceImages', 'reference ids must be unique')
    const masks = references.filter(({ type }) => type === 'REFERENCE_TYPE_MASK').length
    if (masks > 1) refuse('instances.0.referenceImages', 'only one mask is supported')
    if (masks === references.length && instance['image'] === undefined)
      refuse('instances.0.referenceImages', 'a mask needs a raw reference image')
  })
}

function acceptReference(reference: Wire, path: string): { readonly id: number; readonly type: unknown } {
  const { referenceType: type, referenceImage: image, maskImageConfig: config } = reference
  only(
    reference,
    'referenceType referenceId referenceImage maskImageConfig styleImageConfig subjectImageConfig controlImageConfig',
    path,
  )
  if (!isFuture(type)) oneOf(type, TYPES, `${path}.referenceType`)
  const id = whole(reference['referenceId'], Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, `${path}.referenceId`)
  const isMask = type === 'REFERENCE_TYPE_MASK'
  if (!isMask && config !== undefined) refuse(`${path}.maskImageConfig`, 'only masks have one')
  const mode = isMask ? acceptMask(object(config, `${path}.maskImageConfig`), `${path}.maskImageConfig`) : undefined
  if (mode === undefined || mode === 'MASK_MODE_USER_PROVIDED' || image !== undefined)
    acceptImage(image, `${path}.referenceImage`)
  return { id, type }
}

function acceptMask(config: Wire, path: string): unknown {
  only(config, 'maskMode maskClasses dilation', path)
  if (!isFuture(config['maskMode'])) oneOf(config['maskMode'], MODES, `${path}.maskMode`)
  optional(config['dilation'], (value) => within(value, 0, 1, `${path}.dilation`))
  return config['maskMode']
}

function acceptImage(value: unknown, path: string): void {
  const image = object(value, path)
  only(image, 'bytesBase64Encoded gcsUri mimeType', path)
  const { bytesBase64Encoded: data, gcsUri } = image
  if ((data === undefined) === (gcsUri === undefined)) refuse(path, 'must have either bytesBase64Encoded or gcsUri')
  optional(data, (bytes) => base64(bytes, `${path}.bytesBase64Encoded`))
  optional(gcsUri, (uri) => nonEmpty(uri, `${path}.gcsUri`))
  if (data !== undefined) matching(image['mimeType'], /^image\//, `${path}.mimeType`)
}

function acceptParameters(parameters: Wire): void {
  const at = (member: string) => `parameters.${member}`
  only(parameters, PARAMETERS, 'parameters')
  optional(parameters['sampleCount'], (value) => whole(value, 1, 15, at('sampleCount')))
  optional(parameters['seed'], (value) => whole(value, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, at('seed')))
  optional(parameters['guidanceScale'], (value) => within(value, -1e9, 1e9, at('guidanceScale')))
  optional(parameters['aspectRatio'], (value) => matching(value, /^\d+(\.\d+)?:\d+(\.\d+)?$/, at('aspectRatio')))
  optional(parameters['imageSize'], (value) => matching(value, /^(auto|\d+x\d+)$/, at('imageSize')))
  optional(parameters['personGeneration'], (value) =>
    oneOf(String(value).toLowerCase(), ['dont_allow', 'allow_adult', 'allow_all'], at('personGeneration')),
  )
  for (const member of ['enhancePrompt', 'includeRaiReason', 'addWatermark', 'includeSafetyAttributes'])
    optional(parameters[member], (value) => flag(value, at(member)))
  for (const member of [
    'negativePrompt',
    'safetySetting',
    'quality',
    'sampleImageSize',
    'storageUri',
    'language',
    'editMode',
  ])
    optional(parameters[member], (value) => string(value, at(member)))
  optional(parameters['outputOptions'], (value) => {
    const output = object(value, at('outputOptions'))
    only(output, 'mimeType compressionQuality', at('outputOptions'))
    optional(output['mimeType'], (type) => matching(type, /^image\//, at('outputOptions.mimeType')))
    optional(output['compressionQuality'], (quality) => whole(quality, 0, 100, at('outputOptions.compressionQuality')))
  })
}

/** Throws if a client of `:predict` could not read the answer. */
export function acceptPredictImagesAnswer(body: unknown): void {
  const answer = object(body, 'body')
  only(answer, 'predictions deployedModelId model modelDisplayName modelVersionId metadata', 'body')
  const { predictions } = answer
  if (!Array.isArray(predictions)) return refuse('predictions', 'must be a list')
  for (const [index, item] of predictions.entries()) {
    const path = `predictions.${index}`
    const prediction = object(item, path)
    only(prediction, 'bytesBase64Encoded mimeType gcsUri prompt raiFilteredReason safetyAttributes contentType', path)
    optional(prediction['bytesBase64Encoded'], (data) => base64(data, `${path}.bytesBase64Encoded`))
    for (const member of ['mimeType', 'gcsUri', 'prompt', 'raiFilteredReason'])
      optional(prediction[member], (value) => string(value, `${path}.${member}`))
  }
}
