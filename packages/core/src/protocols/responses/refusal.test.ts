import { expect, it } from 'vitest'
import { messages, responses } from '../../../test/untyped.ts'
import { translate } from '../translate.ts'

const USAGE = { input_tokens: 1, output_tokens: 1 }
const HEAD = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', usage: USAGE }

it('adds a refusal to an answer that ended as one, behind the words that it had', () => {
  const translation = translate(responses, messages, { model: 'm', input: 'Go on.' })
  const content = [{ type: 'text', text: 'As far as' }]
  const { body, losses } = translation.response({ ...HEAD, content, stop_reason: 'refusal', stop_sequence: null })
  expect(body['status']).toBe('completed')
  expect(JSON.stringify(body['output'])).toMatch(/"text":"As far as".*"refusal":"The model refused to answer\."/)
  expect(losses).toContainEqual(
    expect.objectContaining({
      kind: 'added',
      path: ['candidates', 0, 'parts', 1],
      to: expect.objectContaining({ type: 'refusal' }) as object,
    }),
  )
})

it('adds none beside a call, which the client must answer', () => {
  const translation = translate(responses, messages, { model: 'm', input: 'Go on.' })
  const content = [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }]
  const { body } = translation.response({ ...HEAD, content, stop_reason: 'refusal', stop_sequence: null })
  expect(body['output']).toMatchObject([{ type: 'function_call' }])
})
