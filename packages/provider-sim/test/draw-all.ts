import { createLosses } from '@dragoman/core'
import type { Upstream } from '@dragoman/core/provider'
import { createSim } from '../src/index.ts'
import { DEADLINES, receive } from './call.ts'

/** Files as base64, and an embedding. */
export interface DrawnFiles {
  readonly image: string
  readonly film: string
  readonly embedding: readonly number[]
}

const upstream: Upstream = {
  model: 'film',
  send: () => Promise.reject(new Error('no network')),
  visit: () => Promise.reject(new Error('no network')),
  download: () => Promise.reject(new Error('no network')),
  clock: { now: () => 0, after: () => () => {} },
  signal: new AbortController().signal,
}

/** Draws an image, a film and an embedding, with nothing but what every runtime has. */
export async function drawAll(): Promise<DrawnFiles> {
  const sim = createSim()
  const ask = async (path: string, body: object): Promise<string> => {
    const outbound = { headers: {}, body: JSON.stringify(body), deadlines: DEADLINES }
    return (await receive(sim, sim.call('chat', { path, headers: {} }, outbound))).text
  }
  const drawn = await ask('/images/generations', { model: 'painter', prompt: 'A boat', size: '320x192' })
  const { data: images } = JSON.parse(drawn) as { data: readonly { b64_json: string }[] } // the wire of chat
  const embedded = await ask('/embeddings', { model: 'vectors', input: 'A boat', dimensions: 16 })
  const { data: embeddings } = JSON.parse(embedded) as { data: readonly { embedding: number[] }[] } // the wire of chat
  const settings = { seconds: 1, audio: true, resolution: '480p' }
  const driver = sim.drivers?.video
  const token = await driver?.submit({ model: 'film', prompt: 'A boat', settings }, upstream, createLosses())
  const file = await driver?.open?.(token ?? {}, 0, upstream)
  const bytes = file !== undefined && 'bytes' in file ? file.bytes : []
  return {
    image: images[0]?.b64_json ?? '',
    film: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')),
    embedding: embeddings[0]?.embedding ?? [],
  }
}
