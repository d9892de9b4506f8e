import { expect, it } from 'vitest'
import { chat, messages, responses } from '../../../test/untyped.ts'
import type { JsonObject } from '../../lib/json.ts'
import { translate } from '../translate.ts'
import { relay } from './relay.ts'

const user = { role: 'user', content: 'Go on.' }
const sealed = (value: string) => `dg1.openai-responses.self.${value}`

it('sends reasoning of another client back as a summary, because its upstream refuses it as content', () => {
  const thinking = { type: 'thinking', thinking: 'Two numbers.', signature: sealed('gAAA') }
  const content = [thinking, { type: 'text', text: 'Three.' }]
  const asked = { model: 'm', max_tokens: 2000, messages: [user, { role: 'assistant', content }, user] }
  const { body } = translate(messages, responses, asked)
  expect(body['input']).toMatchObject([
    { role: 'user' },
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Two numbers.' }], encrypted_content: 'gAAA' },
    { role: 'assistant' },
    { role: 'user' },
  ])
  expect(JSON.stringify(body)).not.toContain('reasoning_text')
})

it('keeps thoughts that are the content of an item', () => {
  const thought = {
    type: 'reasoning',
    summary: [],
    content: [{ type: 'reasoning_text', text: 'Hm.' }],
    encrypted_content: 'gAAA',
  }
  const { body } = translate(responses, responses, { model: 'm', input: [user, thought, user] })
  expect(body['input']).toMatchObject([{ role: 'user' }, thought, { role: 'user' }])
})

it('does not send encrypted content to a chat upstream, which has another domain of seals', () => {
  const reasoning = { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'gAAA' }
  const { body } = translate(responses, chat, { model: 'm', input: [user, reasoning, user] })
  expect(JSON.stringify(body)).not.toContain('gAAA')
})

const plain = { type: 'reasoning', id: 'rs_1', summary: [] }

it('does not send the id of reasoning alone, because nothing is stored under it (trap 107)', () => {
  const answered = { role: 'assistant', content: 'Three.' }
  const summarized = { ...plain, summary: [{ type: 'summary_text', text: 'Two numbers.' }] }
  for (const item of [plain, { ...plain, content: null, encrypted_content: null }, summarized]) {
    const { body, losses } = translate(responses, responses, { model: 'm', input: [user, item, answered, user] })
    expect(body['input']).toMatchObject([{ role: 'user' }, { role: 'assistant' }, { role: 'user' }])
    expect(losses).toMatchObject([{ kind: 'dropped' }])
  }
})

it('is not relayed with the id of reasoning alone (trap 107)', () => {
  const obstacle = (item: JsonObject) => relay.obstacle({ model: 'm', input: [user, item, user] }, {})
  expect(obstacle(plain)).toBe('the upstream has stored no reasoning')
  expect(obstacle({ ...plain, encrypted_content: 'gAAA' })).toBeUndefined()
  expect(obstacle({ ...plain, content: [{ type: 'reasoning_text', text: 'Two.' }] })).toBeUndefined()
})

it('keeps the item that follows reasoning right behind it (trap 108)', () => {
  const thought = (value: string) => ({ type: 'thinking', thinking: 'Hm.', signature: sealed(value) })
  const use = (id: string) => ({ type: 'tool_use', id, name: 'look', input: {} })
  const content = [thought('A'), { type: 'text', text: 'First.' }, thought('B'), use('c1'), thought('C'), use('c2')]
  const results = ['c1', 'c2'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'sky' }))
  const turns = [user, { role: 'assistant', content }, { role: 'user', content: results }]
  const { body } = translate(messages, responses, { model: 'm', max_tokens: 2000, messages: turns })
  const items = body['input'] as JsonObject[]
  expect(items.map(({ type, encrypted_content, call_id }) => [type, encrypted_content ?? call_id])).toEqual([
    ['message', undefined],
    ['reasoning', 'A'],
    ['message', undefined],
    ['reasoning', 'B'],
    ['function_call', 'c1'],
    ['reasoning', 'C'],
    ['function_call', 'c2'],
    ['function_call_output', 'c1'],
    ['function_call_output', 'c2'],
  ])
})
