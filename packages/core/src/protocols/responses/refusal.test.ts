import { describe, expect, it } from 'vitest'
import { answerFrom, streamFrom } from '../../../test/answer-responses.ts'
import type { Target } from '../../../test/ask-responses.ts'
import { messages, responses } from '../../../test/untyped.ts'
import type { JsonObject } from '../../lib/json.ts'
import { translate } from '../translate.ts'

const USAGE = { input_tokens: 1, output_tokens: 1 }
const HEAD = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', usage: USAGE }
const OURS = 'The model refused to answer.'

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

/** Answers that refuse: by how they end, without and with words before it, and by a refusal of the model. */
interface Refused {
  readonly title: string
  readonly from: Target
  readonly whole: JsonObject
  readonly events: readonly JsonObject[]
  /** The parts of the message, for clients that know refusals. */
  readonly parts: readonly JsonObject[]
  /** What codex does not get to know. */
  readonly loss: string
}

const text = (words: string): JsonObject => ({ type: 'output_text', text: words, annotations: [], logprobs: [] })
const refusal = (words: string): JsonObject => ({ type: 'refusal', refusal: words })

function ofMessages(title: string, words: string | undefined): Refused {
  const start = { type: 'message_start', message: { ...HEAD, content: [] } }
  const block = [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words ?? '' } },
    { type: 'content_block_stop', index: 0 },
  ]
  const end = { type: 'message_delta', delta: { stop_reason: 'refusal' }, usage: USAGE }
  const content = words === undefined ? [] : [{ type: 'text', text: words }]
  return {
    title,
    from: 'messages',
    whole: { ...HEAD, content, stop_reason: 'refusal', stop_sequence: null },
    events: [start, ...(words === undefined ? [] : block), end, { type: 'message_stop' }],
    parts: [...(words === undefined ? [] : [text(words)]), refusal(OURS)],
    loss: 'changed candidates.0.finish.reason',
  }
}

const CHAT = { id: 'c', created: 1, model: 'm' }
const message = { role: 'assistant', content: null, refusal: 'No.' }
const choice = (members: JsonObject, finish_reason: string | null): JsonObject => ({
  choices: [{ index: 0, ...members, finish_reason }],
})
const REFUSED: readonly Refused[] = [
  ofMessages('the end of messages', undefined),
  ofMessages('the end of messages, behind words', 'As far as'),
  {
    title: 'words of chat',
    from: 'chat',
    whole: { ...CHAT, object: 'chat.completion', ...choice({ message }, 'stop') },
    events: [choice({ delta: message }, null), choice({ delta: {} }, 'stop')].map((each) => ({
      ...CHAT,
      object: 'chat.completion.chunk',
      ...each,
    })),
    parts: [refusal('No.')],
    loss: 'changed candidates.0.parts.0.type',
  },
]

/** What each view of a stream says: its deltas, its parts, its items, and the whole response. */
function viewsOf(events: readonly JsonObject[]) {
  const ofType = (type: string) => events.filter((event) => event['type'] === `response.${type}`)
  const { response } = events.at(-1) ?? {}
  const { output } = response as JsonObject
  return {
    deltas: events.flatMap(({ type }) => (/(output_text|refusal)\.delta$/.exec(type as string) ?? []).slice(1)),
    parts: ofType('content_part.done').map(({ part }) => part),
    items: ofType('output_item.done').map(({ item }) => item),
    output,
  }
}

const KINDS = { output_text: 'output_text', refusal: 'refusal' } as const

describe.each(REFUSED)('a refusal by $title', ({ from, whole, events, parts, loss }) => {
  const kinds = parts.map(({ type }) => KINDS[type as keyof typeof KINDS])

  it('is a refusal in every view of a stream, as in the whole answer', () => {
    const views = viewsOf(streamFrom(from, events))
    expect(views.deltas).toEqual(kinds)
    expect(views.parts).toEqual(parts)
    expect(views.items).toMatchObject([{ type: 'message', content: parts }])
    expect(views.output).toEqual(views.items)
    expect(answerFrom(from, whole).body['output']).toEqual(views.output)
  })

  it('is a text in every view for codex, which drops messages with a refusal', () => {
    const codex = { client_metadata: { 'x-codex-window-id': 'w' } }
    const texts = parts.map(({ refusal: words, ...part }) => (words === undefined ? part : text(words as string)))
    const views = viewsOf(streamFrom(from, events, codex))
    expect(views.deltas).toEqual(kinds.map(() => 'output_text'))
    expect(views.parts).toEqual(texts)
    expect(views.items).toMatchObject([{ type: 'message', content: texts }])
    expect(views.output).toEqual(views.items)
    const { body, losses } = answerFrom(from, whole, codex)
    expect(body).toMatchObject({ status: 'completed', output: views.output })
    expect(losses).toContain(loss)
  })
})
