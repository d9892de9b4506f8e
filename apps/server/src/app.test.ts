import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createApp } from './app.ts'

it('is ready until it closes, and healthy all the time', async () => {
  let ready = true
  const server = createServer(
    createApp({
      calls: (_request, response) => response.end('a call'),
      admin: (_request, response) => response.end('an admin call'),
      generation: (_request, response) => response.end('a generation'),
      unready: () => (ready ? undefined : 'closing'),
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens
  const get = async (path: string) => {
    const answer = await fetch(url + path)
    return [answer.status, await answer.json()]
  }
  expect(await get('/readyz')).toEqual([200, { status: 'ready' }])
  ready = false
  expect(await get('/readyz')).toEqual([503, { status: 'closing' }])
  expect(await get('/healthz')).toEqual([200, { status: 'ok' }])
  server.close()
})
