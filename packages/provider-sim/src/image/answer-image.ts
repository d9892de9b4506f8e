import { createLosses, type Usage } from '@dragoman/core'
import {
  fitImage,
  type DrawnImage,
  type ImageAnswer,
  type ImageEvent,
  type ImageFacts,
  type ImageLook,
  type ImageRequest,
} from '@dragoman/core/media'
import { readMagic } from '../magic.ts'
import { tokensOf } from '../usage.ts'
import type { Canvas } from './canvas.ts'
import { coarsen } from './coarse.ts'
import { drawImages } from './draw.ts'
import { encodePng } from './png.ts'

const FORMAT = 'image/png'
const TOKENS_PER_IMAGE = 256
const PIXELS_PER_TOKEN = 1024
const BLOCKED: DrawnImage = { blocked: 'The simulator was asked to block the image.' }

/** Draws the images of a request, as a whole answer. An upstream does not tell what it leaves out. */
export async function answerImage(asked: ImageRequest, facts: ImageFacts, now: number): Promise<ImageAnswer> {
  const request = fitImage(asked, facts, createLosses())
  const canvases = await draw(request)
  const isBlocked = readMagic(request.prompt).magic.block
  const images = isBlocked
    ? canvases.map(() => BLOCKED)
    : await Promise.all(canvases.map((canvas) => finished(canvas, request)))
  return { ...lookOf(request, canvases, now), images, usage: countUsage(request, isBlocked ? [] : canvases) }
}

/** Draws them as a stream: unfinished images before each finished one. */
export async function streamImage(asked: ImageRequest, facts: ImageFacts, now: number): Promise<readonly ImageEvent[]> {
  const request = fitImage(asked, facts, createLosses())
  const canvases = await draw(request)
  const look = lookOf(request, canvases, now)
  const isBlocked = readMagic(request.prompt).magic.block
  const events: ImageEvent[] = []
  for (const [index, canvas] of canvases.entries()) {
    const partials = isBlocked ? 0 : (request.delivery.partials ?? 0)
    for (let step = 0; step < partials; step++) {
      events.push({ type: 'partial', index: step, source: await sourceOf(coarsen(canvas, step)), look })
    }
    const usage = index === canvases.length - 1 ? { usage: countUsage(request, isBlocked ? [] : canvases) } : {}
    events.push({ type: 'image', image: isBlocked ? BLOCKED : await finished(canvas, request), look, ...usage })
  }
  return [...events, { type: 'end' }]
}

async function draw(request: ImageRequest): Promise<readonly Canvas[]> {
  return drawImages({ ...request, prompt: readMagic(request.prompt).text }, request.settings.count ?? 1)
}

async function finished(canvas: Canvas, { prompt, settings }: ImageRequest): Promise<DrawnImage> {
  const refined = settings.enhance === true ? { prompt: `${readMagic(prompt).text}, as a flat landscape` } : {}
  return { source: await sourceOf(canvas), ...refined }
}

async function sourceOf(canvas: Canvas): Promise<{ kind: 'base64'; mime: string; data: string }> {
  return { kind: 'base64', mime: FORMAT, data: encodeBase64(await encodePng(canvas)) }
}

/** In pieces, because a call has a limited number of arguments. */
function encodeBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary)
}

function lookOf({ settings }: ImageRequest, [first]: readonly Canvas[], created: number): ImageLook {
  const { quality = 'auto', background = 'auto' } = settings
  return {
    created,
    ...(first === undefined ? {} : { size: `${first.width}x${first.height}` }),
    quality: quality === 'auto' ? 'high' : quality,
    background: background === 'auto' ? 'opaque' : background,
    format: FORMAT,
  }
}

/** Four characters are a token, a given image is 256, and 1024 pixels of a drawn one are one. */
function countUsage({ prompt, references = [], mask }: ImageRequest, canvases: readonly Canvas[]): Usage {
  const text = tokensOf(prompt)
  const image = (references.length + (mask === undefined ? 0 : 1)) * TOKENS_PER_IMAGE
  const output = canvases.reduce((sum, { width, height }) => sum + Math.ceil((width * height) / PIXELS_PER_TOKEN), 0)
  return { input: text + image, output, modalities: { input: { text, image } } }
}
