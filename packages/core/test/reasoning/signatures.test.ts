import { describe, expect, it } from 'vitest'
import { gatherMessages, messagesStream, play } from '../streams.ts'
import { chat, genai, messages } from '../untyped.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'
import { translate, type TranslateOptions, type Translation } from '../../src/protocols/translate.ts'

const reported = ({ losses }: Translation): string[] => losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)
const turnsOf = ({ body }: Translation): JsonObject[] => body['messages'] as JsonObject[]
const hello = { role: 'user', content: 'hello' }
const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }]
const chatBody = { model: 'm', max_completion_tokens: 9000, tools, reasoning_effort: 'low' }
const messagesBody = { model: 'm', max_tokens: 9000, tools: [{ name: 'look', input_schema: { type: 'object' } }] }

/** Signed text holds what "sanitisers" would touch: half a surrogate pair, control characters, an unusual space. */
const ODD = 'a\ud83d b\u0000\u001b[31m\u2028\ufeff "c" \\ é 😀'
const thinking = (text: string, signature: string) => ({ type: 'thinking', thinking: text, signature })
const use = (id: string) => ({ type: 'tool_use', id, name: 'look', input: { at: id } })
const INTERLEAVED = [
  thinking(ODD, 'EqQB+first/=='),
  { type: 'redacted_thinking', data: 'EmwKAhgB' },
  { type: 'text', text: 'Let me look.' },
  use('toolu_1'),
  thinking('and then', 'EqQBsecond.with.dots'),
  use('toolu_2'),
]

/** As the official chat client gathers a stream: strings grow, calls by index, the last value of any other field. */
function gatherChat(chunks: readonly JsonObject[]): JsonObject {
  let folded: JsonObject = { role: 'assistant' }
  let content = ''
  const calls: { id: string; type: string; function: { name: string; arguments: string } }[] = []
  for (const chunk of chunks) {
    const [choice] = chunk['choices'] as { delta: JsonObject }[]
    const { content: answered, tool_calls, role, ...rest } = choice?.delta ?? {}
    if (typeof answered === 'string') content += answered
    for (const { index, ...call } of (tool_calls ?? []) as ((typeof calls)[number] & { index: number })[]) {
      const known = calls[index]
      if (known === undefined) calls[index] = structuredClone(call)
      else known.function.arguments += call.function.arguments
    }
    folded = { ...folded, ...rest }
  }
  return { ...folded, content: content === '' ? null : content, ...(calls.length > 0 && { tool_calls: calls }) }
}

/** As LiteLLM gathers a stream: it keeps a delta only for these members, and of them only these, the last value of each. */
function gatherLiteLLM(chunks: readonly JsonObject[]): JsonObject {
  const kept = chunks.flatMap((chunk) => {
    const [choice] = chunk['choices'] as { delta: JsonObject; finish_reason: string | null }[]
    const { content, tool_calls, reasoning_content, provider_specific_fields } = choice?.delta ?? {}
    const members = { content, tool_calls, reasoning_content, provider_specific_fields }
    const isKept = content || (tool_calls ?? reasoning_content ?? provider_specific_fields) !== undefined
    return choice?.finish_reason === null && isKept ? [{ choices: [{ delta: members }] }] : []
  })
  return gatherChat(kept as JsonObject[])
}

const chatResults = ['toolu_1', 'toolu_2'].map((id) => ({ role: 'tool', tool_call_id: id, content: id }))
const modes = ['whole', 'streamed'] as const

