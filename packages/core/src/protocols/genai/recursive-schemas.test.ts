import { describe, expect, it } from 'vitest'
import { chat, genai, messages, responses } from '../../../test/untyped.ts'
import { translate } from '../translate.ts'

const node = {
  type: 'object',
  properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
  required: ['name', 'children'],
  additionalProperties: false,
}
const schema = { type: 'object', properties: { root: { $ref: '#/$defs/node' } }, $defs: { node } }
const asked = {
  contents: [{ role: 'user', parts: [{ text: 'Draw the tree.' }] }],
  generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema },
}

// Google answers such a request with 200.
describe('a schema that refers to itself', () => {
  it('is accepted, and stays as it is for genai', () => {
    const { body, losses } = translate(genai, genai, genai.request.check(asked), { model: 'm' })
    expect(body['generationConfig']).toEqual(asked.generationConfig)
    expect(losses).toEqual([])
  })

  it.each<[typeof chat, string[]]>([
    [chat, ['response_format', 'json_schema', 'schema']],
    [messages, ['output_config', 'format', 'schema']],
    [responses, ['text', 'format', 'schema']],
  ])('is passed on to $0.name', (upstream, path) => {
    const { body, losses } = translate(genai, upstream, genai.request.check(asked), { model: 'm' })
    expect(body).toHaveProperty(path, schema)
    expect(losses.filter(({ path: [first, second] }) => first === 'output' && second === 'schema')).toEqual([])
  })
})
