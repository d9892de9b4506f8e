import { createServer as createTlsServer } from 'node:https'
import type { RequestListener } from 'node:http'
import { createServer as createSocketServer, type AddressInfo } from 'node:net'
import zlib from 'node:zlib'
import { DragomanError } from '@dragoman/core'
import { describe, expect, it } from 'vitest'
import { createDownloads, type DownloadsOptions, type Resolve } from '../src/index.ts'
import { createAuthority } from './certificates.ts'
import { listen, scriptedUpstream } from './upstream.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const PARAM = 'messages.0.content'
/** This machine may be reached under a name and at one address. */
const LOCAL = { allow: ['127.0.0.1', 'files.example'], resolve: to('127.0.0.1') }

function to(...addresses: readonly string[]): Resolve {
  return () => Promise.resolve(addresses)
}

function fetchFile(url: string, options: DownloadsOptions = {}, more = {}) {
  return createDownloads(options).fetch(url, { param: PARAM, ...more })
}

/** What a download is refused with. */
async function refused(download: Promise<unknown>): Promise<DragomanError> {
  const error: unknown = await download.then(
    () => 'not refused',
    (thrown: unknown) => thrown,
  )
  if (!DragomanError.isInstance(error)) throw new Error(String(error), { cause: error })
  return error
}

function serve(body: Buffer | string, headers: Record<string, string> = {}): RequestListener {
  return (_request, response) => response.writeHead(200, { 'content-type': 'image/png', ...headers }).end(body)
}

function portOf(url: string): string {
  return new URL(url).port
}

const NO_ADDRESS = `${PARAM}: the host of the URL has no public address.`

/** Every way to write an address of this machine, of a private network or of a metadata service. */
const HOSTILE = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0x7F.0.0.0x1',
  '017700000001',
  '0177.0.0.1',
  '127.0.0.1.',
  '2130706433.',
  '%31%32%37.0.0.1',
  '１２７.０.０.１',
  '127。0。0。1',
  '①②⑦.⓪.⓪.①',
  '0',
  '0.0.0.0',
  '0x0',
  '10.1.2.3',
  '012.1.2.3',
  '172.16.0.1',
  '192.168.0.1',
  '192.168.257',
  '100.64.0.1',
  '100.100.100.200',
  '169.254.169.254',
  '2852039166',
  '0xA9FEA9FE',
  '0251.0376.0251.0376',
  '169.254.43518',
  '192.0.0.192',
  '168.63.129.16',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:169.254.169.254]',
  '[::ffff:0:127.0.0.1]',
  '[::ffff:8.8.8.8]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::8.8.8.8]',
  '[2001::1]',
  '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
]

