import { createCanvas, type Canvas } from '../image/canvas.ts'
import { fitCanvas } from '../image/fit-canvas.ts'
import { paintScene } from '../image/paint.ts'
import { composeScene } from '../image/scene.ts'
import { BLOCK, type Mosaic } from './block.ts'
import { createFrameEncoder, encodeParameters, encodeSequence, MOST_FRAMES, type FrameSize } from './h264.ts'
import { encodeMp4, videoEntry, type Track } from './mp4.ts'
import { joinPieces } from './boxes.ts'
import { createSound } from './sound.ts'

/** What a film shows. */
export interface Film extends FrameSize {
  readonly prompt: string
  readonly seed: number
  readonly seconds: number
  readonly fps: number
  readonly sound: boolean
  /** The image that it begins with. */
  readonly first?: Canvas | undefined
  /** The image that it dissolves to, and comes back from. */
  readonly last?: Canvas | undefined
}

/** A film has this many images, which are repeated to its end; the first of them is a key frame. */
const IMAGES = 16
const IMAGES_PER_SECOND = 8

/** An MP4 file of a scene in large pixels, drawn from the prompt: one macroblock is one pixel. Other work runs between the images. */
export async function encodeFilm(film: Film): Promise<Uint8Array<ArrayBuffer>> {
  const video = await createVideo(film)
  return encodeMp4(film.sound ? [video, createSound(film.seed, film.seconds)] : [video])
}

async function createVideo(film: Film): Promise<Track> {
  const { width, height, seconds, fps } = film
  const count = Math.max(1, Math.round(seconds * fps))
  const period = Math.max(2, Math.round((fps * IMAGES) / IMAGES_PER_SECOND))
  const frames = await encodeLoop(film, Math.min(period, count, MOST_FRAMES))
  const samples = Array.from({ length: count }, (_, index) => frames[index % frames.length] ?? new Uint8Array(0))
  return {
    kind: 'video',
    entry: videoEntry(film, encodeSequence(film), encodeParameters()),
    timescale: fps * 512,
    step: 512,
    samples,
    keys: samples.flatMap((_, index) => (index % frames.length === 0 ? index : [])),
    width,
    height,
  }
}

/** The frames of one round. Each image is shown for several frames, which are a few bytes long. */
async function encodeLoop(film: Film, count: number): Promise<readonly Uint8Array[]> {
  const paint = createPainter(film)
  const encoder = createFrameEncoder()
  const frames: Uint8Array[] = []
  let image: Mosaic | undefined
  let shown = -1
  for (let index = 0; index < count; index++) {
    const number = Math.floor((index * IMAGES) / count)
    if (image === undefined || number !== shown) {
      await new Promise((resolve) => void setTimeout(resolve))
      image = paint(number / IMAGES)
      shown = number
    }
    const bytes = index === 0 ? encoder.key(image) : encoder.change(image)
    frames.push(joinPieces([bytes.length, bytes]))
  }
  return frames
}

/** Samples of the painting for each side of a block. */
const FINE = 4

/** Paints the moments of a film, 0 to 1. */
function createPainter(film: Film): (moment: number) => Mosaic {
  const columns = Math.ceil(film.width / BLOCK)
  const rows = Math.ceil(film.height / BLOCK)
  const [width, height] = [columns * FINE, rows * FINE]
  const scene = composeScene(film.prompt, film.seed)
  const first = film.first && fitCanvas(film.first, width, height)
  const last = film.last && fitCanvas(film.last, width, height)
  const paint = (moment: number): Canvas => {
    const canvas = createCanvas(width, height)
    paintScene(canvas, scene, { moment })
    return canvas
  }
  return (moment) => {
    const target = last ?? paint(moment)
    const shown = first === undefined ? target : dissolve(first, target, (1 - Math.cos(2 * Math.PI * moment)) / 2)
    return mosaicOf(shown, columns, rows)
  }
}

function dissolve(from: Canvas, to: Canvas, share: number): Canvas {
  const pixels = from.pixels.map((value, at) => value + ((to.pixels[at] ?? 0) - value) * share)
  return { ...from, pixels }
}

/** The average color of each block, in the colors of video: BT.709 with limited range. */
function mosaicOf({ width, pixels }: Canvas, columns: number, rows: number): Mosaic {
  const colors = new Uint8Array(columns * rows * 3)
  for (let block = 0; block < columns * rows; block++) {
    const [left, top] = [(block % columns) * FINE, Math.floor(block / columns) * FINE]
    let [red, green, blue] = [0, 0, 0]
    for (let y = top; y < top + FINE; y++) {
      for (let x = left; x < left + FINE; x++) {
        const at = (y * width + x) * 4
        red += pixels[at] ?? 0
        green += pixels[at + 1] ?? 0
        blue += pixels[at + 2] ?? 0
      }
    }
    const share = 1 / (FINE * FINE * 255)
    const luma = (0.2126 * red + 0.7152 * green + 0.0722 * blue) * share
    colors[block * 3] = Math.round(16 + 219 * luma)
    colors[block * 3 + 1] = Math.round(128 + (224 * (blue * share - luma)) / 1.8556)
    colors[block * 3 + 2] = Math.round(128 + (224 * (red * share - luma)) / 1.5748)
  }
  return { columns, rows, colors }
}
