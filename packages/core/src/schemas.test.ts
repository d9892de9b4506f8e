import { describe, expect, it } from 'vitest'
import { toJSONSchema } from 'zod/mini'
import type { Infer } from './lib/grammar/schema.ts'
import { chat, genai, messages, type Closed } from './schemas.ts'

const ALL = Object.entries({ chat, messages, genai }).flatMap(([name, wire]) =>
  Object.entries(wire).map(([part, schema]) => [`${name} ${part}`, schema] as const),
)

describe('an exported schema', () => {
  it.each(ALL)('of %s has a JSON Schema', (_name, schema) => {
    expect(toJSONSchema(schema, { unrepresentable: 'any' })).toMatchObject({ $schema: expect.any(String) as string })
  })

  it('says in its JSON Schema what its members are', () => {
    const { properties, required } = toJSONSchema(chat.request, { unrepresentable: 'any' })
    expect(required).toEqual(['model', 'messages'])
    expect(properties?.['model']).toEqual({ type: 'string', minLength: 1 })
    expect(properties?.['top_logprobs']).toEqual({
      anyOf: [{ type: 'integer', minimum: 0, maximum: 20 }, { type: 'null' }],
    })
  })
})

describe('the closed type of a wire', () => {
  it('has no room for unknown members, at any depth, and leaves data open', () => {
    type Body = Closed<Infer<typeof messages.request>>
    const body: Body = {
      model: 'm',
      max_tokens: 9,
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: { anything: ['goes'] } }] },
      ],
    }
    // @ts-expect-error: no such member
    const wrong: Body = { ...body, maxTokens: 9 }
    // @ts-expect-error: no such member
    const deep: Body = { ...body, messages: [{ role: 'user', content: [{ type: 'text', text: '', txet: '' }] }] }
    expect([wrong, deep]).toHaveLength(2)
  })
})