describe('guarded downloads', () => {
  it.each(HOSTILE)('refuse the address https://%s (trap 34)', async (host) => {
    const resolve: Resolve = () => Promise.reject(new Error(`${host} was resolved`))
    const error = await refused(fetchFile(`https://${host}/secret`, { resolve, http: true }))
    expect([error.kind, error.param, error.message]).toEqual(['invalid-request', PARAM, NO_ADDRESS])
  })

  it.each([
    ['http://example.org/', 'the URL must begin with https'],
    ['ftp://example.org/', 'the URL must begin with https'],
    ['file:///etc/passwd', 'the URL must begin with https'],
    ['gopher://example.org/', 'the URL must begin with https'],
    ['data:image/png;base64,AAAA', 'the URL must begin with https'],
    ['javascript:alert(1)', 'the URL must begin with https'],
    ['//example.org/', 'this is not a valid URL'],
    ['/etc/passwd', 'this is not a valid URL'],
    ['', 'this is not a valid URL'],
    ['https://', 'this is not a valid URL'],
    ['https://[fe80::1%25eth0]/', 'this is not a valid URL'],
    ['https://[fe80::1%eth0]/', 'this is not a valid URL'],
    ['https://256.256.256.256/', 'this is not a valid URL'],
    ['https://1.2.3.4.5/', 'this is not a valid URL'],
    ['https://127.0.0.1\u0000.example.org/', 'this is not a valid URL'],
    ['https://user@example.org/', 'the URL must not contain a user name or a password'],
    ['https://:secret@example.org/', 'the URL must not contain a user name or a password'],
    ['https://example.org@127.0.0.1/', 'the URL must not contain a user name or a password'],
    ['https://example.org:22/', 'the port of the URL is not one of web servers'],
    ['https://example.org:6/', 'the port of the URL is not one of web servers'],
  ])('refuse %j', async (url, message) => {
    const error = await refused(fetchFile(url, { resolve: to('127.0.0.1') }))
    expect([error.kind, error.param, error.message]).toEqual(['invalid-request', PARAM, `${PARAM}: ${message}.`])
  })

  it.each([
    [['127.0.0.1']],
    [['10.0.0.1']],
    [['169.254.169.254']],
    [['::1']],
    [['::ffff:169.254.169.254']],
    [['64:ff9b::7f00:1']],
    [['8.8.8.8', '127.0.0.1']],
    [['2606:4700:4700::1111', 'fd00::1']],
    [['fe80::1%eth0']],
    [['not an address']],
    [[]],
  ])('refuse a name with the addresses %j', async (addresses) => {
    const error = await refused(fetchFile('https://example.org/a.png', { resolve: to(...addresses) }))
    expect([error.param, error.message]).toEqual([PARAM, NO_ADDRESS])
  })

  it('do not show whether an internal name exists', async () => {
    const internal = await refused(fetchFile('https://vault.corp/', { resolve: to('10.0.0.1') }))
    const missing = await refused(
      fetchFile('https://vault.corp/', { resolve: () => Promise.reject(new Error('ENOTFOUND')) }),
    )
    expect(missing.message).toBe(internal.message)
  })

  it('resolve a name once and connect to the address that was checked (trap 34)', async () => {
    await using server = await listen(serve(PNG))
    const names: string[] = []
    // The address of this name changes between the check and the connection. No server answers at the second address.
    const resolve: Resolve = (host) => Promise.resolve([names.push(host) === 1 ? '127.0.0.1' : '127.0.0.2'])
    const { bytes } = await fetchFile(`http://localhost:${portOf(server.url)}/`, {
      allow: ['127.0.0.1'],
      http: true,
      resolve,
    })
    expect([Buffer.from(bytes), names]).toEqual([PNG, ['localhost']])
  })

  it('check the name of each redirect again, so that a name that changes is refused', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.2']]
    await using server = await listen((_request, response) => response.writeHead(302, { location: '/again' }).end())
    const download = fetchFile(`http://rebind.example:${portOf(server.url)}/`, {
      allow: ['127.0.0.1'],
      http: true,
      resolve: () => Promise.resolve(answers.shift() ?? []),
    })
    expect((await refused(download)).message).toBe(NO_ADDRESS)
  })

  it('send nothing but the request for the file, with the name as host', async () => {
    await using upstream = await scriptedUpstream()
    const download = fetchFile(`http://files.example:${portOf(upstream.url)}/a%20b?c=d#e`, LOCAL, {
      accept: ['image/*'],
    })
    const { request, response } = await upstream.next()
    expect([request.method, request.url]).toEqual(['GET', '/a%20b?c=d'])
    expect(request.headers).toEqual({
      host: `files.example:${portOf(upstream.url)}`,
      connection: 'keep-alive',
      accept: 'image/*',
      'accept-encoding': 'identity',
      'user-agent': 'dragoman',
    })
    response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)
    expect((await download).type).toBe('image/png')
  })

  it('keep the name of the host in the handshake and in the check of the certificate', async () => {
    const authority = await createAuthority()
    const server = createTlsServer(await authority.issue('files.example'), serve(PNG))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // it listens on TCP
    const names: string[] = []
    server.on('secureConnection', (socket) => names.push(String(socket.servername)))
    const trusting = { ...LOCAL, authorities: [authority.certificate] }
    const found = await fetchFile(`https://files.example.:${port}/`, trusting)
    const wrong = await refused(fetchFile(`https://other.example:${port}/`, { ...trusting, allow: ['127.0.0.1'] }))
    const unknown = await refused(fetchFile(`https://files.example:${port}/`, LOCAL))
    server.close()
    expect([found.type, names[0]]).toEqual(['image/png', 'files.example'])
    expect([wrong.message, unknown.message]).toEqual(
      Array(2).fill(`${PARAM}: the host of the URL could not be reached.`),
    )
  })
})

