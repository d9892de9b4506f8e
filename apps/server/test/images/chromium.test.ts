import { findChromium, runInPage } from '@dragoman/browser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type ServerProcess } from '../process.ts'

// A page in a real browser uses the running server, as the web application of somebody who allows its origin.
const chromium = findChromium('images and videos of the running server, in a page')

describe.skipIf(chromium.isSkipped)('a page in Chromium', () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServer({ DRAGOMAN_LOG: 'silent', DRAGOMAN_CORS: '*' })
  })
  afterAll(() => server.stop())

  /** Runs a script that calls the server by `ask`. */
  const run = (script: string): Promise<unknown> =>
    runInPage(
      chromium,
      `const ask = async (path, body) => {
         const headers = { authorization: 'Bearer ${server.key}', 'content-type': 'application/json' }
         const answer = await fetch('${server.url}' + path, { method: 'POST', headers, body: JSON.stringify(body) })
         if (!answer.ok) throw new Error(await answer.text())
         return answer.json()
       }
       ${script}`,
      {},
    )

  it('[images.generations.json] shows images of the sizes that were asked for', async () => {
    const sizes = [
      [1536, 1024],
      [1024, 1536],
    ]
    const shown = await run(`
      const show = async (width, height) => {
        const { data } = await ask('/api/v1/images/generations', {
          model: 'sim/painter', prompt: 'a red kite over the sea', size: width + 'x' + height,
        })
        const image = document.body.appendChild(new Image())
        image.src = 'data:image/png;base64,' + data[0].b64_json
        await image.decode()
        const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight)
        const context = canvas.getContext('2d')
        context.drawImage(image, 0, 0)
        const { data: pixels } = context.getImageData(0, 0, canvas.width, canvas.height)
        const colors = new Set()
        for (let at = 0; at < pixels.length; at += 4) colors.add(pixels[at] * 65536 + pixels[at + 1] * 256 + pixels[at + 2])
        return { width: image.naturalWidth, height: image.naturalHeight, isDrawn: colors.size > 10 }
      }
      const shown = []
      for (const [width, height] of ${JSON.stringify(sizes)}) shown.push(await show(width, height))
      await report(shown)`)
    expect(shown).toEqual(sizes.map(([width, height]) => ({ width, height, isDrawn: true })))
  }, 60_000)

  it('[video.state.done] plays the files behind the addresses of results to their ends, and seeks in them', async () => {
    const films = [
      { aspectRatio: '16:9', width: 1280, height: 720 },
      { aspectRatio: '9:16', width: 720, height: 1280 },
    ]
    const played = (await run(`
        const model = '/api/vertex-ai/v1/publishers/sim/models/film'
        const play = async (aspectRatio) => {
          const parameters = { aspectRatio, resolution: '720p', durationSeconds: 4, generateAudio: true }
          const { name } = await ask(model + ':predictLongRunning', { instances: [{ prompt: 'a red kite' }], parameters })
          let operation = {}
          while (operation.done !== true) {
            await new Promise((resolve) => setTimeout(resolve, 100))
            operation = await ask(model + ':fetchPredictOperation', { operationName: name })
          }
          const address = operation.response.videos[0].gcsUri
          const part = await fetch(address, { headers: { range: 'bytes=4-7' } })
          const video = document.body.appendChild(document.createElement('video'))
          const until = (event) => new Promise((resolve, reject) => {
            video.addEventListener(event, resolve, { once: true })
            video.onerror = () => reject(new Error(video.error.message))
          })
          video.src = address
          await until('loadeddata')
          video.currentTime = 3
          await until('seeked')
          const sought = video.currentTime
          video.currentTime = 0
          video.playbackRate = 4
          await Promise.all([until('ended'), video.play()])
          return {
            address, sought, status: part.status, box: await part.text(),
            width: video.videoWidth, height: video.videoHeight, duration: video.duration, time: video.currentTime,
            sound: video.webkitAudioDecodedByteCount, corrupted: video.getVideoPlaybackQuality().corruptedVideoFrames,
          }
        }
        const played = []
        for (const { aspectRatio } of ${JSON.stringify(films)}) played.push(await play(aspectRatio))
        await report(played)`)) as readonly { readonly [member: string]: unknown }[]
    expect(played).toEqual(
      films.map(({ width, height }) => ({
        address: expect.stringMatching(new RegExp(`^${server.url}/`)) as string,
        width,
        height,
        duration: expect.closeTo(4, 1) as number,
        time: expect.closeTo(4, 1) as number,
        sought: 3,
        status: 206,
        box: 'ftyp',
        sound: expect.toSatisfy((bytes: number) => bytes > 0) as number,
        corrupted: 0,
      })),
    )
  }, 120_000)
})
