import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { expect, it } from 'vitest'
import { drawImage, IMAGE_REQUEST, readImage } from './image.ts'

it('the image of the README is what the simulator draws', async () => {
  const kept = PNG.sync.read(readImage())
  const drawn = PNG.sync.read(await drawImage())
  expect([kept.width, kept.height]).toEqual([drawn.width, drawn.height])
  // Processors round a sine differently in its last bit, which can change a color by one. Files differ by the version of zlib.
  const most = drawn.data.reduce((difference, value, at) => Math.max(difference, Math.abs(value - kept.data[at]!)), 0)
  expect(most).toBeLessThanOrEqual(1)
  expect(readImage().length).toBeLessThan(150_000)
})

it('the documentation says how to draw it', () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  const request = { ...IMAGE_REQUEST, model: `sim/${IMAGE_REQUEST.model}` }
  expect(readme).toContain(JSON.stringify(request))
})
