import { pngOf } from '@dragoman/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startWorker } from './workerd.ts'

const KEY = 'sk-worker-test-0123456789'
const MEGABYTE = 1024 * 1024

/** The hosts that exist. Their files are of more megabytes than a download may have, or redirect to an internal address. */
const PUBLIC = 'https://files.dragoman.dev'
const REDIRECTS: { readonly [path: string]: string } = {
  '/to-metadata': 'https://169.254.169.254/latest/meta-data',
  '/to-this-machine': 'https://[::1]/a.png',
  '/to-a-name': 'https://vault.internal/a.png',
  '/to-http': 'http://files.dragoman.dev/house.png',
  '/again': '/again',
  '/elsewhere': '/house.png',
}

describe('downloads in workerd', () => {
  let worker: Awaited<ReturnType<typeof startWorker>>
  let asked: { readonly url: string; readonly headers: object }[] = []
  beforeAll(async () => {
    worker = await startWorker({ DRAGOMAN_KEYS: KEY, DRAGOMAN_SIM: 'on' }, (request, response) => {
      const path = request.url ?? ''
      asked.push({ url: `https://${request.headers.host}${path}`, headers: request.headers })
      const location = REDIRECTS[path]
      if (location !== undefined) response.writeHead(302, { location }).end()
      else if (path === '/house.png')
        response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from(pngOf('a house'), 'base64'))
      else if (path === '/declared') response.writeHead(200, { 'content-length': 21 * MEGABYTE }).end('x')
      else if (path === '/large')
        response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(21 * MEGABYTE))
      else if (path === '/page') response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
      else response.writeHead(404).end()
    })
  })
  beforeEach(() => {
    asked = []
  })
  afterAll(() => worker.stop())

  const edit = async (image: string): Promise<{ status: number; text: string }> => {
    const response = await fetch(`${worker.url}/api/v1/images/edits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sim/painter', prompt: 'a boat', image, size: '1024x1024' }),
    })
    return { status: response.status, text: await response.text() }
  }

  it('bring the image to a model that takes bytes, without anything of the caller [images.edits]', async () => {
    const plain = await edit(`data:image/png;base64,${pngOf('a house')}`)
    const linked = await edit(`${PUBLIC}/elsewhere`)
    expect([plain.status, linked.status]).toEqual([200, 200])
    const drawn = ({ text }: { text: string }): unknown => (JSON.parse(text) as { data: unknown }).data
    expect(drawn(linked)).toEqual(drawn(plain))
    expect(asked.map(({ url }) => url)).toEqual([`${PUBLIC}/elsewhere`, `${PUBLIC}/house.png`])
    expect(JSON.stringify(asked)).not.toContain(KEY)
  })

  const NO_ADDRESS = 'the host of the URL has no public address'
  const INTERNAL = [
    'https://127.0.0.1/a.png',
    'https://0x7f.1/a.png',
    'https://2130706433/a.png',
    'https://10.0.0.1/a.png',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/a.png',
    'https://[::ffff:192.168.0.1]/a.png',
    'https://[fd00::1]/a.png',
    'https://localhost/a.png',
    'https://vault.internal/a.png',
    'https://router/a.png',
  ]
  it.each(INTERNAL)('refuse %s before any call (trap 34)', async (url) => {
    const { status, text } = await edit(url)
    expect(status).toBe(400)
    expect(JSON.parse(text)).toMatchObject({ error: { param: 'image', message: `image: ${NO_ADDRESS}.` } })
    expect(asked).toEqual([])
  })

  it.each([
    ['/to-metadata', NO_ADDRESS, 1],
    ['/to-this-machine', NO_ADDRESS, 1],
    ['/to-a-name', NO_ADDRESS, 1],
    ['/to-http', 'the URL is redirected from https to http', 1],
    ['/again', 'the URL is redirected too often', 6],
    ['/declared', 'the file at the URL is too large', 1],
    ['/large', 'the file at the URL is too large', 1],
    ['/page', 'the file at the URL is of another media type than it must be', 1],
    ['/missing', 'the host of the URL did not answer with a file', 1],
  ])('refuse %s: %s', async (path, message, calls) => {
    const { status, text } = await edit(PUBLIC + path)
    expect([status, text]).toEqual([400, expect.stringContaining(message) as string])
    expect(asked.map(({ url }) => url)).toEqual(Array.from({ length: calls }, () => PUBLIC + path))
  })
})
