import { describe, expect, it } from 'vitest'
import type { ObjectSchema } from '../clients/client.ts'
import { UNSUPPORTED_FIELDS } from '../../src/settings.ts'
import { DELIVERIES, expectWay, PAIRS, useStage } from './stage.ts'

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
  const { server, double, heard } = useStage({ DRAGOMAN_UNSUPPORTED_FIELDS: setting })

  describe.each(PAIRS)('$title', ({ client, upstream }) => {
    it.each(DELIVERIES)(
      '[chat.response_format:in] [msg.structured:in] [genai.gen.responseJsonSchema:in] [genai.gen.responseMimeType:in] asks for an answer in a form, %s',
      async (delivery) => {
        double(upstream).play({ parts: [{ text: JSON.stringify(ANSWER) }] })
        const turn = await client
          .converse(server(), { model: upstream.model, delivery, schema: SCHEMA })
          .say('Tell me.')
        expect(JSON.parse(turn.text)).toEqual(ANSWER)
        expect(turn.finish).toBe(client.finishOf.end)
        expectWay(turn, { client, upstream })
        expect(heard(upstream).schema).toMatchObject(SCHEMA)
        expect(double(upstream).refused).toEqual([])
      },
    )
  })
})
