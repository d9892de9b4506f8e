import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Explanation } from '@dragoman/gateway'
import { createAnthropic } from '../clients/anthropic.ts'
import { createGenAI } from '../clients/genai.ts'
import { createOpenAI } from '../clients/openai.ts'
import { CHAT_ONLY, DELIVERIES, PAIRS, UPSTREAMS, useOwnStage, type Upstream } from './stage.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n').toString('base64')
const WAV = Buffer.from('RIFF\u0000\u0000\u0000\u0000WAVEfmt ').toString('base64')

/** The files of a host. */
const FILES: { readonly [path: string]: readonly [type: string, data: string] } = {
  '/lion.png': ['image/png', PNG],
  '/paper.pdf': ['application/pdf', PDF],
  '/voice.wav': ['audio/wav', WAV],
  '/table.csv': ['text/csv', Buffer.from('a,b\n1,2\n').toString('base64')],
  '/page.html': ['text/html', Buffer.from('<html>').toString('base64')],
  '/large.png': ['image/png', Buffer.alloc(300_000).toString('base64')],
}

const folder = mkdtempSync(join(tmpdir(), 'dragoman-linked-'))
const config = join(folder, 'dragoman.json')
// The host of the files is this machine, at one of its addresses; all other internal addresses stay refused.
writeFileSync(
  config,
  JSON.stringify({
    downloads: { allow: ['127.0.0.1'], size: '256 KB', count: 3, time: 5 },
    providers: {
      openai: {
        ...CHAT_ONLY,
        models: [{ name: 'gpt-blind', input: ['text', 'image'], protocols: ['chat'], urls: { chat: false } }],
      },
    },
  }),
)
const { server, double, lastRequest } = useOwnStage({ DRAGOMAN_CONFIG: config })

let host: Server
let asked: { readonly path: string; readonly headers: object }[] = []
const at = (path: string): string => `http://127.0.0.1:${(host.address() as AddressInfo).port}${path}` // it listens on TCP

