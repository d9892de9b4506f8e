import { describe, expect, it } from 'vitest'
import { answerFor, answerFrom, eventsOf, streamFor, streamFrom } from '../../../test/answer-responses.ts'
import type { JsonObject } from '../../lib/json.ts'

const text = { type: 'output_text', text: 'said', annotations: [], logprobs: [] }
const message = { type: 'message', id: 'msg_1', status: 'completed', role: 'assistant', content: [text] }
const usage = {
  input_tokens: 30,
  input_tokens_details: { cached_tokens: 10, cache_write_tokens: 5 },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 4 },
  total_tokens: 39,
}
const head = { id: 'resp_1', object: 'response', created_at: 1_600_000_000, model: 'gpt' }
const ends = { status: 'completed', error: null, incomplete_details: null }
const of = (members: JsonObject = {}): JsonObject => ({ ...head, ...ends, output: [message], usage, ...members })

const chatAnswer = (members: JsonObject = {}, finish_reason = 'stop', more: JsonObject = {}): JsonObject => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_600_000_000,
  model: 'gpt',
  choices: [{ index: 0, message: { role: 'assistant', content: 'said', ...members }, finish_reason, ...more }],
})
const OTHERS = ['chat', 'messages', 'genai'] as const
const choices = (...members: JsonObject[]): JsonObject => ({ choices: members })

