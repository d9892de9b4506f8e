import { protocols } from '@dragoman/core/protocols'
import { expect, it } from 'vitest'
import { nearOffload } from './near-offload.ts'
import { fakeProvider } from './scripted.ts'
import { bytesOf, setUp } from './set-up.ts'

/** Reasoning that the upstream's own domain has signed, as chat clients send it. */
const THOUGHT = { type: 'reasoning.text', text: 'hm', signature: 'dg1.anthropic.self.EqQBofAnotherModel', index: 0 }
const REFUSAL = {
  type: 'error',
  error: { type: 'invalid_request_error', message: 'Invalid `signature` in `thinking` block' },
}
const UNKNOWN = 1500

/** More losses than another thread returns. */
const BODY = JSON.stringify({
  model: 'acme/m',
  max_completion_tokens: 100,
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Yes.', reasoning_details: [THOUGHT] },
    { role: 'user', content: 'And now?' },
  ],
  ...Object.fromEntries(Array.from({ length: UNKNOWN }, (_none, index) => [`member_${index}`, index])),
})

it.each([
  ['this thread', undefined],
  ['another thread', nearOffload()],
])('counts every loss of a body that %s worked on, and asks again without seals', async (_where, offload) => {
  const { send, transport } = setUp({ protocols, providers: [fakeProvider('acme', ['messages'])], offload })
  const reply = await send(BODY, '/api/v1/chat/completions')
  await expect.poll(() => transport.calls).toHaveLength(1)
  transport.last.head(400)
  transport.last.chunk(JSON.stringify(REFUSAL))
  transport.last.end()
  await expect.poll(() => transport.calls).toHaveLength(2)
  const text = (index: number): string => textOf(transport.calls[index]?.call.body)
  expect(text(0)).toContain('EqQBofAnotherModel')
  expect(text(1)).not.toContain('EqQBofAnotherModel')
  transport.last.head(400)
  transport.last.end()
  await expect.poll(() => reply.status).toBe(400)
  expect(reply.headers['x-dragoman-losses']).toMatch(new RegExp(`^${UNKNOWN + 1}: `))
})

function textOf(body: Parameters<typeof bytesOf>[0]): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(bytesOf(body))
}
