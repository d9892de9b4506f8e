import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { expect, it } from 'vitest'
import { drawPicture, PICTURE_REQUEST, readPicture } from './picture.ts'

it('the picture of the README is what the simulator draws', async () => {
  const kept = PNG.sync.read(readPicture())
  const drawn = PNG.sync.read(await drawPicture())
  expect([kept.width, kept.height]).toEqual([drawn.width, drawn.height])
  // Processors round a sine differently in its last bit, which can change a color by one. Files differ by the version of zlib.
  const most = drawn.data.reduce((difference, value, at) => Math.max(difference, Math.abs(value - kept.data[at]!)), 0)
  expect(most).toBeLessThanOrEqual(1)
  expect(readPicture().length).toBeLessThan(150_000)
})

it('the documentation says how to draw it', () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  const request = { ...PICTURE_REQUEST, model: `sim/${PICTURE_REQUEST.model}` }
  expect(readme).toContain(JSON.stringify(request))
})
