import { describe, expect, it } from 'vitest'
import type { ObjectSchema } from '../clients/client.ts'
import { UNSUPPORTED_FIELDS } from '../../src/config/choices.ts'
import { DELIVERIES, expectMode, PAIRS, useStage } from './stage.ts'

const SCHEMA: ObjectSchema = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    people: { type: 'integer' },
    rivers: { type: 'array', items: { type: 'string' } },
  },
  required: ['city', 'people', 'rivers'],
  additionalProperties: false,
}
const ANSWER = { city: 'Köln', people: 1_000_000, rivers: ['Rhein'] }

describe.each(UNSUPPORTED_FIELDS)('unsupportedFields: %s', (setting) => {
  const { server, double, lastRequest } = useStage(setting)

  describe.each(PAIRS)('$title', ({ client, upstream }) => {
    it.each(DELIVERIES)(
      '[chat.response_format:in] [msg.structured:in] [genai.gen.responseJsonSchema:in] [genai.gen.responseMimeType:in] requests a response with a schema, %s',
      async (delivery) => {
        double(upstream).play({ parts: [{ text: JSON.stringify(ANSWER) }] })
        const turn = await client
          .converse(server(), { model: upstream.model, delivery, schema: SCHEMA })
          .send('Tell me.')
        expect(JSON.parse(turn.text)).toEqual(ANSWER)
        expect(turn.finish).toBe(client.finishOf.end)
        expectMode(turn, { client, upstream })
        expect(lastRequest(upstream).schema).toMatchObject(SCHEMA)
        expect(double(upstream).refused).toEqual([])
      },
    )
  })
})
