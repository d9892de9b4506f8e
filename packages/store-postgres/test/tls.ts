import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { TLSSocket } from 'node:tls'
import { generate } from 'selfsigned'
import type { PoolConfig } from 'pg'

export interface TlsEntrance {
  readonly port: number
  /** The certificate of the authority, in PEM. */
  readonly authority: string
  readonly close: () => void
}

/** A port in front of a PostgreSQL with a socket only. It accepts TLS as PostgreSQL does, with a certificate for `localhost`. */
export async function openTlsEntrance({ host, port: number }: PoolConfig): Promise<TlsEntrance> {
  const { authority, key, cert } = await createCertificate('localhost')
  const server = createServer((socket) => {
    socket.on('error', () => {}) // a client that refuses the certificate leaves
    socket.once('data', () => {
      socket.write('S') // TLS begins
      const inside = new TLSSocket(socket, { isServer: true, key, cert })
      const database = connect(`${host}/.s.PGSQL.${number}`)
      inside.on('error', () => database.destroy())
      database.on('error', () => inside.destroy())
      inside.pipe(database).pipe(inside)
    })
  })
  server.listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  return { port, authority, close: () => void server.close() }
}

async function createCertificate(host: string) {
  const common = { keyType: 'ec', algorithm: 'sha256' } as const
  const root = await generate([{ name: 'commonName', value: 'An authority of this test' }], {
    ...common,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  })
  const leaf = await generate([{ name: 'commonName', value: host }], {
    ...common,
    ca: { key: root.private, cert: root.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'subjectAltName', altNames: [{ type: 2, value: host }] },
    ],
  })
  return { authority: root.cert, key: leaf.private, cert: leaf.cert }
}
