import { describe, expect, it } from 'vitest'
import { ANSWERS } from '../new-members/answers.ts'
import { REQUESTS } from '../new-members/requests.ts'
import type { Fate, Row } from '../new-members/row.ts'
import { gather, streamOf } from '../new-members/streams.ts'
import { chat, genai, messages, responses } from '../untyped.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import type { ReportedLoss } from '../../src/protocols/reported-loss.ts'
import { translate, translateResponse, translateStream } from '../../src/protocols/translate.ts'

const ALL = [chat, messages, genai, responses]
const [RESPONDED] = ANSWERS as [Row]
const lines = (losses: readonly ReportedLoss[]) =>
  losses
    .filter(({ kind }) => kind !== 'added') // what a target needs besides, such as a limit
    .map(({ kind, path, wirePath, reason }) => `${kind} ${wirePath ?? path.join('.')}: ${reason}`)

describe.each(REQUESTS)('a request with $name', ({ from, body, whole, others }: Row) => {
  it('is accepted and relayed, and stays whole if it is translated to its own protocol', () => {
    expect(() => from.request.check(body)).not.toThrow()
    expect(from.relay.obstacle(body, {})).toBeUndefined()
    const { body: sent, losses } = translate(from, from, body)
    expect(sent).toMatchObject(whole)
    expect(lines(losses)).toEqual([])
  })

  it.each(Object.entries(others))('is carried or reported toward %s', (name, fate) => {
    const to = ALL.find((protocol) => protocol.name === name) ?? from
    const { body: sent, losses } = translate(from, to, body)
    expectFate(fate, lines(losses), sent)
  })
})

describe.each(ANSWERS)('an answer with $name', ({ from, body, whole, others }: Row) => {
  it('stays whole toward its own protocol', () => {
    const { body: shown, losses } = translateResponse(from, from, body)
    expect(shown).toMatchObject(whole)
    expect(lines(losses)).toEqual([])
  })

  it('stays whole in a stream', () => {
    const { text, losses, failed } = play(from, from, body)
    expect(failed).toBeUndefined()
    expect(gather(from.name, text)).toMatchObject(whole)
    expect(lines(losses)).toEqual([])
    const bytes = new TextEncoder().encode(streamOf(from.name, body))
    expect(from.relay.tap({ stream: true }).push(bytes)).toEqual(bytes)
  })

  it.each(Object.entries(others))('is carried or reported toward %s, whole and streamed', (name, fate) => {
    const to = ALL.find((protocol) => protocol.name === name) ?? from
    const { body: shown, losses } = translateResponse(to, from, body)
    expectFate(fate, lines(losses), shown)
    const streamed = play(to, from, body)
    expect(streamed.failed).toBeUndefined()
    expectFate(fate, lines(streamed.losses), gather(to.name, streamed.text))
  })
})

describe('events response.steer.* of a WebSocket, in a stream', () => {
  const steer = { id: 'steer_1', previous_response_id: 'resp_1' }
  const error = { type: 'invalid_request_error', code: 'response_not_active', message: 'No.' }
  const events = [
    { type: 'response.steer.accepted', sequence_number: 90, steer },
    { type: 'response.steer.pending', sequence_number: 91, steer },
    { type: 'response.steer.failed', sequence_number: 92, steer: { ...steer, input: 'Hi' }, error },
  ].map((event) => `data: ${JSON.stringify(event)}\n\n`)
  const answer = RESPONDED.body
  const frames = streamOf('responses', answer).split(/(?<=\n\n)/)
  const bytes = new TextEncoder().encode([...frames.slice(0, 4), ...events, ...frames.slice(4)].join(''))

  it.each(ALL)('do not break the answer for $name', (caller) => {
    let text = ''
    const stream = translateStream(caller, responses, (piece) => (text += piece))
    stream.push(bytes)
    stream.end()
    expect(stream.failed).toBeUndefined()
    expect(stream.done).toBe(true)
    expect(text).toContain('Hello')
    expect(text).not.toContain('No.')
  })

  it('are relayed', () => {
    const tap = responses.relay.tap({ stream: true })
    expect(tap.push(bytes)).toEqual(bytes)
    expect([tap.failed, tap.end().complete]).toEqual([undefined, true])
  })
})

describe('changes of tools in a turn of instructions', () => {
  const reference = { type: 'tool_reference', name: 'f' }
  const definition = { type: 'tool_definition', definition: { name: 'f', input_schema: { type: 'object' } } }
  const changes = [
    { type: 'tool_addition', tool: definition },
    { type: 'tool_removal', tool: reference },
  ]
  const user = { role: 'user', content: 'Hi' }
  const body = { model: 'm', max_tokens: 99, messages: [user, { role: 'system', content: changes }] }

  it('stay whole for an upstream that takes such turns', () => {
    const { body: sent, losses } = translate(messages, messages, body, { dialect: { systemTurns: true } })
    expect(sent['messages']).toEqual(body.messages)
    expect(losses).toEqual([])
    expect(messages.relay.obstacle(body, {}, { systemTurns: true })).toBeUndefined()
  })

  it.each([chat, genai, responses])('are reported toward $name', (to) => {
    const { losses } = translate(messages, to, body)
    expect(losses).toContainEqual(expect.objectContaining({ kind: 'dropped', wirePath: 'messages[1]' }))
  })
})

function play(to: Row['from'], from: Row['from'], answer: JsonObject) {
  let text = ''
  const stream = translateStream(to, from, (piece) => (text += piece))
  stream.push(new TextEncoder().encode(streamOf(from.name, answer)))
  stream.end()
  return { text, losses: stream.losses, failed: stream.failed }
}

function expectFate({ losses = [], carried = {} }: Fate, found: readonly string[], body: JsonObject): void {
  expect(found).toEqual(expect.arrayContaining([...losses]))
  expect(found.filter((line) => line.endsWith(': unknown'))).toEqual([])
  expect(body).toMatchObject(carried)
}
