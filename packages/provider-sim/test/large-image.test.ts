import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'

const MB = 1024 * 1024
/** A file of 24 MB is 32 MB of base64, which the body, the request and the form have at some time. */
const HEAP_MB = 192

it.each([
  ['a PNG file', [137, 80, 78, 71, 13, 10, 26, 10]],
  ['any other file', [65, 65, 65, 65, 65, 65, 65, 65]],
])(
  'an edit of 24 MB takes little memory: %s',
  async (_, start) => {
    const file = new Uint8Array(24 * MB).fill(66)
    file.set(start)
    const form = new FormData()
    form.set('model', 'painter')
    form.set('prompt', 'A house')
    form.set('size', '256x256')
    form.set('image', new Blob([file], { type: 'image/png' }), 'house.png')
    const sent = new Response(form)
    const headers = { 'content-type': sent.headers.get('content-type') ?? '' }
    const body = new Uint8Array(await sent.arrayBuffer())
    const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB }
    const worker = new Worker(new URL('./answer-thread.ts', import.meta.url), { resourceLimits })
    worker.postMessage({ url: 'http://sim.invalid/chat/images/edits', method: 'POST', headers, body })
    const [status] = await once(worker, 'message')
    expect(status).toBe(200)
    await worker.terminate()
  },
  60_000,
)
