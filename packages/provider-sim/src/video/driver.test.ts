import { createLosses, type JsonObject } from '@dragoman/core'
import type { VideoRequest } from '@dragoman/core/media'
import type { Upstream } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import { createCanvas } from '../image/canvas.ts'
import { encodePng } from '../image/png.ts'
import { createFilmDriver } from './driver.ts'

const driver = createFilmDriver(2000)
let now = 1_000_000
const upstream: Upstream = {
  model: 'film',
  send: () => Promise.reject(new Error('no network')),
  visit: () => Promise.reject(new Error('no network')),
  download: () => Promise.reject(new Error('no network')),
  clock: { now: () => now, after: () => () => {} },
  signal: new AbortController().signal,
}
const submit = (request: Partial<VideoRequest>) =>
  driver.submit({ model: 'film', settings: {}, ...request }, upstream, createLosses())
/** The bytes of a film. */
async function open(token: JsonObject, index: number): Promise<Uint8Array> {
  const file = await driver.open?.(token, index, upstream)
  expect(file?.mime).toBe('video/mp4')
  return file !== undefined && 'bytes' in file ? file.bytes : new Uint8Array()
}

describe('the driver of films', () => {
  it('is finished after its time, with nothing but the token', async () => {
    const token = await submit({ prompt: 'A boat', settings: { count: 2 } })
    expect(await driver.poll(token, upstream)).toEqual({ status: 'running' })
    now += 2000
    const later = JSON.parse(JSON.stringify(token))
    expect(await createFilmDriver(0).poll(later, upstream)).toEqual({ status: 'done', videos: [{}, {}] })
    const [first, again, second] = await Promise.all([0, 0, 1].map((index) => open(later, index)))
    // It is not drawn again for each range.
    expect(first).toBe(again)
    expect(Buffer.compare(first!, second!)).not.toBe(0)
  })

  it('reports videos that are blocked and videos that fail', async () => {
    const [blocked, failed] = await Promise.all(
      ['[[block]] A boat', '[[fail]] A boat'].map((prompt) => submit({ prompt })),
    )
    now += 2000
    expect(await driver.poll(blocked!, upstream)).toEqual({
      status: 'done',
      videos: [],
      blocked: { count: 1, reasons: [expect.any(String)] },
    })
    expect(await driver.poll(failed!, upstream)).toMatchObject({ status: 'failed', error: { kind: 'upstream-error' } })
    await expect(submit({ prompt: '[[error 503]]' })).rejects.toMatchObject({ kind: 'upstream-error' })
    await expect(submit({ prompt: '[[error 429]]' })).rejects.toMatchObject({ kind: 'rate-limit' })
  })

  it('keeps given frames as small images', async () => {
    const red = createCanvas(640, 360)
    for (let at = 0; at < red.pixels.length; at += 4) red.pixels.set([255, 0, 0, 255], at)
    const data = Buffer.from(await encodePng(red)).toString('base64')
    const image = { source: { kind: 'base64', mime: 'image/png', data } } as const
    const settings = { seconds: 1 }
    const [plain, given] = await Promise.all([
      submit({ prompt: 'x', settings }),
      submit({ prompt: 'x', settings, image }),
    ])
    expect(JSON.stringify(given).length).toBeLessThan(2000)
    const [without, withFrame] = await Promise.all([plain, given].map((token) => open(token, 0)))
    expect(Buffer.compare(without!, withFrame!)).not.toBe(0)
  })

  it.each([
    ['16:9', '720p', 1280, 720],
    ['9:16', '720p', 720, 1280],
    ['1:1', '1080p', 1080, 1080],
    ['16:9', '1080p', 1920, 1080],
    ['4:3', '480p', 640, 480],
  ])('%s in %s is %i by %i', async (aspectRatio, resolution, width, height) => {
    expect(await submit({ prompt: 'x', settings: { aspectRatio, resolution } })).toMatchObject({ width, height })
  })
})
