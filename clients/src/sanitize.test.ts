import { expect, it } from 'vitest'
import { sanitize } from './sanitize.ts'

it('replaces prompts, descriptions and ids, and keeps what upstreams check', () => {
  const body = {
    system: [{ type: 'text', text: 'You are an agent of somebody.' }],
    messages: [
      { role: 'user', content: 'Context. Why is the sky blue? More context.' },
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'I think', signature: 'a'.repeat(40) + '=' }] },
    ],
    tools: [{ name: 'read', description: 'Reads.', input_schema: { properties: { description: { type: 'string' } } } }],
    metadata: { user_id: 'device 9f309c9a5dce886a234285bb8fd2699e, session 6668aa2c-5e9b-47c4-a9f8-2ebce995f7d8' },
  }
  expect(sanitize(body)).toEqual({
    system: [{ type: 'text', text: 'A prompt.' }],
    messages: [
      { role: 'user', content: 'Why is the sky blue?' },
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'I think', signature: 'a'.repeat(40) + '=' }] },
    ],
    tools: [
      {
        name: 'read',
        description: 'A description.',
        input_schema: { properties: { description: { type: 'string' } } },
      },
    ],
    metadata: { user_id: `device ${'0'.repeat(32)}, session 00000000-0000-4000-8000-000000000000` },
  })
})
