import type Anthropic from '@anthropic-ai/sdk'
import { translate, translateResponse, vendor, type Protocol } from '@dragoman/core'
import { chat, genai, messages, protocols } from '@dragoman/core/protocols'
import type { Content, GenerateContentResponse, GenerationConfig, Tool } from '@google/genai'
import type OpenAI from 'openai'
import { describe, expect, expectTypeOf, it } from 'vitest'

// The compiler checks most of what is here: `tsc` fails where a line that must be an error is not one.
const question = { role: 'user', content: 'Why is the sky blue?' } as const
const match = { model: 'some-model' }

describe('the body that goes in', () => {
  it('is that of its protocol', () => {
    // @ts-expect-error messages needs max_tokens
    expect(() => translate(messages, chat, { model: 'm', messages: [question] })).not.toThrow()
    // @ts-expect-error a number
    expect(() => translate(chat, genai, { model: 'm', messages: [question], temperature: 'high' })).not.toThrow()
  })

  it('has no unknown members in a literal, at any depth', () => {
    // @ts-expect-error misspelled
    translate(chat, messages, { model: 'm', messages: [question], temprature: 1 })
    // @ts-expect-error not a member of a message
    translate(chat, messages, { model: 'm', messages: [{ role: 'user', content: 'Hi', mood: 'curious' }] })
    // @ts-expect-error not a member of a part
    translate(genai, messages, { contents: [{ role: 'user', parts: [{ text: 'Hi', mood: 'curious' }] }] }, { match })
    const mark = { type: 'ephemeral' as const, breadth: 'wide' }
    const text = { type: 'text' as const, text: 'Hi', cache_control: mark }
    expect(
      translate(messages, chat, { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: [text] }] }).losses,
    ).not.toEqual([])
  })

  it('takes members of a vendor through vendor()', () => {
    const body = vendor({ model: 'm', messages: [vendor(question, { mood: 'curious' })] }, { top_k: 3 })
    expect(translate(chat, chat, body).body).toMatchObject({ top_k: 3, messages: [{ mood: 'curious' }] })
    const losses = translate(chat, messages, { model: 'm', messages: [vendor(question, { mood: 'curious' })] }).losses
    expect(losses.map(({ wirePath }) => wirePath)).toContain('messages[0].mood')
  })

  it('may be in the types of the SDKs', () => {
    const completion: OpenAI.ChatCompletionCreateParams = { model: 'm', messages: [question] }
    const streamed: OpenAI.ChatCompletionCreateParamsStreaming = { ...completion, stream: true }
    expect(translate(chat, messages, completion).stream).toBe(false)
    expect(translate(chat, messages, streamed).stream).toBe(true)
    const message: Anthropic.MessageCreateParams = { model: 'm', max_tokens: 9, messages: [question] }
    expect(translate(messages, genai, message).body.contents).toHaveLength(1)
    const contents: Content[] = [{ role: 'user', parts: [{ text: 'Hi' }] }]
    const generationConfig: GenerationConfig = { temperature: 0.5 }
    const tools: Tool[] = [{ googleSearch: {} }]
    expect(translate(genai, chat, { contents, generationConfig, tools }, { match }).body.temperature).toBe(0.5)
  })

  it('may be any object where the protocol is not known', () => {
    const [first, second] = protocols as [Protocol, Protocol]
    const unknown: object = { model: 'm', messages: [question] }
    expect(translate(first, second, unknown).body['model']).toBe('m')
  })

  it('may come from check', () => {
    const body: unknown = { model: 'm', messages: [question] }
    expect(translate(chat, messages, chat.request.check(body)).body.max_tokens).toBe(8192)
  })
})

describe('the body that comes out', () => {
  it('is that of its protocol', () => {
    const translation = translate(chat, messages, { model: 'm', messages: [question] })
    expectTypeOf(translation.body.max_tokens).toEqualTypeOf<number>()
    const answer = translation.response({
      id: 'msg_1',
      content: [{ type: 'text', text: 'Because.' }],
      stop_reason: 'end_turn',
    })
    expectTypeOf(answer.body.choices?.[0]?.message?.content).not.toBeAny()
    expect(answer.body.choices?.[0]?.message?.content).toBe('Because.')
  })

  it('takes answers in the types of the SDKs', () => {
    const completion = { choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' } }] } as unknown
    const body = translateResponse(messages, chat, completion as OpenAI.ChatCompletion).body
    expect(body.content).toEqual([{ type: 'text', text: 'Hi' }])
    const message = { content: [{ type: 'text', text: 'Hi' }] } as unknown
    expect(translateResponse(chat, messages, message as Anthropic.Message).body.object).toBe('chat.completion')
    const generated = { candidates: [{ content: { parts: [{ text: 'Hi' }] } }] } as unknown
    expect(translateResponse(chat, genai, generated as GenerateContentResponse).body.object).toBe('chat.completion')
  })
})