beforeAll(async () => {
  host = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push({ path, headers: request.headers })
    const [type, data] = FILES[path] ?? []
    if (path === '/inside') response.writeHead(302, { location: 'https://169.254.169.254/latest/meta-data' }).end()
    else if (path === '/silent') response.writeHead(200, { 'content-type': 'image/png' }).flushHeaders()
    else if (type === undefined || data === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': type }).end(Buffer.from(data, 'base64'))
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
})
beforeEach(() => {
  asked = []
})
afterAll(() => {
  host.closeAllConnections()
  host.close()
  rmSync(folder, { recursive: true })
})

function upstreamOf(protocol: Upstream['protocol']): Upstream {
  const found = UPSTREAMS.find((upstream) => upstream.protocol === protocol)
  if (found === undefined) throw new Error(protocol)
  return found
}

const GENAI = upstreamOf('genai')
const CHAT = upstreamOf('chat')
const MESSAGES = upstreamOf('messages')

/** Others refuse addresses of this machine themselves. */
const ADDRESSING = PAIRS.filter(
  ({ client, upstream }) => upstream === GENAI && client.protocol !== 'genai' && !client.name.startsWith('@ai-sdk/'),
)

describe.each(ADDRESSING)('$title', ({ client, upstream }) => {
  it.each(DELIVERIES)(
    '[chat.role.user:through] [msg.block.image:through] shows an image by its URL, %s',
    async (delivery) => {
      double(upstream).play({ parts: [{ text: 'I see.' }] })
      const conversation = client.converse(server(), { model: upstream.model, delivery })
      const turn = await conversation.send('Look: ', { imageUrl: at('/lion.png') })
      expect(turn.text).toBe('I see.')
      expect(turn.headers.get('x-dragoman-losses')).toBe(null)
      expect(lastRequest(upstream).turns).toMatchObject([{ text: 'Look: ', media: [`image/png;${PNG}`] }])
      expect(double(upstream).refused).toEqual([])
    },
  )
})

describe('files by URL', () => {
  it('[genai.part.fileData:through] reach chat upstreams with their bytes, from the genai SDK', async () => {
    double(CHAT).play({ parts: [{ text: 'I see.' }] })
    const parts = [
      { fileData: { fileUri: at('/paper.pdf'), mimeType: 'application/pdf', displayName: 'paper.pdf' } },
      { fileData: { fileUri: at('/voice.wav'), mimeType: 'audio/wav' } },
      { fileData: { fileUri: at('/lion.png'), mimeType: 'image/png' } },
    ]
    await createGenAI(server()).models.generateContent({ model: CHAT.model, contents: [{ role: 'user', parts }] })
    expect(double(CHAT).received.at(-1)?.body).toMatchObject({
      messages: [
        {
          content: [
            { file: { filename: 'paper.pdf', file_data: `data:application/pdf;base64,${PDF}` } },
            { input_audio: { data: WAV, format: 'wav' } },
            // The upstream opens images itself.
            { image_url: { url: at('/lion.png') } },
          ],
        },
      ],
    })
    expect(asked.map(({ path }) => path).sort()).toEqual(['/paper.pdf', '/voice.wav'])
  })

  it('[genai.part.fileData:through] reach messages upstreams as texts if they are texts', async () => {
    double(MESSAGES).play({ parts: [{ text: 'I see.' }] })
    const contents = [{ fileData: { fileUri: at('/table.csv'), mimeType: 'text/csv' } }]
    await createGenAI(server()).models.generateContent({ model: MESSAGES.model, contents })
    expect(double(MESSAGES).received.at(-1)?.body).toMatchObject({
      messages: [{ content: [{ type: 'document', source: { type: 'text', data: 'a,b\n1,2\n' } }] }],
    })
  })

  it('[msg.block.document:through] reach chat and genai upstreams, from the messages SDK', async () => {
    for (const upstream of [CHAT, GENAI]) {
      double(upstream).play({ parts: [{ text: 'I see.' }] })
      const source = { type: 'url', url: at('/paper.pdf') } as const
      await createAnthropic(server()).messages.create({
        model: upstream.model,
        max_tokens: 1000,
        messages: [{ role: 'user', content: [{ type: 'document', source }] }],
      })
      expect(lastRequest(upstream).turns).toMatchObject([{ media: [`application/pdf;${PDF}`] }])
    }
  })

  it('are downloaded once, also if they occur several times, without anything of the caller', async () => {
    double(GENAI).play({ parts: [{ text: 'I see.' }] })
    const image = { type: 'image_url', image_url: { url: at('/lion.png') } } as const
    await createOpenAI(server()).chat.completions.create({
      model: GENAI.model,
      messages: [{ role: 'user', content: [image, image, image, image] }],
    })
    expect(lastRequest(GENAI).turns).toMatchObject([{ media: Array(4).fill(`image/png;${PNG}`) }])
    expect(asked).toEqual([
      {
        path: '/lion.png',
        headers: {
          host: new URL(at('/')).host,
          connection: 'keep-alive',
          accept: 'image/*',
          'accept-encoding': 'identity',
          'user-agent': 'dragoman',
        },
      },
    ])
  })

  it('are downloaded for a large request too, which another thread works on', async () => {
    double(GENAI).play({ parts: [{ text: 'I see.' }] })
    const text = 'word '.repeat(80_000)
    await createOpenAI(server()).chat.completions.create({
      model: GENAI.model,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text },
            { type: 'image_url', image_url: { url: at('/lion.png') } },
          ],
        },
      ],
    })
    expect(lastRequest(GENAI).turns).toMatchObject([{ text, media: [`image/png;${PNG}`] }])
  })
})