describe('redirects of downloads', () => {
  const redirect =
    (location: string, status = 302): RequestListener =>
    (_request, response) =>
      response.writeHead(status, { location, 'set-cookie': 'a=b' }).end('moved')

  it.each([301, 302, 303, 307, 308])('are followed with status %i, without cookies and referrer', async (status) => {
    await using upstream = await scriptedUpstream()
    const download = fetchFile(`${upstream.url}/a`, LOCAL)
    const first = await upstream.next()
    first.response.writeHead(status, { location: 'b?c', 'set-cookie': 'session=1' }).end()
    const { request, response } = await upstream.next()
    expect([request.url, request.headers.cookie, request.headers.referer]).toEqual(['/b?c', undefined, undefined])
    response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)
    expect(Buffer.from((await download).bytes)).toEqual(PNG)
  })

  it.each([
    'http://127.0.0.2/',
    'https://169.254.169.254/latest/meta-data/',
    '//[::1]/',
    'http://2130706434/',
    'https://[::ffff:10.0.0.1]/',
  ])('to %s are refused', async (location) => {
    await using server = await listen(redirect(location))
    const download = fetchFile(server.url, { ...LOCAL, http: true })
    expect((await refused(download)).message).toBe(NO_ADDRESS)
  })

  it.each([
    ['file:///etc/passwd', 'the URL must begin with https'],
    ['https://user:secret@example.org/', 'the URL must not contain a user name or a password'],
    ['https://', 'the URL is redirected to an address that is not valid'],
    ['https://example.org:25/', 'the port of the URL is not one of web servers'],
  ])('to %s are refused', async (location, message) => {
    await using server = await listen(redirect(location))
    expect((await refused(fetchFile(server.url, LOCAL))).message).toBe(`${PARAM}: ${message}.`)
  })

  it('to a name with a private address are refused, behind any number of others (trap 34)', async () => {
    await using server = await listen((request, response) => {
      const step = Number(request.url?.slice(1))
      response.writeHead(302, { location: step < 3 ? `/${step + 1}` : 'https://inside.example/' }).end()
    })
    const resolve: Resolve = (host) => Promise.resolve([host === 'files.example' ? '127.0.0.1' : '10.0.0.1'])
    const download = fetchFile(`http://files.example:${portOf(server.url)}/0`, { ...LOCAL, resolve })
    expect((await refused(download)).message).toBe(NO_ADDRESS)
  })

  it('are followed five times, and not more often', async () => {
    const reach =
      (most: number): RequestListener =>
      (request, response) => {
        const step = Number(request.url?.slice(1))
        if (step < most) response.writeHead(302, { location: `/${step + 1}` }).end()
        else response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)
      }
    await using five = await listen(reach(5))
    await using six = await listen(reach(6))
    expect((await fetchFile(`${five.url}/0`, LOCAL)).type).toBe('image/png')
    expect((await refused(fetchFile(`${six.url}/0`, LOCAL))).message).toBe(`${PARAM}: the URL is redirected too often.`)
  })

  it('from https to http are refused, even if http is allowed', async () => {
    await using plain = await listen(serve(PNG))
    const authority = await createAuthority()
    const server = createTlsServer(await authority.issue('files.example'), redirect(plain.url))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // it listens on TCP
    const options = { ...LOCAL, http: true, authorities: [authority.certificate] }
    const error = await refused(fetchFile(`https://files.example:${port}/`, options))
    server.close()
    expect(error.message).toBe(`${PARAM}: the URL is redirected from https to http.`)
  })
})

