import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Deadlines, Failure } from '@dragoman/core/provider'
import { beforeAll, describe, expect, it } from 'vitest'
import { createUndiciTransport, type UndiciTransportOptions } from '../src/index.ts'
import { createAuthority, type Authority } from './certificates.ts'
import { startProxy } from './proxy.ts'
import { listen } from './upstream.ts'

const HOST = 'upstream.example'
const LONG: Deadlines = { connect: 60_000, head: 60_000, idle: 60_000, total: 60_000 }
let authority: Authority
beforeAll(async () => {
  authority = await createAuthority()
})

describe('an upstream behind a proxy', () => {
  it('is reached by a tunnel, with the credentials of the URL', async () => {
    await using upstream = await secureUpstream()
    await using proxy = await startProxy({ to: upstream.port })
    const proxies = { https: `http://me:s%3Acret@127.0.0.1:${proxy.port}` }
    const got = await call(`https://${HOST}/v1`, { proxies, authorities: [authority.certificate] })
    expect(got).toBe('200 POST /v1 hello')
    const basic = `Basic ${Buffer.from('me:s:cret').toString('base64')}`
    expect(proxy.asked).toEqual([{ method: 'CONNECT', target: `${HOST}:443`, authorization: basic }])
    expect(upstream.headers.at(-1)).not.toHaveProperty('proxy-authorization')
  })

  it('is called with the whole URL for plain http', async () => {
    await using upstream = await listen((request, response) => response.end(`${request.method} ${request.url}`))
    await using proxy = await startProxy({ to: Number(new URL(upstream.url).port) })
    const got = await call(`http://${HOST}:81/v1`, { proxies: { http: `http://127.0.0.1:${proxy.port}` } })
    expect(got).toBe('200 POST /v1')
    expect(proxy.asked).toMatchObject([{ method: 'POST', target: `http://${HOST}:81/v1` }])
  })

  it('may send an unrequested 100, through a tunnel and without one', async () => {
    await using secure = await secureUpstream()
    await using tunnel = await startProxy({ to: secure.port })
    const options = { proxies: { https: `http://127.0.0.1:${tunnel.port}` }, authorities: [authority.certificate] }
    expect(await call(`https://${HOST}/continue`, options)).toBe('200 POST /continue hello')
    await using proxy = await startProxy({ to: 1, interim: true })
    const plain = { proxies: { http: `http://127.0.0.1:${proxy.port}` } }
    expect(await call(`http://${HOST}/v1`, plain)).toBe('200 done')
  })

  it('is called directly if it is an exception', async () => {
    await using upstream = await listen((_request, response) => response.end('direct'))
    await using proxy = await startProxy({ to: Number(new URL(upstream.url).port) })
    const origin = `http://0.0.0.0:${new URL(upstream.url).port}`
    const proxies = { http: `http://127.0.0.1:${proxy.port}` }
    expect(await call(`${origin}/`, { proxies })).toBe('200 direct')
    expect(proxy.asked).toHaveLength(1)
    expect(await call(`${origin}/`, { proxies: { ...proxies, except: '0.0.0.0' } })).toBe('200 direct')
    expect(proxy.asked).toHaveLength(1)
  })

  it.each([403, 407, 502])('fails when the proxy answers %s, and shows no secret', async (status) => {
    await using proxy = await startProxy({ to: 1, status })
    const failure = await call(`https://${HOST}/`, { proxies: { https: `http://me:canary@127.0.0.1:${proxy.port}` } })
    expect(failure).toMatchObject({ retryable: true })
    expect(describeCauses(failure)).not.toMatch(/canary|Basic/)
  })

  it('fails within the connect deadline if the proxy does not answer', async () => {
    await using proxy = await startProxy({ to: 1, status: 0 })
    const deadlines = { ...LONG, connect: 3000 }
    const failure = await call(`https://${HOST}/`, { proxies: { https: `http://127.0.0.1:${proxy.port}` } }, deadlines)
    expect(failure).toMatchObject({ kind: 'timeout', retryable: true })
  })
})

describe('an upstream with a certificate of another authority', () => {
  it('is trusted only if configured', async () => {
    await using upstream = await secureUpstream('localhost')
    const url = `https://localhost:${upstream.port}/v1`
    expect(await call(url, {})).toMatchObject({ kind: 'tls' })
    expect(await call(url, { authorities: [authority.certificate] })).toBe('200 POST /v1 hello')
    const other = await createAuthority()
    expect(await call(url, { authorities: [other.certificate] })).toMatchObject({ kind: 'tls' })
  })
})

/** The response in one line, or the failure. */
async function call(url: string, options: UndiciTransportOptions, deadlines = LONG): Promise<string | Failure> {
  const transport = createUndiciTransport(options)
  try {
    return await new Promise((resolve) => {
      let text = ''
      transport.send(
        { url, method: 'POST', headers: {}, body: 'hello', deadlines },
        {
          onHead(status) {
            text = `${status} `
            return 'chunks'
          },
          onChunk: (chunk) => void (text += Buffer.from(chunk).toString()),
          onEnd: () => resolve(text),
          onFail: resolve,
        },
      )
    })
  } finally {
    await transport.close()
  }
}

function describeCauses(failure: string | Failure): string {
  const cause = typeof failure === 'string' ? failure : failure.cause
  return cause instanceof Error
    ? `${cause.stack} ${describeCauses({ ...(failure as Failure), cause: cause.cause })}`
    : ''
}

/** Echoes the request. */
async function secureUpstream(host = HOST) {
  const headers: object[] = []
  const server = createServer(await authority.issue(host), (request, response) => {
    headers.push(request.headers)
    if (request.url === '/continue') response.writeContinue()
    response.write(`${request.method} ${request.url} `)
    request.pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    port,
    headers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