describe('a model of the configuration that opens no URLs', () => {
  const content = () => [
    { type: 'text' as const, text: 'Look: ' },
    { type: 'image_url' as const, image_url: { url: at('/lion.png'), detail: 'low' as const } },
  ]
  const messages = () => [{ role: 'user' as const, content: content() }]

  it('[chat.role.user:through] gets bytes, also in its own protocol', async () => {
    double(CHAT).play({ parts: [{ text: 'I see.' }] })
    const { response } = await createOpenAI(server())
      .chat.completions.create({ model: 'openai/gpt-blind', messages: messages() })
      .withResponse()
    expect(response.headers.get('x-dragoman-path')).toMatch(/^translate/)
    expect(response.headers.get('x-dragoman-losses')).toBe(null)
    const image = { image_url: { url: `data:image/png;base64,${PNG}`, detail: 'low' } }
    expect(double(CHAT).received.at(-1)?.body).toMatchObject({ messages: [{ content: [{ text: 'Look: ' }, image] }] })
    expect(asked.map(({ path }) => path)).toEqual(['/lion.png'])
  })

  it('is explained without a download', async () => {
    const { url, key } = server()
    for (const model of ['openai/gpt-blind', GENAI.model]) {
      const answer = await fetch(`${url}/explain/api/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: messages() }),
      })
      const { routes } = (await answer.json()) as Explanation
      expect(routes[0]?.mode).toBe('translate')
      expect(routes[0]?.request.body).toContain(model === GENAI.model ? '"inlineData"' : 'data:image/')
      expect(routes[0]?.request.body).not.toContain(at(''))
    }
    expect(asked).toEqual([])
  })
})

describe('a URL that must not be opened', () => {
  const NO_ADDRESS = 'the host of the URL has no public address'
  const SCENES: readonly (readonly [title: string, url: () => string, message: string])[] = [
    ['an internal address', () => 'https://10.0.0.1/a.png', NO_ADDRESS],
    ['another notation of one', () => 'https://0x7f.2/a.png', NO_ADDRESS],
    ['a metadata service', () => 'https://169.254.169.254/latest/', NO_ADDRESS],
    ['a redirect to one', () => at('/inside'), NO_ADDRESS],
    ['plain http', () => 'http://example.org/a.png', 'the URL must begin with https'],
    ['a password', () => 'https://user:secret@example.org/a.png', 'must not contain a user name or a password'],
    ['a page', () => at('/page.html'), 'the file at the URL is of another media type than it must be'],
    ['a large file', () => at('/large.png'), 'the file at the URL is too large'],
    ['no file', () => at('/missing'), 'the host of the URL did not answer with a file'],
    ['a file that never ends', () => at('/silent'), 'the download took too long'],
  ]
  it.each(SCENES)(
    '[err.native] is a 400 that names its member, before any upstream call: %s (trap 34)',
    async (_title, url, message) => {
      const { received } = double(GENAI)
      const before = received.length
      const ofChat = createOpenAI(server()).chat.completions.create({
        model: GENAI.model,
        messages: [
          { role: 'system', content: 'Look.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'a' },
              { type: 'image_url', image_url: { url: url() } },
            ],
          },
        ],
      })
      const ofMessages = createAnthropic(server()).messages.create({
        model: GENAI.model,
        max_tokens: 10,
        messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url: url() } }] }],
      })
      // Both at once: one of these downloads is waited for until its time is up.
      await Promise.all([
        expect(ofChat).rejects.toMatchObject({
          status: 400,
          param: 'messages.1.content.1.image_url.url',
          message: expect.stringContaining(message) as string,
        }),
        expect(ofMessages).rejects.toMatchObject({
          status: 400,
          message: expect.stringMatching(/messages\.0\.content\.0\.source/) as string,
        }),
      ])
      expect(received).toHaveLength(before)
    },
    30_000,
  )

  it('is one too many', async () => {
    const images = ['a', 'b', 'c', 'd'].map((name) => ({
      type: 'image_url' as const,
      image_url: { url: at(`/${name}.png`) },
    }))
    const messages = [{ role: 'user' as const, content: images }]
    const call = createOpenAI(server()).chat.completions.create({ model: GENAI.model, messages })
    await expect(call).rejects.toMatchObject({
      status: 400,
      param: 'messages.0.content.3.image_url.url',
      message: expect.stringContaining('a request can have at most 3 files by URL') as string,
    })
    expect(asked).toEqual([])
  })
})
