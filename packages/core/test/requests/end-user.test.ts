import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../untyped.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'
import { translate } from '../../src/protocols/translate.ts'

const turns = [{ role: 'user', content: 'hello' }]
const send = (from: Protocol, to: Protocol, more: JsonObject, dialect?: JsonObject) => {
  const limit = from === messages ? { max_tokens: 9 } : {}
  const { body, losses } = translate(from, to, { model: 'm', messages: turns, ...limit, ...more }, { dialect })
  return { body, losses: losses.map(({ kind, path }) => `${kind} ${path.join('.')}`) }
}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const LONG = `user_${'a'.repeat(64)}_account_${'b'.repeat(36)}_session_${'c'.repeat(36)}`

describe('the end user', () => {
  it('of messages is the safety identifier of chat, never its metadata (trap 48) [msg.unsupported]', () => {
    const { body, losses } = send(messages, chat, { metadata: { user_id: 'user-1' } })
    expect(body).toMatchObject({ safety_identifier: 'user-1' })
    expect(body).not.toHaveProperty('metadata')
    expect(losses.filter((loss) => /user|metadata/.test(loss))).toEqual([])
  })

  it('is the user for a chat upstream with the older member, and nothing for one without (trap 48)', () => {
    const given = { metadata: { user_id: 'user-1' } }
    const older = send(messages, chat, given, { user: 'user' })
    expect(older.body).toMatchObject({ user: 'user-1' })
    expect(older.body).not.toHaveProperty('safety_identifier')
    const none = send(messages, chat, given, { user: false })
    expect(JSON.stringify(none.body)).not.toContain('user-1')
    expect(none.losses).toContain('dropped user')
  })

  it('is hashed if it is longer than 128 characters, reported (trap 48)', () => {
    const fits = 'x'.repeat(128)
    expect(send(messages, chat, { metadata: { user_id: fits } }).body['safety_identifier']).toBe(fits)
    const { body, losses } = send(messages, chat, { metadata: { user_id: LONG } })
    expect(body['safety_identifier']).toBe(sha256(LONG))
    expect(losses).toContain('changed user')
  })

  it('is hashed for an upstream that allows fewer characters (trap 48)', () => {
    const sent = (user_id: string) =>
      send(messages, chat, { metadata: { user_id } }, { user: 'user_id' }).body['user_id']
    expect(sent('user-1')).toBe('user-1')
    expect(sent('a user')).toBe(sha256('a user'))
  })

  it.each([
    [{ safety_identifier: 'user-1' }, 'user-1'],
    [{ user: 'user-1' }, 'user-1'],
    [{ safety_identifier: 'new', user: 'old' }, 'new'],
  ])('of chat is that of messages: %j (trap 48)', (members, user_id) => {
    expect(send(chat, messages, members).body['metadata']).toEqual({ user_id })
  })

  it('of chat stays in chat, and the older member with it if both are given', () => {
    expect(send(chat, chat, { user: 'user-1' }, { user: 'user' }).body).toMatchObject({ user: 'user-1' })
    const both = { safety_identifier: 'new', user: 'old' }
    expect(send(chat, chat, both).body).toMatchObject(both)
    expect(send(chat, messages, both).losses).toContain('dropped extras.chat.user')
  })

  it.each(['someone@example.com', '+49 170 1234567', 'x'.repeat(300)])(
    'is hashed for messages if it is %s, which its upstreams refuse',
    (user) => {
      const { body, losses } = send(chat, messages, { user })
      expect(body['metadata']).toEqual({ user_id: sha256(user) })
      expect(losses).toContain('changed user')
    },
  )

  it('of messages stays as it is in messages, with other metadata [msg.unsupported]', () => {
    const metadata = { user_id: LONG, x_more: 1 }
    expect(send(messages, messages, { metadata })).toEqual({
      body: expect.objectContaining({ metadata }) as unknown,
      losses: [],
    })
    expect(send(messages, chat, { metadata }).losses).toContain('dropped extras.messages.metadata.x_more')
  })

  it.each([[{ user_id: 7 }], [{ user_id: null }], ['text']])('is absent in metadata %j, which stays', (metadata) => {
    const { body } = send(messages, messages, { metadata })
    expect(body['metadata']).toEqual(metadata)
    expect(send(messages, chat, { metadata }).body).not.toHaveProperty('safety_identifier')
  })

  it('has no equivalent in genai, reported', () => {
    expect(send(messages, genai, { metadata: { user_id: 'user-1' } }).losses).toContain('dropped user')
  })
})
