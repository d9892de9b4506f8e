import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { GatewayOptions } from '@dragoman/gateway'
import { doneAt, FILM, filmProvider, filmUpstream, serveFilms, UPSTREAM_KEY } from './film-upstream.ts'

const CLOCK = { now: () => Date.now(), after: systemAfter }

/** A gateway with one finished video, and the address of its file. */
async function finished(options: Partial<GatewayOptions> = {}, path = '/v1beta/files/a:download?alt=media') {
  const upstream = await filmUpstream()
  const gateway = await serveFilms([filmProvider(upstream)], options)
  upstream.states = [doneAt(`${upstream.url}${path}`)]
  const { name } = (await gateway.submit()).body
  const { body } = await gateway.poll(name)
  return {
    upstream,
    gateway,
    url: body.response?.videos[0]?.gcsUri ?? '',
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await upstream[Symbol.asyncDispose]()
    },
  }
}

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())

describe('the file of a video', () => {
  it('[video.state.done] is served without a key of the caller, by the key of the upstream', async () => {
    await using film = await finished()
    const response = await fetch(film.url)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(FILM.length),
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      etag: '"film"',
    })
    expect(await bytesOf(response)).toEqual(FILM)
    expect(film.upstream.calls.at(-1)).toMatchObject({ path: '/v1beta/files/a:download?alt=media', key: UPSTREAM_KEY })
    // The address is not in the log: anyone who has it can open it.
    const { search } = new URL(film.url)
    expect(search.length).toBeGreaterThan(100)
    expect(JSON.stringify(film.gateway.log.entries)).not.toContain(search.slice(7, 60))
  })

  it.each([
    ['bytes=0-9', 0, 9],
    ['bytes=99990-', 99_990, 99_999],
    ['bytes=50000-50000', 50_000, 50_000],
  ])('is served in ranges: %s', async (range, start, end) => {
    await using film = await finished()
    const response = await fetch(film.url, { headers: { range } })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/100000`)
    expect(response.headers.get('content-length')).toBe(String(end - start + 1))
    expect(await bytesOf(response)).toEqual(FILM.subarray(start, end + 1))
    expect(film.upstream.calls.at(-1)?.range).toBe(range)
  })

  it.each([
    ['bytes=10-19', 206, 10, 20],
    ['bytes=-5', 206, 99_995, 100_000],
    ['bytes=70000-', 206, 70_000, 100_000],
    ['bytes=0-1,5-6', 200, 0, 100_000],
    ['seconds=1-2', 200, 0, 100_000],
  ])('is cut into ranges if the upstream knows none: %s', async (range, status, start, end) => {
    await using film = await finished()
    film.upstream.file = (_request, response) =>
      void response.writeHead(200, { 'content-type': 'text/html', 'content-length': FILM.length }).end(FILM)
    const response = await fetch(film.url, { headers: { range } })
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('video/mp4')
    expect(response.headers.get('content-length')).toBe(String(end - start))
    expect(await bytesOf(response)).toEqual(FILM.subarray(start, end))
  })

  it.each([true, false])('has no range behind its end; the upstream knows ranges: %j', async (knows) => {
    await using film = await finished()
    if (!knows)
      film.upstream.file = (_request, response) => void response.writeHead(200, { 'content-length': 100_000 }).end(FILM)
    const response = await fetch(film.url, { headers: { range: 'bytes=100000-' } })
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */100000'])
    expect(await response.text()).toBe('')
  })

  it('answers HEAD with its size and no bytes', async () => {
    await using film = await finished()
    const response = await fetch(film.url, { method: 'HEAD' })
    expect([response.status, response.headers.get('content-length'), response.headers.get('content-type')]).toEqual([
      200,
      '100000',
      'video/mp4',
    ])
    expect((await bytesOf(response)).length).toBe(0)
    expect((await fetch(film.url, { method: 'POST' })).status).toBe(405)
  })

  it.each(['', 'x', undefined])('has no other address: token %j', async (token) => {
    await using film = await finished()
    const base = film.url.split('?', 1)[0] ?? ''
    const response = await fetch(token === undefined ? base : `${base}?token=${token}`)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code: 404, status: 'NOT_FOUND' } })
  })

  it('has an address that expires; another poll gives a new one', async () => {
    let now = Date.now()
    await using film = await finished({ clock: { ...CLOCK, now: () => now } })
    expect((await fetch(film.url)).status).toBe(200)
    now += 3_600_001
    const response = await fetch(film.url)
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('expired')
  })

  it('cannot be opened with the name of an operation', async () => {
    await using film = await finished()
    const { name } = (await film.gateway.submit()).body
    const base = film.url.split('?', 1)[0] ?? ''
    expect((await fetch(`${base}?token=${name.split('/').at(-1)}`)).status).toBe(404)
  })

  it('follows redirects inside the upstream with its key, and passes others on without it', async () => {
    await using film = await finished()
    const elsewhere = 'https://storage.example.com/film?signature=1'
    film.upstream.file = (request, response) => {
      const isFirst = request.url?.startsWith('/v1beta') === true
      const isAllowed = request.headers['x-goog-api-key'] === UPSTREAM_KEY
      response.writeHead(isAllowed ? 302 : 403, { location: isFirst ? '/download/a' : elsewhere }).end()
    }
    const response = await fetch(film.url, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([307, elsewhere])
  })

  it.each([
    [404, 404],
    [403, 502],
    [500, 502],
  ])('that the upstream answers with %i is an error of status %i', async (status, expected) => {
    await using film = await finished()
    film.upstream.file = (_request, response) => void response.writeHead(status).end(`{"secret":"${UPSTREAM_KEY}"}`)
    const response = await fetch(film.url)
    expect(response.status).toBe(expected)
    expect(await response.text()).not.toContain(UPSTREAM_KEY)
  })

  it('is passed on piece by piece: a slow reader slows the upstream down, and one that leaves stops it', async () => {
    await using film = await finished()
    const piece = Buffer.alloc(1024 * 1024)
    const isFull = Promise.withResolvers<number>()
    const isGone = Promise.withResolvers<void>()
    film.upstream.file = (_request, response) => {
      response.writeHead(200, { 'content-type': 'video/mp4' })
      response.on('close', () => isGone.resolve())
      let written = 0
      const write = (): void => {
        while (written < 512) {
          written++
          if (response.write(piece)) continue
          const stalled = setTimeout(() => isFull.resolve(written), 1000)
          response.once('drain', () => {
            clearTimeout(stalled)
            write()
          })
          return
        }
      }
      write()
    }
    const request = get(film.url)
    const [response] = (await once(request, 'response')) as [IncomingMessage] // the event's arguments
    response.pause()
    expect(await isFull.promise).toBeLessThan(100)
    request.destroy()
    await isGone.promise
  })

  it('that breaks off is not a whole file', async () => {
    await using film = await finished()
    film.upstream.file = (_request, response) => {
      response.writeHead(200, { 'content-length': 100_000 }).write(FILM.subarray(0, 50_000))
      setTimeout(() => response.destroy(), 50)
    }
    await expect(fetch(film.url).then(bytesOf)).rejects.toThrow('terminated')
  })
})

describe('the address of a file', () => {
  it('is that of the configuration', async () => {
    await using film = await finished({ publicUrl: 'https://llm.example.com/gateway/' })
    expect(film.url).toMatch(/^https:\/\/llm\.example\.com\/gateway\/api\/vertex-ai\/v1\/results\?token=/)
  })

  it.each([
    [{ 'x-forwarded-proto': 'https' }, /^https:\/\/127\.0\.0\.1:/],
    [{ 'x-forwarded-proto': 'https, http' }, /^https:\/\/127\.0\.0\.1:/],
    [{ 'x-forwarded-proto': 'javascript' }, /^http:\/\/127\.0\.0\.1:/],
    [{}, /^http:\/\/127\.0\.0\.1:/],
  ])('is otherwise the one that the caller has used: %j', async (headers, expected) => {
    await using film = await finished()
    const { name } = (await film.gateway.submit()).body
    const response = await fetch(
      `${film.gateway.url}/api/vertex-ai/v1/publishers/google/models/veo:fetchPredictOperation`,
      {
        method: 'POST',
        headers: { ...headers, 'x-goog-api-key': 'sk-alice', 'content-type': 'application/json' } as Record<
          string,
          string
        >,
        body: JSON.stringify({ operationName: name }),
      },
    )
    const { response: done } = (await response.json()) as { response: { videos: { gcsUri: string }[] } } // as above
    expect(done.videos[0]?.gcsUri).toMatch(expected)
  })
})

function systemAfter(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
