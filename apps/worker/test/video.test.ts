import { GoogleGenAI } from '@google/genai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorker } from './workerd.ts'

const SIM = { DRAGOMAN_KEYS: 'sk-worker-0123456789', DRAGOMAN_SIM: 'on' }
const SEALED = { ...SIM, DRAGOMAN_SEALING_KEYS: 'a-sealing-key-for-tests-that-is-long-enough' }
let worker: Awaited<ReturnType<typeof startWorker>>
beforeAll(async () => void (worker = await startWorker(SEALED)), 60_000)
afterAll(() => worker.stop())

describe('videos in workerd', () => {
  it('[video.sdk] are generated, polled and downloaded by the official SDK', async () => {
    const httpOptions = { baseUrl: `${worker.url}/api/vertex-ai`, apiVersion: 'v1' }
    const ai = new GoogleGenAI({ vertexai: true, apiKey: 'sk-worker-0123456789', httpOptions })
    let operation = await ai.models.generateVideos({
      model: 'sim/film',
      prompt: 'A cat.',
      config: { durationSeconds: 1 },
    })
    for (let polls = 0; operation.done !== true && polls < 200; polls++) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      operation = await ai.operations.getVideosOperation({ operation })
    }
    const uri = operation.response?.generatedVideos?.[0]?.video?.uri ?? ''
    expect(uri).toContain(worker.url)
    const whole = Buffer.from(await (await fetch(uri)).arrayBuffer())
    expect(whole.subarray(4, 8).toString()).toBe('ftyp')
    const part = await fetch(uri, { headers: { range: 'bytes=4-7' } })
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      `bytes 4-7/${whole.length}`,
      'ftyp',
    ])
    const head = await fetch(uri, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, 'video/mp4', ''])
    expect((await fetch(uri, { headers: { range: 'bytes=99999999-' } })).status).toBe(416)
  })

  it('[video.restart] are known to another instance with the same sealing key, and to no other', async () => {
    const submitted = await post(worker.url, 'predictLongRunning', { instances: [{ prompt: 'A cat.' }] })
    const { name } = (await submitted.json()) as { name: string } // the answer to a submission
    const other = await startWorker(SEALED)
    expect((await post(other.url, 'fetchPredictOperation', { operationName: name })).status).toBe(200)
    await other.stop()
    const otherWorker = await startWorker({
      ...SEALED,
      DRAGOMAN_SEALING_KEYS: 'another-sealing-key-that-is-long-enough',
    })
    expect((await post(otherWorker.url, 'fetchPredictOperation', { operationName: name })).status).toBe(404)
    await otherWorker.stop()
  })

  it.each([undefined, 'too short'])(
    'are refused with the sealing key %j, and the error says how to set it',
    async (key) => {
      const unsealed = await startWorker({
        ...SIM,
        ...(key === undefined ? {} : { DRAGOMAN_SEALING_KEYS: key }),
      })
      const response = await post(unsealed.url, 'predictLongRunning', { instances: [{ prompt: 'A cat.' }] })
      expect(response.status).toBe(503)
      expect(await response.text()).toContain('DRAGOMAN_SEALING_KEYS')
      await unsealed.stop()
    },
    60_000,
  )
})

function post(url: string, action: string, body: object): Promise<Response> {
  return fetch(`${url}/api/vertex-ai/v1/publishers/sim/models/film:${action}`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-worker-0123456789', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}
