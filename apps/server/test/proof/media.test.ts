import { describe, expect, it } from 'vitest'
import type { Piece } from '../clients/client.ts'
import { createGenAI } from '../clients/genai.ts'
import { DELIVERIES, expectMode, PAIRS, UPSTREAMS, useStage } from './stage.ts'

const { server, double, lastRequest } = useStage()

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n').toString('base64')

/** The input, and what must arrive. */
const SCENES: readonly (readonly [title: string, piece: Piece, media: string])[] = [
  ['an image', { image: PNG, mime: 'image/png' }, `image/png;${PNG}`],
  ['a document', { pdf: PDF, name: 'paper.pdf' }, `application/pdf;${PDF}`],
]

describe.each(PAIRS)('$title', ({ client, upstream }) => {
  describe.each(DELIVERIES)('%s', (delivery) => {
    it.each(SCENES)(
      '[chat.role.user:in] [msg.block.image:in] [msg.block.document:in] [genai.part.inlineData:in] shows %s',
      async (_title, piece, media) => {
        double(upstream).play({ parts: [{ text: 'I see.' }] })
        const turn = await client
          .converse(server(), { model: upstream.model, delivery })
          .send('Look: ', piece, ' What is it?')
        expect(turn).toMatchObject({ text: 'I see.', finish: client.finishOf.end })
        expectMode(turn, { client, upstream })
        expect(lastRequest(upstream).turns).toMatchObject([
          { role: 'user', text: 'Look:  What is it?', media: [media] },
        ])
        expect(double(upstream).refused).toEqual([])
      },
    )
  })
})

const URL_OF_IMAGE = 'https://images.example/lion.png'
/**
 * Some clients download an image first, unless they know that the model accepts URLs. For a genai upstream, the gateway downloads it:
 * see `linked-media.test.ts`.
 */
const ADDRESSING = PAIRS.filter(
  ({ client, upstream }) =>
    !client.name.startsWith('@ai-sdk/') && (client.protocol === 'genai' || upstream.protocol !== 'genai'),
)

describe.each(ADDRESSING)('$title', ({ client, upstream }) => {
  it.each(DELIVERIES)(
    '[chat.role.user:in] [msg.block.image:in] [genai.part.fileData:in] shows an image by its URL, %s',
    async (delivery) => {
      double(upstream).play({ parts: [{ text: 'I see.' }] })
      const conversation = client.converse(server(), { model: upstream.model, delivery })
      const turn = await conversation.send('Look: ', { imageUrl: URL_OF_IMAGE })
      expect(turn.text).toBe('I see.')
      expect(lastRequest(upstream).turns).toMatchObject([{ role: 'user', text: 'Look: ', media: [URL_OF_IMAGE] }])
      expect(double(upstream).refused).toEqual([])
    },
  )
})

describe.each(UPSTREAMS.filter(({ protocol }) => protocol !== 'genai'))('genai to $protocol', (upstream) => {
  it('[genai.part.inlineData:in] shows an image that came in the URL-safe alphabet without padding, as Python sends it', async () => {
    double(upstream).play({ parts: [{ text: 'I see.' }] })
    const data = Buffer.from(PNG, 'base64').toString('base64url')
    const contents = [{ inlineData: { mimeType: 'image/png', data } }]
    await createGenAI(server()).models.generateContent({ model: upstream.model, contents })
    expect(data).not.toBe(PNG)
    expect(lastRequest(upstream).turns).toMatchObject([{ media: [`image/png;${PNG}`] }])
  })
})
