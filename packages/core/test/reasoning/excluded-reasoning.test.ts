import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../untyped.ts'
import { isObject, type Json, type JsonObject } from '../../src/lib/json.ts'
import type { Codec } from '../../src/protocols/protocol.ts'
import { translate } from '../../src/protocols/translate.ts'

// `reasoning.exclude` of chat: reasoning is requested and left out of the answer, and its signature still travels.
const ASK = {
  model: 'm',
  reasoning: { effort: 'high', exclude: true },
  messages: [{ role: 'user', content: 'Why?' }],
}
const SEAL = 'c2VhbGVk'
const think = 'Secretly.'
const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
})
const part = (...parts: JsonObject[]): JsonObject => ({ content: { role: 'model', parts }, index: 0 })
const detail = { type: 'reasoning.text', text: think, signature: SEAL, index: 0 }

interface Case {
  readonly upstream: Codec
  readonly answer: JsonObject
  readonly events: readonly JsonObject[]
  /** How the upstream gets its seal back. */
  readonly back: JsonObject
}

const CASES: readonly Case[] = [
  {
    upstream: messages,
    answer: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [
        { type: 'thinking', thinking: think, signature: SEAL },
        { type: 'text', text: 'So.' },
      ],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 2 },
    },
    events: [
      { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [] } },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: think } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: SEAL } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'So.' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
      { type: 'message_stop' },
    ],
    back: { type: 'thinking', thinking: '', signature: SEAL },
  },
  {
    upstream: genai,
    answer: {
      candidates: [
        { ...part({ text: think, thought: true, thoughtSignature: SEAL }, { text: 'So.' }), finishReason: 'STOP' },
      ],
    },
    events: [
      { candidates: [part({ text: think, thought: true })] },
      { candidates: [part({ text: '', thought: true, thoughtSignature: SEAL })] },
      { candidates: [{ ...part({ text: 'So.' }), finishReason: 'STOP' }] },
    ],
    back: { text: '', thought: true, thoughtSignature: SEAL },
  },
  {
    upstream: chat,
    answer: {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          message: { role: 'assistant', content: 'So.', reasoning: think, reasoning_details: [detail] },
        },
      ],
    },
    events: [
      chunk({ role: 'assistant', content: '', reasoning: think, reasoning_details: [detail] }),
      chunk({ content: 'So.' }),
      chunk({}, 'stop'),
    ],
    back: { type: 'reasoning.text', text: '', signature: SEAL, index: 0 },
  },
]

const objectIn = (value: unknown, key: string): JsonObject => {
  const inner = isObject(value) ? value[key] : undefined
  return isObject(inner) ? inner : {}
}
const firstOf = (value: Json | undefined): Json | undefined => (Array.isArray(value) ? (value[0] as Json) : undefined)

describe.each(CASES)('of an answer from $upstream.name', ({ upstream, answer, events, back }) => {
  const dialect = { reasoning: 'object' }
  const exchange = () => translate(chat, upstream, ASK, { id: () => 'id', now: 1, dialect })
  const mustHaveSealAlone = (message: JsonObject, text: string): void => {
    expect(text).not.toContain(think)
    expect(text).toContain('So.')
    expect(message['reasoning_details']).toHaveLength(1)
    const history = [ASK.messages[0] ?? {}, { ...message, role: 'assistant', content: 'So.' }, ASK.messages[0] ?? {}]
    const again = translate(chat, upstream, { ...ASK, messages: history }, { dialect })
    expect(JSON.stringify(again.body)).toContain(JSON.stringify(back).slice(1, -1))
  }

  it('[tr.signatures] whole, the text is left out and the signature is not', () => {
    const { body } = exchange().response(answer)
    mustHaveSealAlone(objectIn(firstOf(body['choices']), 'message'), JSON.stringify(body))
  })

  it('[tr.signatures] streamed, the text is left out and the signature is not', () => {
    let text = ''
    const stream = exchange().answerStream((piece) => (text += piece))
    const frames = events.map((event) => `data: ${JSON.stringify(event)}\n\n`)
    stream.push(new TextEncoder().encode(frames.join('') + (upstream.name === 'chat' ? 'data: [DONE]\n\n' : '')))
    stream.end()
    expect(stream.failed).toBeUndefined()
    const deltas = text
      .split('\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => objectIn(firstOf((JSON.parse(line.slice(6)) as JsonObject)['choices']), 'delta'))
    const details = deltas.filter((delta) => delta['reasoning_details'] !== undefined)
    expect(details).toHaveLength(1)
    mustHaveSealAlone(details[0] ?? {}, text)
  })
})

it('an upstream that can leave out its reasoning is asked to', () => {
  expect(translate(chat, messages, ASK).body['thinking']).toMatchObject({ type: 'enabled', display: 'omitted' })
  expect(translate(chat, genai, ASK).body['generationConfig']).toMatchObject({
    thinkingConfig: { includeThoughts: false },
  })
})

it('reasoning without a signature is left out as a whole', () => {
  const [first] = CASES
  const content = [
    { type: 'thinking', thinking: think },
    { type: 'text', text: 'So.' },
  ]
  const { body, losses } = translate(chat, messages, ASK).response({ ...first?.answer, content })
  expect(JSON.stringify(body)).not.toContain('reasoning_details')
  expect(losses.filter(({ kind }) => kind !== 'added')).toEqual([]) // chat adds its time
})
