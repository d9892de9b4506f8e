import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createNodeReply } from '../src/node-reply.ts'

/** Every byte value, repeated; a part of a larger buffer, like the chunks of a socket. */
function anyBytes(length: number): Uint8Array {
  return Uint8Array.from({ length: length + 10 }, (_, i) => i % 256).subarray(5, length + 5)
}

it.each([0, 1, 256, 16 * 1024, 16 * 1024 + 1, 200_000])(
  'sends whole responses of %i bytes unchanged',
  async (length) => {
    const body = anyBytes(length)
    const server = createServer((_request, response) => createNodeReply(response).whole(200, { 'x-a': 'b' }, body))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    try {
      const { port } = server.address() as AddressInfo // it listens on a port
      const answer = await fetch(`http://127.0.0.1:${port}/`)
      expect(answer.headers.get('content-length')).toBe(String(length))
      expect(answer.headers.get('x-a')).toBe('b')
      expect(Buffer.from(await answer.arrayBuffer()).equals(body)).toBe(true)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  },
)
