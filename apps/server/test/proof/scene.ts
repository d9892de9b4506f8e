import type { DeclaredTool } from '../clients/client.ts'

const city = { type: 'string', description: 'a city' }

/** The tools of these tests. */
export const TOOLS: readonly DeclaredTool[] = [
  {
    name: 'get_weather',
    description: 'The weather in a city.',
    schema: {
      type: 'object',
      properties: { city, unit: { type: 'string', enum: ['celsius', 'kelvin'] } },
      required: ['city', 'unit'],
      additionalProperties: false,
    },
  },
  {
    name: 'get_time',
    description: 'The time in a city.',
    schema: { type: 'object', properties: { city }, required: ['city'], additionalProperties: false },
  },
]

export const WEATHER = { call: 'get_weather', id: 'call_weather', input: { city: 'Köln "am" Rhein', unit: 'celsius' } }
export const TIME = { call: 'get_time', id: 'call_time', input: { city: 'Rom' } }
