import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSim } from '../src/index.ts'
import { DEADLINES, receive } from './call.ts'

/** The request for the image of the README, as a caller of the gateway sends it, with the model's own name. */
export const IMAGE_REQUEST = {
  model: 'painter',
  prompt: 'A lighthouse by a calm sea at sunset',
  size: '1024x576',
}

/** Where the image is. */
export const IMAGE_FILE = join(import.meta.dirname, '../../../docs/images/lighthouse.png')

/** Draws the image. */
export async function drawImage(): Promise<Buffer> {
  const sim = createSim()
  const target = { path: '/images/generations', headers: {} }
  const body = JSON.stringify(IMAGE_REQUEST)
  const { status, text } = await receive(sim, sim.call('chat', target, { headers: {}, body, deadlines: DEADLINES }))
  if (status !== 200) throw new Error(text)
  const { data } = JSON.parse(text) as { data: readonly { b64_json: string }[] } // the wire of chat
  return Buffer.from(data[0]?.b64_json ?? '', 'base64')
}

/** The image that is in the repository. */
export function readImage(): Buffer {
  return readFileSync(IMAGE_FILE)
}

// `node packages/provider-sim/test/image.ts` writes the file again.
if (import.meta.main) writeFileSync(IMAGE_FILE, await drawImage())
