import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../untyped.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'
import { translate } from '../../src/protocols/translate.ts'

type Turns = readonly JsonObject[]

/** An upstream whose card accepts system turns. */
const TAKEN = { systemTurns: true }
const MOVED = 'results follow their calls'

function send(from: Protocol, to: Protocol, turns: Turns, more: JsonObject = {}, dialect?: JsonObject) {
  const limit = from === messages ? { max_tokens: 4096 } : { max_completion_tokens: 4096 }
  const { body, losses } = translate(from, to, { model: 'm', messages: turns, ...limit, ...more }, { dialect })
  const reported = losses.filter(({ path }) => path[0] === 'messages' && !path.includes('name'))
  return {
    body,
    turns: (body['messages'] ?? body['contents']) as Turns,
    losses: reported.map(({ kind, path }) => `${kind} ${path.join('.')}`),
    reasons: reported.map(({ reason }) => reason),
  }
}

const user = (content: string) => ({ role: 'user', content })
const userTurn = (text: string) => ({ role: 'user', parts: [{ text }] })
const hello = user('hello')
const brief = { role: 'developer', content: 'Be brief.' }
const kind = { role: 'system', content: 'Be kind.' }

describe('an instruction in the middle of a chat conversation', () => {
  const turns = [hello, { role: 'assistant', content: 'Hi.' }, hello, brief]

  it('is a system turn for a messages upstream that takes it, reported as a change of the role (trap 47)', () => {
    const sent = send(chat, messages, turns, {}, TAKEN)
    expect(sent.turns).toEqual(turns.with(3, { ...brief, role: 'system' }))
    expect(sent.losses).toEqual(['changed messages.3.role'])
    expect(send(chat, messages, turns.with(3, kind), {}, TAKEN).losses).toEqual([])
  })

  it('is user text for other messages upstreams and for genai, reported (trap 47)', () => {
    const toMessages = send(chat, messages, turns)
    expect(toMessages.turns).toEqual(turns.with(3, user('Be brief.')))
    expect(toMessages.losses).toEqual(['changed messages.3.role'])
    const toGenai = send(chat, genai, turns)
    expect(toGenai.turns).toMatchObject([{}, { role: 'model' }, userTurn('hello'), userTurn('Be brief.')])
    expect(toGenai.body).not.toHaveProperty('systemInstruction')
    expect(toGenai.losses).toEqual(['changed messages.3.role'])
  })

  it('stays as it is for chat', () => {
    expect(send(chat, chat, turns)).toMatchObject({ turns, losses: [] })
  })
})

describe('two instructions in a row', () => {
  const turns = [hello, { role: 'assistant', content: 'Hi.' }, hello, kind, { ...kind, content: 'Be quick.' }]

  it.each([chat, messages])('of $name stay system turns where the card allows them', (from) => {
    for (const conversation of [turns, [...turns, { role: 'assistant', content: 'So?' }, hello]])
      expect(send(from, messages, conversation, {}, TAKEN)).toMatchObject({ turns: conversation, losses: [] })
  })

  it('are user text before another question, and where the card does not allow them, reported', () => {
    const texts = [user('Be kind.'), user('Be quick.')]
    const changed = ['changed messages.3.role', 'changed messages.4.role']
    const asked = send(messages, messages, [...turns, hello], {}, TAKEN)
    expect(asked.turns).toEqual([...turns.slice(0, 3), ...texts, hello])
    expect(asked.losses.toSorted()).toEqual(changed)
    expect(send(messages, messages, turns).losses.toSorted()).toEqual(changed)
  })

  it('behind an answer: the first is user text, which the second follows', () => {
    const behind = [hello, { role: 'assistant', content: 'Hi.' }, kind, kind]
    const sent = send(messages, messages, behind, {}, TAKEN)
    expect(sent.turns).toEqual(behind.with(2, user('Be kind.')))
    expect(sent.losses).toEqual(['changed messages.2.role'])
  })
})