describe('reasoning of a messages upstream through a chat client', () => {
  const first = () => translate(chat, messages, { ...chatBody, messages: [hello], stream: true })
  const echoes = (mode: (typeof modes)[number], content: JsonObject[] = INTERLEAVED): JsonObject => {
    if (mode === 'streamed') return gatherChat(play(first(), messagesStream(content)))
    const { body } = first().response({ content, stop_reason: 'tool_use' })
    return (body['choices'] as { message: JsonObject }[])[0]!.message
  }

  it.each(modes)(
    'returns to its issuer block for block, in place, %s (trap 2) (trap 4) [tr.signatures] [tr.ids] [msg.block.thinking:through] [msg.block.redacted_thinking:through]',
    (mode) => {
      const echo = JSON.parse(JSON.stringify(echoes(mode))) as JsonObject
      const next = translate(chat, messages, { ...chatBody, messages: [hello, echo, ...chatResults] })
      expect(turnsOf(next)[1]).toEqual({ role: 'assistant', content: INTERLEAVED })
      expect(next.body['thinking']).toMatchObject({ type: 'enabled' })
      expect(reported(next)).toEqual(['changed reasoning'])
    },
  )

  it.each(modes)('is dropped and reported for another issuer, never sent as text, %s (trap 3)', (mode) => {
    const echo = echoes(mode)
    const next = translate(chat, chat, { ...chatBody, messages: [hello, echo, ...chatResults] })
    const [, assistant] = turnsOf(next)
    expect(assistant).not.toHaveProperty('reasoning_details')
    expect(JSON.stringify(assistant)).not.toContain('and then')
    expect(reported(next)).toEqual([0, 1, 4].map((part) => `dropped messages.1.parts.${part}`))
  })

  it.each(modes)('returns without a text if the upstream has omitted it, %s [tr.signatures]', (mode) => {
    const omitted = [thinking('', 'EqQBomitted'), use('toolu_1')]
    const echo = echoes(mode, omitted)
    const next = translate(chat, messages, { ...chatBody, messages: [hello, echo, chatResults[0]!] })
    expect(turnsOf(next)[1]).toEqual({ role: 'assistant', content: omitted })
    expect(next.body['thinking']).toMatchObject({ type: 'enabled' })
  })

  it('returns from a client that keeps only provider_specific_fields of a stream [tr.signatures]', () => {
    const echo = gatherLiteLLM(play(first(), messagesStream(INTERLEAVED)))
    const next = translate(chat, messages, { ...chatBody, messages: [hello, echo, ...chatResults] })
    expect(turnsOf(next)[1]).toEqual({ role: 'assistant', content: INTERLEAVED })
  })

  it('is repeated for such clients only if it has a signature', () => {
    const written = JSON.stringify(play(first(), messagesStream([{ type: 'thinking', thinking: 'hm', signature: '' }])))
    expect(written).toContain('reasoning_details')
    expect(written).not.toContain('provider_specific_fields')
  })

  it('is read once from a stream of this library', () => {
    const blocks = INTERLEAVED.filter(({ type }) => type !== 'redacted_thinking')
    const frames = play(first(), messagesStream(blocks)).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
    const again = translate(messages, chat, { ...messagesBody, messages: [hello], stream: true })
    let text = ''
    const answer = again.answerStream((piece) => (text += piece))
    answer.push(new TextEncoder().encode(frames.join('')))
    answer.end()
    expect(text.match(/content_block_start/g)).toHaveLength(2 * blocks.length) // in the name of the event and in its data
    expect(answer.losses.filter(({ path }) => path.includes('extras'))).toEqual([])
  })

  it('is complete in the last piece that the client keeps (trap 44)', () => {
    const chunks = play(first(), messagesStream(INTERLEAVED))
    const details = chunks.flatMap((chunk) => {
      const [choice] = chunk['choices'] as { delta: { reasoning_details?: JsonObject[] } }[]
      return choice?.delta.reasoning_details === undefined ? [] : [choice.delta.reasoning_details]
    })
    expect(details.at(-1)?.map(({ type }) => type)).toEqual(['reasoning.text', 'reasoning.encrypted', 'reasoning.text'])
    expect(details.at(-1)?.[0]).toMatchObject({ text: ODD })
  })
})