describe('limits of downloads', () => {
  const TOO_LARGE = `${PARAM}: the file at the URL is too large.`

  it('refuse a file by its stated length, before it is read', async () => {
    await using upstream = await scriptedUpstream()
    const download = refused(fetchFile(upstream.url, { ...LOCAL, limit: 1000 }))
    const { response, gone } = await upstream.next()
    response.writeHead(200, { 'content-length': '1001', 'content-type': 'image/png' }).flushHeaders()
    expect((await download).message).toBe(TOO_LARGE)
    await gone
  })

  it('stop a file that is longer than it may be, without a stated length', async () => {
    await using upstream = await scriptedUpstream()
    const download = refused(fetchFile(upstream.url, { ...LOCAL, limit: 1000 }))
    const { response, gone } = await upstream.next()
    response.writeHead(200, { 'content-type': 'image/png' })
    response.write(Buffer.alloc(1001))
    expect((await download).message).toBe(TOO_LARGE)
    await gone
  })

  it('take a file of exactly the limit, and let a call lower the limit only', async () => {
    await using server = await listen(serve(PNG))
    const most = { ...LOCAL, limit: PNG.length }
    expect((await fetchFile(server.url, most, { limit: 1e9 })).bytes).toHaveLength(PNG.length)
    expect((await refused(fetchFile(server.url, most, { limit: PNG.length - 1 }))).message).toBe(TOO_LARGE)
    expect((await refused(fetchFile(server.url, { ...LOCAL, limit: 3 }, { limit: 1e9 }))).message).toBe(TOO_LARGE)
  })

  it('count the bytes of a compressed file after decompression', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(50 * 1024 * 1024))
    await using server = await listen(serve(bomb, { 'content-encoding': 'gzip' }))
    expect(bomb.length).toBeLessThan(100_000)
    const error = await refused(fetchFile(server.url, { ...LOCAL, limit: 100_000 }))
    expect(error.message).toBe(TOO_LARGE)
  })

  it('unpack a small file that was compressed although it was not asked for', async () => {
    await using server = await listen(serve(zlib.gzipSync(PNG), { 'content-encoding': 'gzip' }))
    expect(Buffer.from((await fetchFile(server.url, LOCAL)).bytes)).toEqual(PNG)
  })

  it('end a download that takes too long: a head that never comes, and a body byte by byte', async () => {
    const slow = { ...LOCAL, deadlines: { total: 2500 } }
    await using silent = await listen(() => undefined)
    await using drops = await listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' })
      const timer = setInterval(() => response.write('.'), 100)
      response.on('close', () => clearInterval(timer))
    })
    // A head that is sent byte by byte and never ends.
    const sockets = createSocketServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => socket.write('x-a: b\r\n'), 100)
      socket.on('close', () => clearInterval(timer)).on('error', () => undefined)
    })
    await new Promise<void>((resolve) => sockets.listen(0, '127.0.0.1', resolve))
    const { port } = sockets.address() as AddressInfo // it listens on TCP
    const urls = [silent.url, drops.url, `http://127.0.0.1:${port}`]
    const errors = await Promise.all(urls.map((url) => refused(fetchFile(url, slow))))
    sockets.close()
    expect(errors.map(({ message }) => message)).toEqual(Array(3).fill(`${PARAM}: the download took too long.`))
  })

  it('end a download whose name is never resolved', async () => {
    const resolve: Resolve = () => new Promise(() => undefined)
    const error = await refused(fetchFile('https://example.org/', { resolve, deadlines: { total: 2000 } }))
    expect(error.message).toBe(`${PARAM}: the download took too long.`)
  })

  it('are over when the caller is gone', async () => {
    await using upstream = await scriptedUpstream()
    const aborter = new AbortController()
    const download = refused(fetchFile(upstream.url, LOCAL, { signal: aborter.signal }))
    const { gone } = await upstream.next()
    aborter.abort()
    expect((await download).kind).toBe('cancelled')
    await gone
    expect((await refused(fetchFile(upstream.url, LOCAL, { signal: aborter.signal }))).kind).toBe('cancelled')
    expect(upstream.count).toBe(1)
  })
})