const call = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })
const calls = { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] }
const answered = (id: string) => ({ role: 'tool', tool_call_id: id, content: `seen ${id}` })
const use = (id: string) => ({ type: 'tool_use', id, name: 'look', input: {} })
const uses = { role: 'assistant', content: [use('a'), use('b')] }
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: `seen ${id}` })
const results = { role: 'user', content: [result('a'), result('b')] }
const response = (id: string) => ({ functionResponse: { id, name: 'look', response: { output: `seen ${id}` } } })

describe('instructions between calls and their results', () => {
  const asked = [hello, calls, brief, answered('a'), kind, answered('b')]
  const moves = ['moved messages.2', 'moved messages.4', 'merged messages.5']

  it('follow all results of the turn in chat (trap 10)', () => {
    const sent = send(chat, chat, [...asked, { role: 'assistant', content: 'Seen.' }, hello])
    const seen = [{ role: 'assistant', content: 'Seen.' }, hello]
    expect(sent.turns).toEqual([hello, calls, answered('a'), answered('b'), brief, kind, ...seen])
    expect(sent.losses).toEqual(moves)
    expect(sent.reasons).toContain(MOVED)
  })

  it('follow them as user text in messages (trap 10)', () => {
    const sent = send(chat, messages, asked)
    expect(sent.turns).toEqual([hello, uses, results, user('Be brief.'), user('Be kind.')])
    expect(sent.losses.toSorted()).toEqual([...moves, 'changed messages.2.role', 'changed messages.4.role'].toSorted())
  })

  it('follow them in messages with system turns, as system turns (trap 10)', () => {
    const sent = send(chat, messages, asked, {}, TAKEN)
    expect(sent.turns).toEqual([hello, uses, results, { ...brief, role: 'system' }, kind])
  })

  it('follow them as user text in genai (trap 10)', () => {
    const sent = send(chat, genai, asked)
    expect(sent.turns.slice(2)).toEqual([
      { role: 'user', parts: [response('a'), response('b')] },
      userTurn('Be brief.'),
      userTurn('Be kind.'),
    ])
    expect(sent.losses).toEqual(expect.arrayContaining(moves))
  })

  it('follow the text of the user that comes with the results', () => {
    const sent = send(chat, messages, [hello, calls, brief, answered('a'), user('wait'), answered('b'), user('So?')])
    const [answer, late] = sent.turns.slice(2)
    const texts = ['wait', 'So?'].map((text) => ({ type: 'text', text }))
    expect(answer).toEqual({ role: 'user', content: [result('a'), result('b'), ...texts] })
    expect(late).toEqual(user('Be brief.'))
  })

  it.each([messages, chat, genai])('of a messages client follow them too, for $name (trap 10)', (to) => {
    const turns = [hello, uses, kind, results]
    const sent = send(messages, to, turns)
    expect(sent.losses[0]).toBe('moved messages.2')
    const text = JSON.stringify(sent.turns)
    expect(text.indexOf('Be kind.')).toBeGreaterThan(text.indexOf('seen b'))
    expect(send(messages, messages, turns, {}, TAKEN).turns).toEqual([hello, uses, results, kind])
  })

  it('are moved in every turn of a long history, and in no other', () => {
    const rounds = Array.from({ length: 50 }, (_each, index) => [
      { ...calls, tool_calls: [call(`a${index}`)] },
      brief,
      answered(`a${index}`),
      kind,
    ]).flat()
    const sent = send(chat, chat, [hello, ...rounds])
    expect(sent.turns.map(({ role }) => role)).toEqual([
      'user',
      ...rounds.flatMap(({ role }) => (role === 'assistant' ? ['assistant', 'tool', 'developer', 'system'] : [])),
    ])
    expect(sent.losses).toHaveLength(50)
  })

  it('do not hide a tool loop that has lost its thinking', () => {
    const sent = send(chat, messages, [hello, calls, brief, answered('a'), answered('b')], { reasoning_effort: 'low' })
    expect(sent.body['thinking']).toEqual({ type: 'disabled' })
  })
})
