import { DragomanError } from '../ir/error.ts'
import { isStandardBase64 } from '../lib/base64.ts'
import { encodeBytes } from '../lib/base64-bytes.ts'
import { signedBytes, writeEnvelope, ALGORITHM, bytesOfBase64, keyIdOf, type Signature } from './envelope.ts'

/** A new pair of keys of a publisher. */
export interface CatalogueKeyPair {
  /** PKCS #8 in PEM, as OpenSSL writes it. */
  readonly privateKey: string
  /** The base64 of its 32 bytes, for configurations. */
  readonly publicKey: string
  readonly id: string
}

/** Makes a pair of keys. */
export async function createCatalogueKeys(): Promise<CatalogueKeyPair> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const secret = encodeBytes(new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey)))
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))
  return {
    privateKey: `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----\n`,
    publicKey: encodeBytes(raw),
    id: await keyIdOf(raw),
  }
}

/** Signs the exact bytes of a content with one or several private keys, PKCS #8 in PEM. The content is not checked. */
export async function signCatalogue(content: string, privateKeys: readonly string[]): Promise<string> {
  const message = signedBytes(new TextEncoder().encode(content))
  const signatures: Signature[] = []
  for (const pem of privateKeys) {
    const { key, id } = await readPrivateKey(pem)
    const signature = await crypto.subtle.sign(ALGORITHM, key, message)
    signatures.push({ keyid: id, sig: encodeBytes(new Uint8Array(signature)) })
  }
  return writeEnvelope(content, signatures)
}

async function readPrivateKey(pem: string) {
  const base64 = pem.replaceAll(/-----(BEGIN|END) PRIVATE KEY-----|\s/g, '')
  try {
    if (base64 === '' || !isStandardBase64(base64)) throw new TypeError('not base64')
    const key = await crypto.subtle.importKey('pkcs8', bytesOfBase64(base64), ALGORITHM, true, ['sign'])
    // The public half is a part of what the private key is exported as.
    const { x = '' } = await crypto.subtle.exportKey('jwk', key)
    const padded = x
      .replaceAll('-', '+')
      .replaceAll('_', '/')
      .padEnd(Math.ceil(x.length / 4) * 4, '=')
    return { key, id: await keyIdOf(bytesOfBase64(padded)) }
  } catch {
    // Its error could have a part of the key.
    throw new DragomanError('invalid-request', 'is not an Ed25519 private key in PEM (PKCS #8)')
  }
}
