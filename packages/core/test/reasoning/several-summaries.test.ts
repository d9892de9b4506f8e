import { describe, expect, it } from 'vitest'
import { chat, genai, messages, responses } from '../untyped.ts'
import { translate } from '../../src/protocols/translate.ts'

const summary = ['one', 'two', 'three'].map((text) => ({ type: 'summary_text', text }))
const history = (encrypted?: object) => ({
  model: 'm',
  input: [
    { type: 'message', role: 'user', content: 'go' },
    { type: 'reasoning', id: 'rs_1', summary, ...encrypted },
    { type: 'message', role: 'assistant', id: 'msg_1', content: [{ type: 'output_text', text: 'done' }] },
    { type: 'message', role: 'user', content: 'on' },
  ],
})

/** The encrypted content belongs to the whole item, and not to its last summary. */
describe.each([chat, messages, genai])('the summaries of one item of reasoning toward $name', (upstream) => {
  it('are all dropped if another vendor has encrypted it', () => {
    const { body, losses } = translate(responses, upstream, history({ encrypted_content: 'abc' }), { model: 'm' })
    for (const { text } of summary) expect(JSON.stringify(body)).not.toContain(`"${text}`)
    const dropped = losses.filter(({ kind, path }) => kind === 'dropped' && path.length === 4)
    expect(dropped.map(({ path }) => path)).toEqual([0, 1, 2].map((part) => ['messages', 1, 'parts', part]))
  })
})

it.each([chat, genai])('the summaries of an item without a seal are all sent to $name', (upstream) => {
  const { body, losses } = translate(responses, upstream, history(), { model: 'm' })
  for (const { text } of summary) expect(JSON.stringify(body)).toContain(text)
  expect(losses.filter(({ kind, path }) => kind === 'dropped' && path.length === 4)).toEqual([])
})