describe('an answer', () => {
  it('[resp.res:through] has its members, and no output_text, which the SDK makes', () => {
    const { body } = answerFrom('chat', chatAnswer())
    expect(body).toMatchObject({ ...head, ...ends, id: 'chatcmpl-1' })
    expect(body['output']).toMatchObject([{ type: 'message', role: 'assistant', status: 'completed', content: [text] }])
    expect(body).not.toHaveProperty('output_text')
  })

  it('[resp.res:through] without an id, a time or a model gets them', () => {
    const { body, losses } = answerFrom('genai', {
      candidates: [{ content: { role: 'model', parts: [{ text: 'said' }] }, finishReason: 'STOP' }],
    })
    expect(body).toMatchObject({ id: 'resp_made', created_at: 1_700_000_000, model: 'm' })
    expect(losses).toEqual(expect.arrayContaining(['added id', 'added created']))
  })

  it('[resp.res:through] of an upstream has its members in every protocol', () => {
    expect(answerFor('responses', of()).body).toMatchObject(of())
    expect(answerFor('chat', of()).body).toMatchObject({
      id: 'resp_1',
      created: 1_600_000_000,
      model: 'gpt',
      choices: [{ message: { content: 'said' } }],
    })
    expect(answerFor('messages', of()).body).toMatchObject({ id: 'resp_1', model: 'gpt', content: [{ text: 'said' }] })
    expect(answerFor('genai', of()).body).toMatchObject({
      responseId: 'resp_1',
      createTime: '2020-09-13T12:26:40Z',
      modelVersion: 'gpt',
      candidates: [{ content: { parts: [{ text: 'said' }] } }],
    })
  })

  it('[resp.service_tier:through] has the tier that it was served in, whole and streamed, and not the one that was asked for', () => {
    const flex = { service_tier: 'flex' }
    expect(answerFor('chat', of(flex)).body).toMatchObject(flex)
    expect(answerFrom('chat', { ...chatAnswer(), ...flex }).body).toMatchObject(flex)
    expect(answerFrom('chat', chatAnswer(), flex).body).toMatchObject({ service_tier: 'auto' })
    for (const to of ['messages', 'genai'] as const)
      expect(answerFor(to, of(flex)).losses).toContain('dropped serviceTier')
    expect(answerFor('messages', of({ service_tier: 'auto' })).losses).not.toContain('dropped serviceTier')
    const chunk = { ...chatAnswer(), choices: [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop' }] }
    const last = streamFrom('chat', [{ ...chunk, ...flex }]).at(-1)
    expect(last).toMatchObject({ type: 'response.completed', response: flex })
    const completed = { type: 'response.completed', response: of(flex) }
    expect(eventsOf(streamFor('chat', [{ type: 'response.created', response: of(flex) }, completed]))).toContainEqual(
      expect.objectContaining(flex),
    )
  })

  it('[resp.res.echo:through] repeats its request, and has what the official types and Open Responses require', () => {
    const tools = [{ type: 'function', name: 'f', parameters: null, strict: null }]
    const asked = { tools, tool_choice: 'none', temperature: 0.5, instructions: 'Be brief.', metadata: { a: 'b' } }
    expect(answerFrom('messages', MESSAGES, { ...asked, store: true }).body).toMatchObject({ ...asked, store: false })
    expect(answerFrom('messages', MESSAGES).body).toMatchObject({
      background: false,
      completed_at: null,
      frequency_penalty: 0,
      instructions: null,
      max_output_tokens: null,
      max_tool_calls: null,
      metadata: {},
      parallel_tool_calls: true,
      presence_penalty: 0,
      previous_response_id: null,
      prompt_cache_key: null,
      reasoning: { effort: null, summary: null },
      safety_identifier: null,
      service_tier: 'auto',
      store: false,
      temperature: 1,
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: [],
      top_logprobs: 0,
      top_p: 1,
      truncation: 'disabled',
    })
  })

  it('[resp.res.echo:through] completes what the request left out of a tool, a format and the reasoning', () => {
    const search = { type: 'web_search' }
    const schema = { type: 'object' }
    const asked = {
      tools: [{ type: 'function', name: 'f', strict: true }, search],
      reasoning: { effort: 'low' },
      text: { verbosity: 'low' },
    }
    expect(answerFrom('messages', MESSAGES, asked).body).toMatchObject({
      tools: [{ type: 'function', name: 'f', description: null, parameters: null, strict: true }, search],
      reasoning: { effort: 'low', summary: null },
      text: { format: { type: 'text' }, verbosity: 'low' },
    })
    const format = { type: 'json_schema', name: 'answer', schema }
    expect(answerFrom('messages', MESSAGES, { text: { format } }).body['text']).toEqual({
      format: { ...format, description: null, strict: false },
    })
    const strict = { ...format, description: 'An answer.', strict: true }
    expect(answerFrom('messages', MESSAGES, { text: { format: strict } }).body['text']).toEqual({ format: strict })
  })

  it.each(['completed', 'in_progress', 'queued', 'cancelled'])('[resp.res.status:through] %s is kept', (status) => {
    expect(answerFor('responses', of({ status })).body['status']).toBe(status)
    expect(answerFor('genai', of({ status })).body).toMatchObject({
      candidates: [{ finishReason: status === 'completed' ? 'STOP' : 'OTHER' }],
    })
  })

  it.each([
    ['max_output_tokens', 'length', 'max_tokens', 'MAX_TOKENS'],
    ['content_filter', 'content_filter', 'refusal', 'SAFETY'],
    ['max_messages', 'stop', 'end_turn', 'OTHER'],
    ['steered', 'stop', 'end_turn', 'OTHER'],
  ])(
    '[resp.res.incomplete:through] [resp.res.status:through] %s is %s, %s and %s',
    (reason, finish_reason, stop_reason, finishReason) => {
      const cut = of({ status: 'incomplete', incomplete_details: { reason } })
      expect(answerFor('responses', cut).body).toMatchObject({
        status: 'incomplete',
        incomplete_details: { reason },
        output: [{ status: 'incomplete' }],
      })
      expect(answerFor('chat', cut).body).toMatchObject(choices({ finish_reason }))
      expect(answerFor('messages', cut).body).toMatchObject({ stop_reason })
      expect(answerFor('genai', cut).body).toMatchObject({ candidates: [{ finishReason }] })
    },
  )

  it.each([
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ])('[resp.res.incomplete:through] of a chat upstream with %s is %s, and so is its last item', (finish, reason) => {
    const { body } = answerFrom('chat', chatAnswer({}, finish))
    expect(body).toMatchObject({ status: 'incomplete', incomplete_details: { reason } })
    expect(body['output']).toMatchObject([{ type: 'message', status: 'incomplete' }])
  })

  it('[resp.res.status:through] of an answer with calls is completed, and others end with calls', () => {
    const call = {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_1',
      name: 'f',
      arguments: '{}',
      status: 'completed',
    }
    expect(answerFor('chat', of({ output: [call] })).body).toMatchObject(choices({ finish_reason: 'tool_calls' }))
    expect(answerFor('messages', of({ output: [call] })).body).toMatchObject({ stop_reason: 'tool_use' })
  })

  it.each([
    ['rate_limit_exceeded', 'rate-limit'],
    ['insufficient_quota', 'budget'],
    ['server_is_overloaded', 'upstream-overloaded'],
    ['invalid_prompt', 'invalid-request'],
    ['context_length_exceeded', 'invalid-request'],
    ['server_error', 'upstream-error'],
    ['bio_policy', 'invalid-request'],
    ['cyber_policy', 'invalid-request'],
    ['usage_not_included', 'budget'],
  ])('[resp.res.error:through] of a failed response with %s is an error: %s', (code, kind) => {
    const failed = of({ status: 'failed', error: { code, message: 'It failed.' }, output: [] })
    for (const to of [...OTHERS, 'responses'] as const)
      expect(() => answerFor(to, failed)).toThrow(expect.objectContaining({ kind, message: 'It failed.' }))
  })

  it('[resp.res.tool_usage] is kept for Responses, and reported elsewhere', () => {
    const tool_usage = { web_search: { num_requests: 2 } }
    expect(answerFor('responses', of({ tool_usage })).body).toMatchObject({ tool_usage })
    for (const to of OTHERS)
      expect(answerFor(to, of({ tool_usage })).losses).toContain(
        'dropped extras.responses.tool_usage.web_search.num_requests',
      )
  })
})

const MESSAGES = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'c',
  content: [{ type: 'text', text: 'said' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 15, cache_read_input_tokens: 10, cache_creation_input_tokens: 5, output_tokens: 9 },
}

describe('usage', () => {
  it('[resp.res.usage:through] of other upstreams has all counts, with the cached ones included (trap 116)', () => {
    expect(answerFrom('messages', MESSAGES).body['usage']).toEqual({
      ...usage,
      output_tokens_details: { reasoning_tokens: 0 },
    })
    expect(answerFrom('chat', chatAnswer()).body['usage']).toBeNull()
  })

  it('[resp.res.usage:through] of an upstream is counted as every protocol counts (trap 105)', () => {
    expect(answerFor('responses', of()).body['usage']).toEqual(usage)
    expect(answerFor('chat', of()).body['usage']).toMatchObject({
      prompt_tokens: 30,
      completion_tokens: 9,
      total_tokens: 39,
      prompt_tokens_details: { cached_tokens: 10 },
      completion_tokens_details: { reasoning_tokens: 4 },
    })
    expect(answerFor('messages', of()).body['usage']).toMatchObject({
      input_tokens: 15,
      cache_read_input_tokens: 10,
      cache_creation_input_tokens: 5,
      output_tokens: 9,
    })
    expect(answerFor('genai', of()).body['usageMetadata']).toMatchObject({
      promptTokenCount: 30,
      cachedContentTokenCount: 10,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 4,
    })
  })

  it('[resp.res.usage:through] keeps the times to live of cache writes for Responses', () => {
    const details = { ...usage.input_tokens_details, cache_write_tokens_details: { ttl_30m_tokens: 5 } }
    const counted = { ...usage, input_tokens_details: details }
    expect(answerFor('responses', of({ usage: counted })).body['usage']).toEqual(counted)
  })
})

describe('log probabilities', () => {
  const token = { token: 'said', logprob: -0.5, bytes: [115], top_logprobs: [{ token: 'sad', logprob: -1, bytes: [] }] }
  const asked = { include: ['message.output_text.logprobs'], top_logprobs: 1 }

  it('[resp.res.logprobs] belong to their text here, and to the answer elsewhere', () => {
    const given = of({ output: [{ ...message, content: [{ ...text, logprobs: [token] }] }] })
    expect(answerFor('responses', given, asked).body['output']).toMatchObject([{ content: [{ logprobs: [token] }] }])
    expect(answerFor('chat', given, { logprobs: true }).body).toMatchObject(
      choices({ logprobs: { content: [{ token: 'said', logprob: -0.5, top_logprobs: [{ token: 'sad' }] }] } }),
    )
    expect(answerFor('messages', given).losses).toContain('dropped candidates.0.logprobs')
  })

  it('[resp.res.logprobs] of a chat upstream are those of the text', () => {
    const { body } = answerFrom('chat', chatAnswer({}, 'stop', { logprobs: { content: [token] } }), asked)
    expect(body['output']).toMatchObject([{ content: [{ text: 'said', logprobs: [token] }] }])
  })
})