describe('files of downloads', () => {
  const NO_TYPE = `${PARAM}: the file at the URL is of another media type than it must be.`
  const images = { accept: ['image/*'] }

  it.each([
    ['text/html', PNG],
    ['application/json', Buffer.from('{}')],
    ['image/png', Buffer.from('%PDF-1.7')],
    ['application/octet-stream', Buffer.from('something')],
  ])('of the type %s are refused if an image is wanted', async (type, body) => {
    await using server = await listen(serve(body, { 'content-type': type }))
    expect((await refused(fetchFile(server.url, LOCAL, images))).message).toBe(NO_TYPE)
  })

  it.each([
    ['image/png; charset=x', PNG, 'image/png'],
    ['IMAGE/PNG', PNG, 'image/png'],
    ['image/jpeg', PNG, 'image/png'],
    ['application/octet-stream', PNG, 'image/png'],
    ['binary/octet-stream', Buffer.from('ffd8ffe000104a464946', 'hex'), 'image/jpeg'],
    ['nonsense', Buffer.from('GIF89a123'), 'image/gif'],
    ['image/x-own', Buffer.from('own'), 'image/x-own'],
  ])('with %s are named by what they are', async (type, body, expected) => {
    await using server = await listen(serve(body, { 'content-type': type }))
    expect((await fetchFile(server.url, LOCAL, images)).type).toBe(expected)
  })

  it('of an unknown type have the only one that is wanted', async () => {
    await using server = await listen(serve('a,b', { 'content-type': 'application/octet-stream' }))
    expect((await fetchFile(server.url, LOCAL, { accept: ['text/csv'] })).type).toBe('text/csv')
    expect((await fetchFile(server.url, LOCAL)).type).toBeUndefined()
  })

  it.each([201, 204, 206, 304, 400, 404, 500])('do not come with status %i', async (status) => {
    await using server = await listen((_request, response) => response.writeHead(status).end())
    const error = await refused(fetchFile(server.url, LOCAL))
    expect([error.kind, error.message]).toEqual([
      'invalid-request',
      `${PARAM}: the host of the URL did not answer with a file.`,
    ])
  })

  it('are not empty, and not cut off', async () => {
    await using empty = await listen(serve(''))
    await using cut = await listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': '100' })
      response.write(PNG, () => response.destroy())
    })
    expect((await refused(fetchFile(empty.url, LOCAL))).message).toBe(`${PARAM}: the file at the URL is empty.`)
    expect((await refused(fetchFile(cut.url, LOCAL))).message).toBe(
      `${PARAM}: the host of the URL could not be reached.`,
    )
  })

  it('that an upstream points to are errors of the upstream', async () => {
    const downloads = createDownloads({ resolve: to('127.0.0.1') })
    const { kind, param, message } = await refused(downloads.fetch('https://results.example/a.png'))
    expect([kind, param, message]).toEqual([
      'upstream',
      undefined,
      'A file of the upstream could not be downloaded: the host of the URL has no public address.',
    ])
  })
})

describe('allowed hosts of downloads', () => {
  it.each([
    [['127.0.0.0/8'], 'http://127.0.0.1'],
    [['127.0.0.1'], 'http://2130706433'],
    [['files.internal'], 'http://files.internal.'],
    [['*.INTERNAL'], 'http://a.files.internal'],
  ])('with %j include %s', async (allow, origin) => {
    await using server = await listen(serve(PNG))
    const options = { allow, resolve: to('127.0.0.1') }
    expect((await fetchFile(`${origin}:${portOf(server.url)}/`, options)).type).toBe('image/png')
  })

  it.each([
    [['127.0.0.0/8'], 'https://10.0.0.1/'],
    [['*.internal'], 'https://internal/'],
    [['files.internal'], 'https://xfiles.internal/'],
    [['files.internal'], 'https://files.internal.example.org/'],
  ])('with %j do not include %s', async (allow, url) => {
    expect((await refused(fetchFile(url, { allow, resolve: to('10.0.0.1') }))).message).toBe(NO_ADDRESS)
  })

  it.each(['https://files.internal', 'a b', '10.0.0.0/99', '10.0.0', ''])('cannot be named %j', (entry) => {
    expect(() => createDownloads({ allow: [entry] })).toThrow(DragomanError)
  })
})

describe('a refresh', () => {
  it('sends the tag of the known version, and has no file if it is the same', async () => {
    const seen: (string | undefined)[] = []
    await using upstream = await listen((request, response) => {
      seen.push(request.headers['if-none-match'])
      const isSame = request.headers['if-none-match'] === '"one"'
      response.writeHead(isSame ? 304 : 200, { etag: '"one"', 'content-type': 'application/json' })
      response.end(isSame ? undefined : '{}')
    })
    const downloads = createDownloads(LOCAL)
    const first = await downloads.refresh(upstream.url, { param: PARAM })
    expect(first).toMatchObject({ tag: '"one"', type: 'application/json' })
    expect(await downloads.refresh(upstream.url, { param: PARAM, tag: '"one"' })).toBeUndefined()
    expect(await downloads.refresh(upstream.url, { param: PARAM, tag: '"two"' })).toMatchObject({ tag: '"one"' })
    expect(seen).toEqual([undefined, '"one"', '"two"'])
  })

  it('needs a file where no version is known', async () => {
    await using upstream = await listen((_request, response) => response.writeHead(304).end())
    const { message } = await refused(createDownloads(LOCAL).refresh(upstream.url, { param: PARAM }))
    expect(message).toBe(`${PARAM}: the host of the URL did not answer with a file.`)
  })
})
