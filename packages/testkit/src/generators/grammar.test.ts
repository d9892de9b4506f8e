import { chat, genai, messages } from '@dragoman/core/schemas'
import { describe, expect, it } from 'vitest'
import { samples } from '../laws/runs.ts'
import { schemaAt, wireObject } from './grammar.ts'
import { never } from './record.ts'
import { chatRequest } from './wire-chat.ts'
import { genaiRequest } from './wire-genai.ts'
import { messagesRequest } from './wire-messages.ts'

/** Members that only have a name in the grammar, and spellings that another member has. */
const NOT_GENERATED: { readonly [protocol: string]: string } = {
  chat: 'audio functions function_call prompt_cache_key prompt_cache_retention safety_identifier prediction max_tokens',
  messages: 'thread container context_management mcp_servers inference_geo',
}

describe('a request that is derived from a grammar', () => {
  it.each([
    ['chat', chat.request, chatRequest()],
    ['messages', messages.request, messagesRequest()],
    ['genai', genai.request, genaiRequest()],
  ])('has every member that the grammar of %s describes', (name, { _zod }, requests) => {
    const seen = new Set(samples(requests, 400).flatMap((request) => Object.keys(request)))
    const skipped = NOT_GENERATED[name]?.split(' ') ?? []
    const described = Object.keys(_zod.def.shape).filter((member) => !skipped.includes(member))
    expect(described.filter((member) => !seen.has(member))).toEqual([])
  })

  it('follows the bounds and the kinds of the grammar, and has unknown members too', () => {
    const [enabled] = samples(wireObject(schemaAt(messages.request, 'thinking', 'type=enabled')), 1)
    expect(enabled).toMatchObject({ type: 'enabled', budget_tokens: expect.any(Number) as number })
    expect(Number(enabled?.['budget_tokens'])).toBeGreaterThanOrEqual(1024)
    const parts = samples(wireObject(schemaAt(chat.request, 'messages', 'role=user', 'content', 'type=text')), 50)
    expect(parts.some((part) => Object.keys(part).some((key) => key.startsWith('x_')))).toBe(true)
  })

  it('knows no hook for a member that the grammar does not have', () => {
    expect(() => wireObject(chat.request, { no_such_member: never })).toThrow('the grammar has no no_such_member')
    expect(() => schemaAt(chat.request, 'messages', 'role=guest')).toThrow('the grammar has no role=guest')
  })
})
