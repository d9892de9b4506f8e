import { describe, expect, it } from 'vitest'
import { UNSUPPORTED_FIELDS } from '../../src/config/choices.ts'
import { DELIVERIES, expectOwnKey, expectMode, PAIRS, useStage } from './stage.ts'

const TEXT = 'Grüße aus Köln: 日本語, 🦁 and a line\nbreak "quoted".'

describe.each(UNSUPPORTED_FIELDS)('unsupportedFields: %s', (setting) => {
  const { server, double, lastRequest } = useStage(setting)

  describe.each(PAIRS)('$title', ({ client, upstream }) => {
    it.each(DELIVERIES)(
      '[tr.3x3] [tr.4x4] [auth.chat.bearer] [auth.messages.key] [auth.genai.goog] [chat.create] [msg.create] [genai.generate] [genai.stream] [chat.stream] [base.chat] [base.messages] [base.genai] [sse.format] sends a text, and receives one, %s',
      async (delivery) => {
        double(upstream).play({ parts: [{ text: TEXT }], sending: { pieces: 7, pings: true } })
        const pieces: string[] = []
        const options = {
          model: upstream.model,
          delivery,
          system: 'Be brief.',
          onText: (piece: string) => pieces.push(piece),
        }
        const turn = await client.converse(server(), options).send('Where are you, ', 'Löwe?')
        expect(turn).toMatchObject({
          text: TEXT,
          calls: [],
          reasoning: '',
          finish: client.finishOf.end,
          usage: { input: 11, output: 7, cached: 0 },
        })
        expect(pieces.join('')).toBe(delivery === 'streamed' ? TEXT : '')
        expect(pieces.length > 3).toBe(delivery === 'streamed')
        expectMode(turn, { client, upstream })
        expect(lastRequest(upstream)).toMatchObject({
          system: 'Be brief.',
          turns: [{ role: 'user', text: 'Where are you, Löwe?', media: [], calls: [], results: [] }],
          tools: [],
        })
        const { received, refused } = double(upstream)
        expect([received.length, refused]).toEqual([1, []])
        expectOwnKey(upstream, received[0]!, server().key)
      },
    )
  })
})
