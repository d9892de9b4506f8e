import { createServer, type AddressInfo } from 'node:net'

/** The address of a port that nothing listens on. */
export async function closedPort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}
