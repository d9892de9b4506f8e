import { findChromium, runInPage } from '@dragoman/browser'
import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { createCanvas } from '../src/image/canvas.ts'
import { drawImages } from '../src/image/draw.ts'
import { paintScene } from '../src/image/paint.ts'
import { encodePng } from '../src/image/png.ts'
import { composeScene } from '../src/image/scene.ts'
import { encodeFilm } from '../src/video/film.ts'

// Shows the files in a real browser. Without one these tests are reported as not run, except where the whole suite must run.
const chromium = findChromium('images and films of the simulator, as a browser shows them')

describe.skipIf(chromium.isSkipped)('in Chromium', () => {
  it('an image is shown, with the same pixels as in an independent decoder', async () => {
    const settings = { size: '192x112', background: 'transparent' }
    const [canvas] = await drawImages({ model: 'painter', prompt: 'A boat', settings, delivery: {} }, 1)
    const png = await encodePng(canvas!)
    const shown = (await runInPage(
      chromium,
      `const image = new Image()
       image.src = '/image.png'
       await image.decode()
       const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight)
       const context = canvas.getContext('2d')
       context.drawImage(image, 0, 0)
       const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
       await report({ width: canvas.width, height: canvas.height, data: [...data] })`,
      { '/image.png': { type: 'image/png', body: png } },
    )) as { width: number; height: number; data: number[] }
    expect(shown).toMatchObject({ width: 192, height: 112 })
    const expected = PNG.sync.read(Buffer.from(png)).data
    // A browser multiplies colors with their alpha, so only opaque pixels are exact.
    const wrong = shown.data.filter((value, at) => expected[at | 3] === 255 && value !== expected[at])
    expect(wrong).toEqual([])
    expect(shown.data[3]).toBe(0)
  })

  it.each([
    [640, 368, 1],
    [360, 640, 2],
    [368, 368, 1],
  ])('a film of %i by %i pixels plays to its end', async (width, height, seconds) => {
    const film = { prompt: 'A lighthouse by the sea at sunset', seed: 5, seconds, fps: 24, width, height }
    const body = await encodeFilm({ ...film, sound: true })
    const played = (await runInPage(
      chromium,
      `const video = document.createElement('video')
       video.src = '/film.mp4'
       const ended = new Promise((resolve, reject) => {
         video.onended = resolve
         video.onerror = () => reject(new Error(video.error.message))
       })
       await Promise.race([ended, new Promise((resolve) => (video.onloadeddata = resolve))])
       const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight)
       const context = canvas.getContext('2d')
       // The data of the first frame can be there before the frame can be drawn.
       while (context.getImageData(0, 0, 1, 1).data[3] === 0) {
         context.drawImage(video, 0, 0)
         await new Promise((resolve) => setTimeout(resolve))
       }
       const first = []
       for (let y = 4; y < canvas.height; y += 16)
         for (let x = 4; x < canvas.width; x += 16) first.push(...context.getImageData(x, y, 1, 1).data)
       await video.play()
       await ended
       await report({
         width: video.videoWidth, height: video.videoHeight, duration: video.duration, time: video.currentTime,
         ended: video.ended, sound: video.webkitAudioDecodedByteCount, first,
         dropped: video.getVideoPlaybackQuality().corruptedVideoFrames,
       })`,
      { '/film.mp4': { type: 'video/mp4', body } },
    )) as { width: number; duration: number; sound: number; time: number; first: number[] }
    expect(played).toMatchObject({ width, height, ended: true, dropped: 0 })
    expect(played.duration).toBeCloseTo(seconds, 1)
    expect(played.time).toBeCloseTo(seconds, 1)
    expect(played.sound).toBeGreaterThan(0)
    expect(mostDifference(played.first, firstImage(film))).toBeLessThanOrEqual(6)
  })
})

/** The colors of the blocks of a film's first image. */
function firstImage(film: { prompt: string; seed: number; width: number; height: number }): number[] {
  const [columns, rows] = [Math.ceil(film.width / 16), Math.ceil(film.height / 16)]
  const canvas = createCanvas(columns * 4, rows * 4)
  paintScene(canvas, composeScene(film.prompt, film.seed))
  return Array.from({ length: columns * rows * 4 }, (_, at) => {
    const block = Math.floor(at / 4)
    const samples = Array.from({ length: 16 }, (_sample, index) => {
      const x = (block % columns) * 4 + (index % 4)
      const y = Math.floor(block / columns) * 4 + Math.floor(index / 4)
      return canvas.pixels[(y * columns * 4 + x) * 4 + (at % 4)]!
    })
    return samples.reduce((sum, value) => sum + value, 0) / 16
  })
}

function mostDifference(left: readonly number[], right: readonly number[]): number {
  return left.reduce((most, value, at) => Math.max(most, Math.abs(value - (right[at] ?? Infinity))), 0)
}
