import { generate } from 'selfsigned'

export interface Authority {
  /** In PEM. */
  readonly certificate: string
  issue(host: string): Promise<{ readonly key: string; readonly cert: string }>
}

/** A certificate authority that is not trusted by default. */
export async function createAuthority(): Promise<Authority> {
  const root = await generate([{ name: 'commonName', value: 'An authority of this test' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  })
  return {
    certificate: root.cert,
    async issue(host) {
      const leaf = await generate([{ name: 'commonName', value: host }], {
        keyType: 'ec',
        algorithm: 'sha256',
        ca: { key: root.private, cert: root.cert },
        extensions: [
          { name: 'basicConstraints', cA: false },
          { name: 'subjectAltName', altNames: [{ type: 2, value: host }] },
        ],
      })
      return { key: leaf.private, cert: leaf.cert }
    },
  }
}
