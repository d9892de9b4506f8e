import { inflateSync } from 'node:zlib'
import { GoogleGenAI } from '@google/genai'
import OpenAI, { toFile } from 'openai'
import { describe, expect, it } from 'vitest'
import { useServer } from '../shared-server.ts'

const server = useServer()

const openai = () => new OpenAI({ baseURL: `${server().url}/api/v1`, apiKey: server().key, maxRetries: 0 })
const genai = () =>
  new GoogleGenAI({
    apiKey: server().key,
    vertexai: true,
    httpOptions: { baseUrl: `${server().url}/api/vertex-ai`, apiVersion: 'v1' },
  })

/** Decodes a PNG: its size, and the number of bytes of its lines. */
function decodePng(base64 = '') {
  const bytes = Buffer.from(base64, 'base64')
  expect(bytes.subarray(0, 8)).toEqual(Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]))
  const [width, height, colour] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes[25] ?? -1]
  const data: Buffer[] = []
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at)
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(bytes.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colour] ?? 0
  expect(inflateSync(Buffer.concat(data)).length).toBe((width * channels + 1) * height)
  return { width, height }
}

describe.each(['sim/painter', 'sim/painter-genai'])('%s in the running server', (model) => {
  it('draws for openai, whole and streamed [images.generations.json] [images.generations.stream]', async () => {
    const ask = { model, prompt: 'a red house at night', size: '1536x1024' } as const
    const { data = [] } = await openai().images.generate({ ...ask, n: 2 })
    expect(data.map(({ b64_json }) => decodePng(b64_json))).toEqual([
      { width: 1536, height: 1024 },
      { width: 1536, height: 1024 },
    ])
    const types: string[] = []
    for await (const event of await openai().images.generate({ ...ask, stream: true, partial_images: 2 })) {
      types.push(event.type)
      expect(decodePng(event.b64_json).width).toBeGreaterThan(0)
    }
    expect(types.at(-1)).toBe('image_generation.completed')
  })
  it('edits what it drew, by a form [images.edits]', async () => {
    const { data = [] } = await openai().images.generate({ model, prompt: 'a tree', size: '1024x1024' })
    const image = await toFile(Buffer.from(data[0]?.b64_json ?? '', 'base64'), 'tree.png', { type: 'image/png' })
    const edited = await openai().images.edit({ model, prompt: 'a boat', image })
    expect(decodePng(edited.data?.[0]?.b64_json).width).toBeGreaterThan(0)
  })
  it('draws for @google/genai [image.sdk] [image.sampleCount]', async () => {
    const { generatedImages = [] } = await genai().models.generateImages({
      model,
      prompt: 'a red house',
      config: { numberOfImages: 2, aspectRatio: '16:9' },
    })
    expect(generatedImages).toHaveLength(2)
    for (const { image } of generatedImages) {
      const { width, height } = decodePng(image?.imageBytes)
      expect(width / height).toBeCloseTo(16 / 9, 1)
    }
  })
})