it.each(modes)('omitted thinking is translated between two sides of messages as it is, %s [tr.signatures]', (mode) => {
  const omitted = [thinking('', 'EqQBomitted'), use('toolu_1')]
  const first = translate(messages, messages, { ...messagesBody, messages: [hello], stream: true })
  const content =
    mode === 'streamed'
      ? gatherMessages(play(first, messagesStream(omitted)))
      : first.response({ content: omitted, stop_reason: 'tool_use' }).body['content']
  expect(content).toEqual(omitted)
  const results = [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'seen' }]
  const history = [hello, { role: 'assistant', content: omitted }, { role: 'user', content: results }]
  const next = translate(messages, messages, { ...messagesBody, messages: history })
  expect(turnsOf(next)[1]).toEqual({ role: 'assistant', content: omitted })
})

describe('reasoning of a chat upstream through a messages client', () => {
  const details = [
    { type: 'reasoning.text', text: ODD, signature: 'sig.one', index: 0 },
    { type: 'reasoning.text', text: 'and then', signature: 'sig.two', index: 2 },
    { type: 'reasoning.encrypted', data: 'opaque', index: 3 },
  ]
  const calls = ['call_1', 'call_2'].map((id) => ({
    id,
    type: 'function',
    function: { name: 'look', arguments: `{"at":"${id}"}` },
  }))
  const message = { role: 'assistant', content: null, tool_calls: calls, reasoning_details: details }
  const results = ['call_1', 'call_2'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: id }))
  const first = (options: TranslateOptions = {}) =>
    translate(messages, chat, { ...messagesBody, messages: [hello], stream: true }, options)
  const answer = { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }
  const next = (to: Protocol, content: JsonObject[], options: TranslateOptions = {}) => {
    const conversation = [hello, { role: 'assistant', content }, { role: 'user', content: results }]
    messages.request.check({ ...messagesBody, messages: conversation })
    return translate(messages, to, { ...messagesBody, messages: conversation }, options)
  }

  it('returns to its issuer entry for entry, in place (trap 2) (trap 4) [tr.signatures] [tr.ids] [chat.role.assistant:through]', () => {
    const content = JSON.parse(JSON.stringify(first().response(answer).body['content'])) as JsonObject[]
    expect(content.map(({ type }) => type)).toEqual([
      'thinking',
      'tool_use',
      'thinking',
      'redacted_thinking',
      'tool_use',
    ])
    const sent = next(chat, content)
    const [, assistant, ...answers] = turnsOf(sent)
    expect(assistant).toMatchObject({ tool_calls: calls, reasoning_details: details })
    expect(answers.map(({ tool_call_id }) => tool_call_id)).toEqual(['call_1', 'call_2'])
    expect(reported(sent)).toEqual([])
  })

  it('is dropped and reported for another issuer, never sent as text (trap 3)', () => {
    const sent = next(messages, first().response(answer).body['content'] as JsonObject[])
    const [, assistant] = turnsOf(sent) as { content: JsonObject[] }[]
    expect(assistant?.content.map(({ type }) => type)).toEqual(['tool_use', 'tool_use'])
    expect(reported(sent)).toEqual([0, 2, 3].map((part) => `dropped messages.1.parts.${part}`))
  })

  it('is plain for a messages client if the messages issuer signed it [tr.signatures]', () => {
    const { body } = first({ issuer: 'anthropic' }).response(answer)
    expect(body['content']).toMatchObject([thinking(ODD, 'sig.one'), {}, thinking('and then', 'sig.two'), {}, {}])
  })

  it('streams a signature once, before its block closes, and the next turn is accepted (trap 1) [tr.signatures]', () => {
    const chunk = (delta: JsonObject, finish: string | null = null) =>
      `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
    const upstream = [
      chunk({ role: 'assistant', reasoning_details: [{ type: 'reasoning.text', text: 'hm ', index: 0 }] }),
      chunk({ reasoning_details: [{ type: 'reasoning.text', text: 'so', index: 0 }] }),
      chunk({ reasoning_details: [{ type: 'reasoning.text', signature: 'sig.one', index: 0 }] }),
      ...calls.map((call, index) => chunk({ tool_calls: [{ index, ...call }] })),
      chunk({}, 'tool_calls'),
      'data: [DONE]\n\n',
    ]
    const events = play(first(), upstream.join(''))
    const ofThinking = events.filter(({ index }) => index === 0)
    const deltas = ofThinking.flatMap(({ delta }) => (delta === undefined ? [] : [(delta as JsonObject)['type']]))
    expect(deltas).toEqual(['thinking_delta', 'thinking_delta', 'signature_delta'])
    expect(ofThinking.at(-1)?.['type']).toBe('content_block_stop')
    const sent = next(chat, gatherMessages(events))
    expect(turnsOf(sent)[1]).toMatchObject({
      tool_calls: calls,
      reasoning_details: [{ type: 'reasoning.text', text: 'hm so', signature: 'sig.one' }],
    })
    expect(reported(sent)).toEqual([])
  })

  it('without a signature is kept by clients, and is sent to a messages upstream neither signed nor as text (trap 1) (trap 3)', () => {
    const unsigned = { role: 'assistant', content: 'yes', reasoning_content: 'secret thought', tool_calls: calls }
    const { body } = first().response({ choices: [{ index: 0, message: unsigned, finish_reason: 'tool_calls' }] })
    const content = body['content'] as JsonObject[]
    expect(content[0]).toMatchObject({ type: 'thinking', thinking: 'secret thought' })
    expect(content[0]?.['signature']).not.toBe('')
    expect(JSON.stringify(turnsOf(next(messages, content)))).not.toContain('secret thought')
    expect(reported(next(messages, content))).toContain('dropped messages.1.parts.0')
    expect(turnsOf(next(chat, content))[1]).toMatchObject({ reasoning: 'secret thought' })
  })
})

describe('a client that sends back only text and ids', () => {
  const calls = [{ id: 'toolu_1', type: 'function', function: { name: 'look', arguments: '{}' } }]
  const echo = { role: 'assistant', content: null, tool_calls: calls }

  it('can continue with its tools: messages is called without thinking for that turn, reported [tr.signatures]', () => {
    const conversation = [hello, echo, { role: 'tool', tool_call_id: 'toolu_1', content: 'seen' }]
    const next = translate(chat, messages, { ...chatBody, messages: conversation })
    expect(next.body['thinking'] ?? { type: 'disabled' }).toEqual({ type: 'disabled' })
    expect(reported(next)).toEqual(['changed reasoning'])
  })

  it('has thinking off for that turn also if another issuer signed the reasoning before the calls (trap 3) [tr.signatures]', () => {
    const details = [{ type: 'reasoning.text', text: 'secret thought', signature: 'sig.of.openai', index: 0 }]
    const conversation = [
      hello,
      { ...echo, reasoning_details: details },
      { role: 'tool', tool_call_id: 'toolu_1', content: 'seen' },
    ]
    const next = translate(chat, messages, { ...chatBody, messages: conversation })
    expect(JSON.stringify(turnsOf(next))).not.toContain('secret thought')
    expect(next.body['thinking'] ?? { type: 'disabled' }).toEqual({ type: 'disabled' })
    expect(reported(next).sort()).toEqual(['changed reasoning', 'dropped messages.1.parts.0'])
  })

  it('thinks again as soon as the turn is over [tr.signatures]', () => {
    const over = [
      hello,
      echo,
      { role: 'tool', tool_call_id: 'toolu_1', content: 'seen' },
      { role: 'assistant', content: 'I saw it.' },
      { role: 'user', content: 'And now?' },
    ]
    const next = translate(chat, messages, { ...chatBody, messages: over })
    expect(next.body['thinking']).toMatchObject({ type: 'enabled' })
  })

  it('has its unsigned reasoning dropped and reported for messages (trap 3)', () => {
    const answered = {
      role: 'assistant',
      content: 'yes',
      reasoning: 'secret thought',
      reasoning_content: 'secret thought',
    }
    const next = translate(chat, messages, { ...chatBody, messages: [hello, answered, hello] })
    expect(turnsOf(next)[1]).toEqual({ role: 'assistant', content: 'yes' })
    expect(reported(next)).toContain('dropped messages.1.parts.0')
  })

  it('cannot replace a signature with a placeholder (trap 3)', () => {
    const content = [thinking('secret thought', 'skip_thought_signature_validator'), { type: 'text', text: 'yes' }]
    const body = { model: 'm', max_tokens: 9, messages: [hello, { role: 'assistant', content }, hello] }
    const next = translate(messages, messages, body)
    expect(turnsOf(next)[1]).toEqual({ role: 'assistant', content: 'yes' })
    expect(reported(next)).toEqual(['dropped messages.1.parts.0'])
  })
})

describe('an upstream that has refused a seal', () => {
  const answer = [thinking('my own thought', 'EqQBmine'), { type: 'text', text: 'yes' }]
  const body = { model: 'm', max_tokens: 9, messages: [hello, { role: 'assistant', content: answer }, hello] }

  it('is called without any, reported, and its new seals are still its own', () => {
    const again = translate(messages, messages, body, { withoutSeals: true })
    expect(turnsOf(again)[1]).toEqual({ role: 'assistant', content: 'yes' })
    expect(reported(again)).toEqual(['dropped messages.1.parts.0'])
    const usage = { input_tokens: 1, output_tokens: 1 }
    const answered = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: answer, usage }
    expect(again.response({ ...answered, stop_reason: 'end_turn' }).body['content']).toEqual(answer)
  })
})

describe('reasoning without a signature', () => {
  const parts = [{ text: 'secret thought', thought: true }, { text: 'yes' }]
  const answer = { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }] }
  const body = { ...messagesBody, stream: true, messages: [hello] }

  it('of genai reaches a messages client with something to send back, whole and streamed (trap 6)', () => {
    const whole = translate(messages, genai, body).response(answer).body['content'] as JsonObject[]
    const [thought, answered] = whole
    expect(thought).toMatchObject({ type: 'thinking', thinking: 'secret thought' })
    expect(thought?.['signature']).not.toBe('') // clients keep only signed thinking
    const events = play(translate(messages, genai, body), `data: ${JSON.stringify(answer)}\n\n`)
    const deltas = events.map(({ delta }) => delta as JsonObject | undefined)
    expect(deltas).toContainEqual({ type: 'signature_delta', signature: thought?.['signature'] })
    const history = [hello, { role: 'assistant', content: [thought ?? {}, answered ?? {}] }, hello]
    expect(reported(translate(messages, genai, { ...messagesBody, messages: history }))).toEqual([])
  })

  it('is sent to no other issuer when it returns (trap 6) (trap 3)', () => {
    const { content } = translate(messages, genai, body).response(answer).body as { content: JsonObject[] }
    const history = [hello, { role: 'assistant', content }, hello]
    const next = translate(messages, messages, { ...messagesBody, messages: history })
    expect(turnsOf(next)[1]).toEqual({ role: 'assistant', content: 'yes' })
    expect(reported(next)).toEqual(['dropped messages.1.parts.0'])
  })
})

describe('encrypted reasoning with an id of its upstream', () => {
  it('returns with its payload and without its id through a client of another protocol (trap 7)', () => {
    const detail = { type: 'reasoning.encrypted', data: 'gAAAAB-payload', id: 'rs_1', index: 0 }
    const message = { role: 'assistant', content: 'yes', reasoning_details: [detail] }
    const answer = { choices: [{ index: 0, message, finish_reason: 'stop' }] }
    const { content } = translate(messages, chat, { ...messagesBody, messages: [hello] }).response(answer).body as {
      content: JsonObject[]
    }
    const history = [hello, { role: 'assistant', content }, hello]
    const next = translate(messages, chat, { ...messagesBody, messages: history })
    const { id, ...stateless } = detail
    expect(turnsOf(next)[1]).toMatchObject({ content: 'yes', reasoning_details: [stateless] })
    expect(JSON.stringify(next.body)).not.toContain(id)
  })
})
