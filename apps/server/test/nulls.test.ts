import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from './endpoints.ts'
import { MODELS, useEndpoint, type Endpoint, type Wire } from './fields.ts'
import { useRefusingServer } from './shared-server.ts'

const tool = { name: 'get_time', input_schema: { type: 'object', properties: {} } }

/** Requests of real clients: llama-index, and those that write proto3 JSON. */
const NULLS: readonly (readonly [Endpoint, readonly Wire[]])[] = [
  [
    messages,
    [
      { tools: [{ ...tool, description: null, cache_control: null }], tool_choice: null },
      { temperature: null, top_p: null, system: null, stop_sequences: null, thinking: null, metadata: null },
    ],
  ],
  [chat, [{ tools: null, tool_choice: null, response_format: null, store: null, user: null, max_tokens: null }]],
  [
    genai,
    [
      { generationConfig: null, tools: null, toolConfig: null, systemInstruction: null, cachedContent: null },
      { generationConfig: { temperature: null, thinkingConfig: null, stopSequences: null } },
      { contents: [{ role: 'user', parts: [{ text: 'Tell me about Paris', thought: null }, {}] }] },
    ],
  ],
]

describe.each(NULLS)('$protocol', (endpoint, bodies) => {
  const { post } = useEndpoint(endpoint, useRefusingServer())

  it.each(MODELS)('reads a null member as absent, toward %s (trap 71)', async (model) => {
    for (const members of bodies) {
      const answer = await post(members, { model })
      expect([answer.status, await answer.text()]).toEqual([200, expect.not.stringContaining('error')])
      const own = model === `sim/${endpoint.protocol}-1`
      expect(answer.headers.get('x-dragoman-path')).toBe(own ? 'relay' : 'translate')
      expect(answer.headers.get('x-dragoman-losses') ?? '').not.toMatch(/dropped/)
    }
  })
})
