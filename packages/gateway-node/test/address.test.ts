import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createFetchTransport, createGateway } from '@dragoman/gateway'
import { expect, it } from 'vitest'
import { createNodeHandler, type NodeDoorOptions } from '../src/index.ts'

/** The address that keys are asked with. */
async function addressAt(options?: NodeDoorOptions): Promise<string | undefined> {
  const asked: (string | undefined)[] = []
  const keys = { find: (_secret: string, address?: string) => void asked.push(address) }
  const gateway = createGateway({ providers: [], transport: createFetchTransport(), keys })
  const server = createServer(createNodeHandler(gateway, options))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const headers = { authorization: 'Bearer wrong', 'content-type': 'application/json', 'x-real-ip': '203.0.113.9' }
  await fetch(`http://127.0.0.1:${port}/api/v1/chat/completions`, { method: 'POST', headers, body: '{}' })
  server.closeAllConnections()
  server.close()
  expect(asked).toHaveLength(1)
  return asked[0]
}

it('the address of a caller is that of its connection, whatever headers say', async () => {
  expect(await addressAt()).toBe('127.0.0.1')
})

it('the address of a caller behind a proxy is what the server takes for it', async () => {
  expect(await addressAt({ addressOf: ({ headers }) => String(headers['x-real-ip']) })).toBe('203.0.113.9')
})
