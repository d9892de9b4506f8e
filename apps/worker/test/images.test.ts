import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorker } from './workerd.ts'

const KEY = 'sk-worker-test-0123456789'
const model = 'sim/painter'

describe('images in workerd', () => {
  let worker: Awaited<ReturnType<typeof startWorker>>
  beforeAll(async () => {
    worker = await startWorker({ DRAGOMAN_KEYS: KEY, DRAGOMAN_SIM: 'on' })
  })
  afterAll(() => worker.stop())

  const post = (path: string, body: object): Promise<Response> =>
    fetch(worker.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${KEY}`,
        ...(body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      },
      body: body instanceof FormData ? body : JSON.stringify(body),
    })
  const draw = async (): Promise<Buffer> => {
    const answer = await post('/api/v1/images/generations', { model, prompt: 'a house', size: '1024x1024' })
    const { data } = (await answer.json()) as { data: { b64_json: string }[] }
    return Buffer.from(data[0]?.b64_json ?? '', 'base64')
  }

  it('are drawn, and edited by a form [images.generations.json] [images.edits]', async () => {
    const png = await draw()
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1024, 1024])
    const form = new FormData()
    form.set('model', model)
    form.set('prompt', 'a boat')
    form.set('image', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'house.png')
    const edited = await post('/api/v1/images/edits', form)
    expect(edited.status).toBe(200)
    expect(await edited.text()).toContain('iVBORw0KGgo')
  })
  it('are streamed, and drawn for the other protocol [images.generations.stream] [image.predict]', async () => {
    const stream = await post('/api/v1/images/generations', { model, prompt: 'a house', stream: true })
    expect(await stream.text()).toContain('event: image_generation.completed')
    const predicted = await post(`/api/vertex-ai/v1/publishers/sim/models/painter:predict`, {
      instances: [{ prompt: 'a house' }],
    })
    expect(await predicted.json()).toMatchObject({ predictions: [{ mimeType: 'image/png' }] })
  })
  it('are explained without drawing', async () => {
    const answer = await post('/explain/api/v1/images/generations', {
      model: 'sim/painter-genai',
      prompt: 'a house',
      n: 2,
    })
    expect(await answer.json()).toMatchObject({
      routes: [{ mode: 'translate', request: { body: expect.stringContaining('"sampleCount":2') as string } }],
    })
  })
})
