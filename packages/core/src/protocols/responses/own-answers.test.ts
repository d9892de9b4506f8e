import { describe, expect, it } from 'vitest'
import { askResponses } from '../../../test/ask-responses.ts'
import { answerFor, answerFrom, eventsOf, streamFor, streamFrom } from '../../../test/answer-responses.ts'
import { responses } from '../../../test/untyped.ts'
import type { JsonObject } from '../../lib/json.ts'
import { translate, translateResponse, translateStream } from '../translate.ts'

/** Answers of Responses for clients of Responses, translated: what relayed clients get. */

const text = { type: 'output_text', text: 'Hi.', annotations: [], logprobs: [] }
const message = { type: 'message', id: 'msg_1', status: 'completed', role: 'assistant', content: [text] }
const thoughts = [
  { type: 'reasoning_text', text: 'They greet.' },
  { type: 'reasoning_text', text: 'I greet.' },
]
const summary = [{ type: 'summary_text', text: 'A greeting.' }]
const raw = { type: 'reasoning', id: 'rs_1', summary: [], content: thoughts }
const both = { ...raw, summary, encrypted_content: 'gAAA', status: 'completed' }
const usage = {
  input_tokens: 3,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 4 },
  total_tokens: 12,
}
const settings = {
  background: false,
  frequency_penalty: 0.1,
  instructions: 'Be brief.',
  max_output_tokens: 500,
  max_tool_calls: 7,
  metadata: { team: 'a' },
  parallel_tool_calls: false,
  presence_penalty: 0.2,
  previous_response_id: null,
  prompt_cache_key: 'key',
  prompt_cache_retention: '24h',
  reasoning: { effort: 'medium', summary: 'detailed', context: 'auto' },
  safety_identifier: 'someone',
  store: false,
  temperature: 0.3,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  tool_choice: 'none',
  tools: [{ type: 'function', name: 'look', description: null, parameters: null, strict: null }],
  top_logprobs: 2,
  top_p: 0.98,
  truncation: 'auto',
  user: 'someone',
}
const answerOf = (output: readonly JsonObject[], members: JsonObject = {}): JsonObject => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1_600_000_000,
  completed_at: 1_600_000_002,
  model: 'gpt',
  status: 'completed',
  error: null,
  incomplete_details: null,
  service_tier: 'default',
  output: [...output],
  usage,
  ...settings,
  ...members,
})

/** The events of an answer as an upstream sends them, with the deltas of each text. */
function eventsFor(answer: JsonObject): JsonObject[] {
  const begun = { ...answer, status: 'in_progress', completed_at: null, output: [], usage: null }
  return [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...(answer['output'] as JsonObject[]).flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item: { ...item, ...('summary' in item ? EMPTY : {}) } },
      ...deltasOf(item, output_index),
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: 'response.completed', response: answer },
  ]
}

const EMPTY = { summary: [], content: [] }

function deltasOf(item: JsonObject, output_index: number): JsonObject[] {
  if (item['type'] !== 'reasoning') return []
  const address = { item_id: item['id'] ?? '', output_index }
  const list = (member: string) => item[member] as readonly { readonly text: string }[]
  const piecesOf = (delta: string) => delta.match(/.{1,6}/g) ?? []
  return [
    ...list('summary').flatMap((part, summary_index) => [
      { type: 'response.reasoning_summary_part.added', ...address, summary_index, part: { ...part, text: '' } },
      ...piecesOf(part.text).map((delta) => ({
        type: 'response.reasoning_summary_text.delta',
        ...address,
        summary_index,
        delta,
      })),
    ]),
    ...list('content').flatMap((part, content_index) => [
      { type: 'response.content_part.added', ...address, content_index, part: { ...part, text: '' } },
      ...piecesOf(part.text).map((delta) => ({
        type: 'response.reasoning_text.delta',
        ...address,
        content_index,
        delta,
      })),
    ]),
  ]
}

const lastOf = (events: readonly JsonObject[]): JsonObject => events.at(-1)?.['response'] as JsonObject

