import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  createCatalogueKeys,
  openCatalogue,
  readCatalogue,
  readCatalogueKey,
  signCatalogue,
  staleness,
  type CatalogueKey,
  type CatalogueKeyPair,
} from '../catalogue.ts'

const TYPE = 'application/vnd.dragoman.catalogue+json'
const price = { value: 3, unit: 'perMTokens', currency: 'USD' }
const GOOD = {
  version: 7,
  issued: '2026-11-17T09:00:00Z',
  providers: { openai: { models: { 'gpt-9': { context: 400_000, prices: { prompt: [price] } } } } },
}
const textOf = (value: object): string => JSON.stringify(value, null, 2)

let pair: CatalogueKeyPair
let other: CatalogueKeyPair
let key: CatalogueKey
beforeAll(async () => {
  pair = await createCatalogueKeys()
  other = await createCatalogueKeys()
  key = await readCatalogueKey(pair.publicKey)
})

/** DSSE, written from its specification with the cryptography of Node. */
function signedElsewhere(content: string, type = TYPE): object {
  const body = Buffer.from(content)
  const message = Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${type} ${body.length} `), body])
  const sig = sign(null, message, createPrivateKey(pair.privateKey)).toString('base64')
  return { payloadType: type, payload: body.toString('base64'), signatures: [{ keyid: pair.id, sig }] }
}

describe('a signed catalogue', () => {
  it('is opened with the key of its publisher, byte for byte', async () => {
    const content = `${textOf(GOOD)}\n  `
    const opened = await openCatalogue(await signCatalogue(content, [pair.privateKey]), { keys: [key] })
    expect(opened).toMatchObject({ version: 7, issued: GOOD.issued, content, key: pair.id })
    expect(opened.providers['openai']).toEqual({ version: 7, models: GOOD.providers.openai.models })
  })

  it('is an envelope of DSSE, which other tools can write', async () => {
    const content = textOf(GOOD)
    await expect(openCatalogue(textOf(signedElsewhere(content)), { keys: [key] })).resolves.toMatchObject({ content })
    const ours = JSON.parse(await signCatalogue(content, [pair.privateKey])) as object
    expect(ours).toEqual(signedElsewhere(content))
  })

  it('can be signed by several keys, of which one is enough', async () => {
    const both = await signCatalogue(textOf(GOOD), [other.privateKey, pair.privateKey])
    expect(await openCatalogue(both, { keys: [key] })).toMatchObject({ key: pair.id })
    const otherKey = await readCatalogueKey(other.publicKey)
    expect(await openCatalogue(both, { keys: [key, otherKey] })).toMatchObject({ key: other.id })
    const broken = JSON.parse(both) as { signatures: { sig: string }[] }
    broken.signatures[0]!.sig = broken.signatures[1]!.sig
    expect(await openCatalogue(textOf(broken), { keys: [key, otherKey] })).toMatchObject({ key: pair.id })
  })

  it('is refused with the reason, before its content is read', async () => {
    const signed = signedElsewhere('no JSON, canary') as {
      payload: string
      signatures: { keyid: string; sig: string }[]
    }
    const [signature] = signed.signatures
    const changed = Buffer.from(textOf(GOOD)).toString('base64')
    const refused = async (text: string): Promise<string> => {
      const error = await openCatalogue(text, { keys: [key] }).then(
        () => new Error('was opened'),
        (thrown: unknown) => thrown as Error, // nothing else is thrown
      )
      expect(error.message).not.toContain('canary')
      return error.message
    }
    expect(await refused(textOf({ ...signed, payload: changed }))).toMatch(
      /^has a signature that does not fit its content/,
    )
    expect(await refused(textOf({ ...signed, signatures: [{ ...signature, keyid: other.id }] }))).toBe(
      `is not signed by a configured key (${pair.id})`,
    )
    expect(await refused(textOf({ ...signed, signatures: [{ ...signature, sig: 'n%t base64' }] }))).toBe(
      'has a sig that is not base64',
    )
    expect(await refused(textOf({ ...signed, payload: 'canary!' }))).toBe('has a payload that is not base64')
    expect(await refused(textOf({ ...signed, signatures: [] }))).toBe('has no signatures')
    expect(await refused(textOf({ ...signed, signatures: Array.from({ length: 9 }, () => signature) }))).toBe(
      'has more than 8 signatures',
    )
    expect(await refused(textOf({ ...signed, signatures: [3] }))).toBe('has a signature without keyid or sig')
    expect(await refused(textOf(GOOD))).toBe(`is not signed: its payloadType is not ${TYPE}`)
    // The type is signed too.
    expect(await refused(textOf({ ...signedElsewhere(textOf(GOOD), 'text/plain'), payloadType: TYPE }))).toMatch(
      /^has a signature that does not fit its content/,
    )
    expect(await refused(textOf(signed).slice(0, -20))).toBe('is not JSON')
    expect(await refused(textOf(signed).replace('{', '{"payload": "", '))).toBe(
      'has the member "payload" twice in one object',
    )
    expect(await refused(textOf(signedElsewhere('no JSON, canary')))).toBe('is not JSON')
  })

  it('never replaces a newer one, nor one of its own version', async () => {
    const open = async (value: object) =>
      openCatalogue(await signCatalogue(textOf(value), [pair.privateKey]), { keys: [key] })
    const [six, seven, again, eight] = [
      await open({ ...GOOD, version: 6 }),
      await open(GOOD),
      await open({ ...GOOD, providers: {} }),
      await open({ ...GOOD, version: 8 }),
    ]
    expect(staleness(seven, undefined)).toBeUndefined()
    expect(staleness(eight, seven)).toBeUndefined()
    expect(staleness(seven, seven)).toBeUndefined()
    expect(staleness(six, seven)).toBe('has version 6, which is older than version 7')
    expect(staleness(again, seven)).toBe('has version 7 again, with another content')
  })
})

describe('a public key', () => {
  it('is read as OpenSSL writes it', async () => {
    const pem = createPublicKey(pair.privateKey).export({ type: 'spki', format: 'pem' })
    expect((await readCatalogueKey(String(pem))).id).toBe(pair.id)
    expect((await readCatalogueKey(` ${pair.publicKey}\n`)).id).toBe(pair.id)
  })

  it.each([
    ['', 'must be a public key in base64'],
    ['not base64', 'must be a public key in base64'],
    ['AAAA', 'must be an Ed25519 public key, which has 32 bytes'],
    [Buffer.alloc(32).toString('base64'), 'is a weak key: signatures for it can be forged'],
  ])('is refused if it is none: %s', async (text, message) => {
    await expect(readCatalogueKey(text)).rejects.toThrow(message)
  })

  it('is not a private one, and that is not repeated', async () => {
    await expect(signCatalogue('{}', [pair.publicKey])).rejects.toThrow(
      'is not an Ed25519 private key in PEM (PKCS #8)',
    )
    await expect(readCatalogueKey(pair.privateKey)).rejects.toThrow('must be a public key in base64')
  })
})

describe('the content of a catalogue', () => {
  const NEVER = 'is not accepted: a catalogue states facts and prices, never a host, header, credential or route'
  const at = 'providers.openai.models.gpt-9'
  const model = (facts: unknown, name = 'gpt-9'): string =>
    JSON.stringify({ ...GOOD, providers: { openai: { models: { [name]: facts } } } })
  const members = (more: object): string => JSON.stringify({ ...GOOD, ...more })
  const mistakesIn = (content: string): readonly string[] => {
    try {
      readCatalogue(content, ['openai', 'anthropic'])
    } catch (error) {
      return (error as Error).message.split('\n') // nothing else is thrown
    }
    return []
  }

  it.each([
    ['a member twice', '{"version":1,"version":2}', 'has the member "version" twice in one object'],
    ['a member twice, escaped', '{"version":1,"versio\\u006e":2}', 'has the member "version" twice in one object'],
    ['a prototype', '{"version":1,"__proto__":{"issued":"2026-11-17"}}', 'has a member "__proto__"'],
    ['a list', '[]', 'must be an object'],
    ['deep values', '['.repeat(5000) + ']'.repeat(5000), 'has more than 24 levels'],
    ['a long text', model({ description: 'a'.repeat(5000) }), 'has a text of more than 4096 characters'],
    ['no version', members({ version: undefined }), 'version is required'],
    ['version 0', members({ version: 0 }), 'version must be a whole number from 1 to 9007199254740991'],
    ['a huge version', '{"version":1e300,"issued":"2026-11-17","providers":{}}', 'version must be a whole number'],
    ['no day', members({ issued: 'yesterday' }), 'issued must be a day or a time'],
    ['no providers', members({ providers: 5 }), 'providers must be an object of providers'],
    ['an unknown member', members({ versoin: 1 }), 'versoin is unknown; did you mean "version"?'],
    ['a route', members({ routes: {} }), `routes ${NEVER}`],
    ['an alias', members({ aliases: {} }), `aliases ${NEVER}`],
    ['an unknown provider', members({ providers: { opnai: { models: {} } } }), 'did you mean "openai"?'],
    ['a host', members({ providers: { openai: { models: {}, baseURL: 'x' } } }), `providers.openai.baseURL ${NEVER}`],
    ['a host of a model', model({ baseUrl: 'https://canary.example' }), `${at}.baseUrl ${NEVER}`],
    ['headers', model({ headers: { authorization: 'canary' } }), `${at}.headers ${NEVER}`],
    ['a credential', model({ apiKey: 'canary' }), `${at}.apiKey ${NEVER}`],
    ['routes of a model', model({ routes: ['canary'] }), `${at}.routes ${NEVER}`],
    ['quirks', model({ quirks: { chat: [] } }), `${at}.quirks ${NEVER}`],
    ['an issuer', model({ issuer: 'canary' }), `${at}.issuer ${NEVER}`],
    ['a pattern', model({}, 'gpt-*'), 'providers.openai.models.gpt-* is not the name of a model'],
    ['a line break', model({}, 'gpt\n9'), 'is not the name of a model'],
    ['a constructor', model({}, 'constructor/../x y'), 'is not the name of a model'],
    ['a negative price', model({ prices: { prompt: [{ ...price, value: -1 }] } }), 'prompt.0.value must be a number'],
    ['an absurd price', model({ prices: { prompt: [{ ...price, value: 1e308 }] } }), 'must be at most 1000000 dollars'],
    ['an absurd factor', model({ terms: [{ when: { tier: 'flex' }, factor: 1e9 }] }), 'factor must be at most 1000'],
    [
      'an endless price',
      model({ prices: { prompt: [price] } }).replace('"value":3', '"value":1e999'),
      'at most 1000000',
    ],
    ['an absurd limit', model({ context: 1e300 }), `${at}.context must be a whole number from 1 to`],
    ['another price', model({ prices: { promt: [price] } }), 'promt is no price; did you mean "prompt"?'],
    ['another fact', model({ contxt: 5 }), `${at}.contxt is unknown; did you mean "context"?`],
    ['wrong facts about media', model({ image: { most: -1 } }), `${at}.image.most must be a whole number`],
    ['no facts', model(null), `${at} must be an object`],
  ])('is refused: %s', (_what, content, mistake) => {
    const mistakes = mistakesIn(content)
    expect(mistakes.join('\n')).toContain(mistake)
    expect(mistakes.join('\n')).not.toContain('canary')
  })

  it('is told all mistakes at once, of many only the first', () => {
    expect(
      mistakesIn(members({ version: 0, issued: '', providers: { openai: { models: { a: { contxt: 1 } } } } })),
    ).toHaveLength(3)
    const models = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`m${index}`, { contxt: 1 }]))
    const mistakes = mistakesIn(members({ providers: { openai: { models } } }))
    expect(mistakes).toHaveLength(11)
    expect(mistakes.at(-1)).toBe('and 90 more mistakes')
  })

  it('has a limited number of models', () => {
    const models = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`m${index}`, {}]))
    expect(mistakesIn(members({ providers: { openai: { models } } }))).toEqual(['has more than 2000 models'])
  })

  it('leaves objects as they are', () => {
    mistakesIn('{"version":1,"__proto__":{"polluted":true}}')
    expect('polluted' in {}).toBe(false)
  })
})
