import { expect, it } from 'vitest'
import { chat, genai } from '../untyped.ts'
import { translateResponse } from '../../src/protocols/translate.ts'

it.each(['tool_calls', 'reasoning_details'])(
  'does not read a text in %s as an object with a member per character',
  (name) => {
    const message = { role: 'assistant', content: 'Hi', [name]: ['abc'] }
    const { losses } = translateResponse(genai, chat, { choices: [{ index: 0, message, finish_reason: 'stop' }] })
    expect(losses.filter(({ path }) => path.at(-1) === '0')).toEqual([])
  },
)