describe('raw reasoning text', () => {
  it.each([
    ['alone', raw],
    ['with encrypted content', { ...raw, encrypted_content: 'gAAA' }],
    ['behind a summary, in one item', both],
  ])('%s stays what it is, whole and streamed', (_name, item) => {
    const answer = answerOf([item, message])
    const { body, losses } = answerFor('responses', answer)
    expect(body['output']).toEqual([item, message])
    expect(losses).toEqual([])
    const events = streamFrom('responses', eventsFor(answer))
    expect(lastOf(events)['output']).toEqual([item, message])
    expect(JSON.stringify(events)).not.toContain('dg1.')
  })

  it('has the events that the helper of the official SDK needs', () => {
    const events = streamFrom('responses', eventsFor(answerOf([both, message])))
    const ofItem = events.filter(({ item_id }) => item_id === 'rs_1')
    const steps = ofItem.filter(({ type }, index) => type !== ofItem[index - 1]?.['type'])
    expect(steps.map(({ type, summary_index, content_index }) => [type, summary_index, content_index])).toEqual([
      ['response.reasoning_summary_part.added', 0, undefined],
      ['response.reasoning_summary_text.delta', 0, undefined],
      ['response.reasoning_summary_text.done', 0, undefined],
      ['response.reasoning_summary_part.done', 0, undefined],
      ['response.content_part.added', undefined, 0],
      ['response.reasoning_text.delta', undefined, 0],
      ['response.reasoning_text.done', undefined, 0],
      ['response.content_part.done', undefined, 0],
      ['response.content_part.added', undefined, 1],
      ['response.reasoning_text.delta', undefined, 1],
      ['response.reasoning_text.done', undefined, 1],
      ['response.content_part.done', undefined, 1],
    ])
    expect(steps[4]?.['part']).toEqual({ type: 'reasoning_text', text: '' })
    expect(steps[6]?.['text']).toBe('They greet.')
    expect(steps[7]?.['part']).toEqual(thoughts[0])
    const added = events.find(({ type }) => type === 'response.output_item.added')
    expect(added?.['item']).toEqual({ type: 'reasoning', id: 'rs_1', summary: [] })
  })

  it('comes back from the client in one item with its summary', () => {
    const input = [{ role: 'user', content: 'Hi.' }, both, message, { role: 'user', content: 'And now?' }]
    const { status: _status, ...sent } = both
    const { body, losses } = askResponses({ input }).responses
    expect((body['input'] as JsonObject[])[1]).toMatchObject(sent)
    expect(losses).toEqual([])
  })

  it('that another domain has signed comes back to it as it was', () => {
    const upstream = { issuer: 'xai', id: () => 'made' }
    const sealed = { ...raw, encrypted_content: 'SEAL' }
    const given = translate(responses, responses, { model: 'm', input: 'Hi.' }, upstream).response(
      answerOf([sealed, message]),
    )
    const output = given.body['output'] as JsonObject[]
    expect(output[0]).toEqual(raw)
    expect(JSON.stringify(output)).not.toContain('"SEAL"')
    const input = [{ role: 'user', content: 'Hi.' }, ...output, { role: 'user', content: 'And now?' }]
    const { body } = translate(responses, responses, { model: 'm', input }, upstream)
    expect((body['input'] as JsonObject[])[1]).toEqual(sealed)
  })

  it('is a summary with a mark if another dragoman has written it so, and for models of other protocols', () => {
    const marked = { type: 'reasoning', id: 'rs_1', summary, encrypted_content: 'dg1.none.self.' }
    expect(answerFor('responses', answerOf([marked, message])).body['output']).toEqual([marked, message])
    const choice = { index: 0, message: { role: 'assistant', content: 'Hi.', reasoning_content: 'A greeting.' } }
    const { body } = answerFrom('chat', { id: 'c', model: 'm', created: 1, choices: [choice] })
    expect((body['output'] as JsonObject[])[0]).toMatchObject({ summary, encrypted_content: 'dg1.none.self.' })
  })
})

describe('a drawn image', () => {
  it.each([{ output_format: 'png' }, { output_format: 'webp' }, {}])('with %j has the same format', (format) => {
    const drawn = { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'AAAA', ...format }
    const answer = answerOf([drawn])
    expect(answerFor('responses', answer)).toMatchObject({ losses: [] })
    expect(answerFor('responses', answer).body['output']).toEqual([drawn])
    expect(lastOf(streamFrom('responses', eventsFor(answer)))['output']).toEqual([drawn])
  })
})

describe('what an upstream repeats of its request, and the time of its end', () => {
  it('[resp.res.echo:through] survive, whole and streamed', () => {
    const answer = answerOf([message])
    expect(answerFor('responses', answer)).toEqual({ body: answer, losses: [] })
    const events = streamFrom('responses', eventsFor(answer))
    expect(events[0]?.['response']).toMatchObject({ ...settings, completed_at: null, status: 'in_progress' })
    expect(lastOf(events)).toEqual(answer)
  })

  it('[resp.res.echo:through] survive where the request is not known', () => {
    const answer = answerOf([both, message])
    expect(translateResponse(responses, responses, answer)).toMatchObject({ body: answer, losses: [] })
    let text = ''
    const stream = translateStream(responses, responses, (piece) => (text += piece))
    const data = eventsFor(answer).map((event) => `data: ${JSON.stringify(event)}\n\n`)
    stream.push(new TextEncoder().encode(data.join('')))
    expect(lastOf(eventsOf(text))).toEqual(answer)
  })

  it('[resp.res.echo:through] survive a stream whose first events do not have them', () => {
    const answer = answerOf([message])
    const [, , ...others] = eventsFor(answer)
    const created = { type: 'response.created', response: { id: 'resp_1', created_at: 1_600_000_000, model: 'gpt' } }
    expect(lastOf(streamFrom('responses', [created, ...others]))).toEqual(answer)
  })

  it('[resp.res.echo:through] give way to what the client has requested, member by member', () => {
    const asked = {
      temperature: 0.7,
      tools: [{ type: 'custom', name: 'run' }],
      tool_choice: { type: 'custom', name: 'run' },
      reasoning: { effort: 'low' },
      text: { format: { type: 'json_object' } },
    }
    const expected = {
      ...settings,
      ...asked,
      reasoning: { effort: 'low', summary: 'detailed', context: 'auto' },
      text: { format: { type: 'json_object' }, verbosity: 'medium' },
    }
    const answer = answerOf([message])
    expect(answerFor('responses', answer, asked).body).toMatchObject(expected)
    expect(answerFor('responses', answer, asked).body['tool_choice']).toEqual(asked.tool_choice)
    expect(lastOf(streamFrom('responses', eventsFor(answer), asked))).toMatchObject(expected)
  })

  it.each(['chat', 'messages', 'genai'] as const)('are no loss of a client of %s', (to) => {
    const answer = answerOf([raw, message])
    const { service_tier: _tier, completed_at: _end, ...shorter } = answer
    const plain = Object.fromEntries(Object.entries(shorter).filter(([name]) => !(name in settings)))
    expect(answerFor(to, shorter)).toEqual(answerFor(to, plain))
    expect(JSON.stringify(answerFor(to, shorter).losses)).not.toMatch(/extras/)
    const events = eventsFor(answer)
    expect(eventsOf(streamFor(to, events))).not.toContainEqual(expect.objectContaining({ temperature: 0.3 }))
  })
})
