import { camelMembers } from './camel-members.ts'
import { acceptGenaiRequest } from './genai-request.ts'
import { acceptPredictRequest } from './genai-predict.ts'
import { pngOf } from './png.ts'
import { isWire, object, oneOf, refuse, whole, type Wire } from './refuse.ts'
import type { Script } from './script.ts'
import { createDouble, UnknownKeyError, type Double, type Received } from './server.ts'

const BASES = ['', '/v1', '/v1beta', '/v1/publishers/google', '/v1beta1/publishers/google']

/** What the image models of a double do. */
export interface ImageRules {
  /** The most images of a call. Imagen makes four. */
  readonly most?: number
  /** Images whose prompt contains this are filtered. */
  readonly forbidden?: string
}

/**
 * A Google upstream that draws: `imagen-double` by `:predict`, and `gemini-image-double` in conversations, by `:generateContent` with the
 * IMAGE modality. The images are real, in the asked-for shape, and their colour depends on the prompt.
 */
export function createPredictDouble({ most = 4, forbidden = 'forbidden' }: ImageRules = {}): Promise<Double> {
  const script: Script = [{ parts: [] }]
  return createDouble(
    {
      paths: BASES.flatMap((base) => [
        `${base}/models/imagen-double:predict`,
        `${base}/models/gemini-image-double:generateContent`,
      ]),
      accept: (call) => accept(call, most),
      answer: (call) => (isPredict(call) ? predictions(call, forbidden) : candidates(call, forbidden)),
      error: (code, { message }) => ({
        error: { code, message, status: code === 400 ? 'INVALID_ARGUMENT' : 'INTERNAL' },
      }),
      errorFrame: (body) => JSON.stringify(body),
      ping: '',
      seal: (text) => text,
      hide: (text) => text,
    },
    script,
  )
}

function isPredict({ path }: Received): boolean {
  return path.endsWith(':predict')
}

function accept(call: Received, most: number): void {
  const { headers, body } = call
  if (headers['x-goog-api-key'] === undefined && headers['authorization'] === undefined)
    throw new UnknownKeyError('Method doesn’t allow unregistered callers.')
  if (!isPredict(call)) return acceptDrawing(camelMembers(body))
  acceptPredictRequest(body)
  const { sampleCount = 1, imageSize, quality } = parametersOf(body)
  whole(sampleCount, 1, most, 'parameters.sampleCount')
  // These two parameters belong to models of another vendor.
  if (imageSize !== undefined || quality !== undefined) refuse('parameters', 'imageSize and quality are not supported')
}

function acceptDrawing(body: Wire): void {
  acceptGenaiRequest(body)
  const { responseModalities, imageConfig, candidateCount = 1 } = configOf(body)
  if (JSON.stringify(responseModalities) !== '["TEXT","IMAGE"]')
    refuse('generationConfig.responseModalities', 'must be TEXT and IMAGE')
  oneOf(candidateCount, [1], 'generationConfig.candidateCount')
  const { aspectRatio = '1:1', imageSize = '1K' } = isWire(imageConfig) ? imageConfig : {}
  oneOf(aspectRatio, RATIOS, 'generationConfig.imageConfig.aspectRatio')
  oneOf(imageSize, ['1K', '2K', '4K'], 'generationConfig.imageConfig.imageSize')
}

const RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9']

function parametersOf({ parameters }: Wire): Wire {
  return isWire(parameters) ? parameters : {}
}

function configOf({ generationConfig }: Wire): Wire {
  return isWire(generationConfig) ? generationConfig : {}
}

/** A small image in the shape that was asked for. */
function draw(prompt: string, aspectRatio: unknown): string {
  const [width = 1, height = 1] = typeof aspectRatio === 'string' ? aspectRatio.split(':').map(Number) : []
  return pngOf(prompt, width * 4, height * 4)
}

function predictions({ body }: Received, forbidden: string): object {
  const { sampleCount = 1, aspectRatio, enhancePrompt, includeRaiReason } = parametersOf(body)
  const { prompt } = object((body['instances'] as readonly unknown[])[0], 'instances.0') // accepted
  const text = String(prompt)
  const isFiltered = text.includes(forbidden)
  const blocked =
    includeRaiReason === true
      ? [{ raiFilteredReason: 'The prompt may violate our policies. Support codes: 39322892' }]
      : []
  if (isFiltered) return { predictions: blocked }
  return {
    predictions: Array.from({ length: Number(sampleCount) }, (_, index) => ({
      bytesBase64Encoded: draw(`${text} ${index}`, aspectRatio),
      mimeType: 'image/png',
      ...(enhancePrompt === true ? { prompt: `${text}, in golden light` } : {}),
    })),
  }
}

function candidates({ body: given, number }: Received, forbidden: string): object {
  const body = camelMembers(given)
  const text = JSON.stringify(body['contents'])
  const usageMetadata = { promptTokenCount: 12, candidatesTokenCount: 1290, totalTokenCount: 1302 }
  const common = { usageMetadata, modelVersion: 'gemini-image-double', responseId: `r${number}` }
  if (text.includes(forbidden)) {
    const finishMessage = 'Unable to show the generated image.'
    return { candidates: [{ index: 0, finishReason: 'IMAGE_SAFETY', finishMessage }], ...common }
  }
  const { imageConfig } = configOf(body)
  const { aspectRatio } = isWire(imageConfig) ? imageConfig : {}
  const data = draw(text, aspectRatio)
  const parts = [
    { inlineData: { mimeType: 'image/png', data: draw('a draft', aspectRatio) }, thought: true },
    { text: 'Here it is.' },
    { inlineData: { mimeType: 'image/png', data }, thoughtSignature: 'c2lnbmF0dXJl' },
  ]
  return { candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }], ...common }
}
