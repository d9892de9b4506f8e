import { expect, it } from 'vitest'
import { chat, messages, responses } from '../../../test/untyped.ts'
import { translate } from '../translate.ts'

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
