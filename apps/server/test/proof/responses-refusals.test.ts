import { createOpenAI as createVercel } from '@ai-sdk/openai'
import { Agent, OpenAIProvider, Runner } from '@openai/agents'
import { generateText, streamText } from 'ai'
import { describe, expect, it } from 'vitest'
import { createOpenAI } from '../clients/openai.ts'
import { DELIVERIES, UPSTREAMS, useStage, type Upstream } from './stage.ts'

globalThis.AI_SDK_LOG_WARNINGS = false
const { server, double } = useStage()
const [CHAT, MESSAGES] = UPSTREAMS as readonly [Upstream, Upstream]
const WORDS = 'I will not do that.'
const OURS = 'The model refused to answer.'

/** A chat model refuses in words of its own; a messages model by how it stops, here without any words. */
const REFUSALS = [
  { upstream: CHAT, words: WORDS, play: playChat },
  { upstream: MESSAGES, words: OURS, play: () => double(MESSAGES).play({ parts: [], stop: 'refusal' }) },
]

function playChat(delivery: string): void {
  const head = { id: 'c1', created: 1, model: 'gpt-5.4' }
  const choice = { index: 0, finish_reason: 'stop' }
  const message = { role: 'assistant', content: null, refusal: WORDS }
  const chunks = [
    { choices: [{ index: 0, delta: message, finish_reason: null }] },
    { choices: [{ ...choice, delta: {} }] },
  ].map((chunk) => `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...chunk })}\n\n`)
  const whole = { ...head, object: 'chat.completion', choices: [{ ...choice, message }] }
  const raw = delivery === 'whole' ? JSON.stringify(whole) : `${chunks.join('')}data: [DONE]\n\n`
  const type = delivery === 'whole' ? 'application/json' : 'text/event-stream'
  double(CHAT).play({ status: 200, raw, headers: { 'content-type': type } })
}

describe.each(REFUSALS)('a refusal of a $upstream.protocol model', ({ upstream, words, play }) => {
  const at = () => ({ baseURL: `${server().url}/api/v1`, apiKey: server().key })

  it.each(DELIVERIES)('is a refusal for the official SDK, %s', async (delivery) => {
    play(delivery)
    const body = { model: upstream.model, input: 'Do it.', store: false }
    const { responses } = createOpenAI(server())
    const answer = delivery === 'whole' ? await responses.create(body) : await responses.stream(body).finalResponse()
    expect(answer).toMatchObject({ status: 'completed', output: [{ content: [{ type: 'refusal', refusal: words }] }] })
  })

  it.each(DELIVERIES)('is filtered content for the AI SDK, with its words once, %s', async (delivery) => {
    play(delivery)
    const params = { model: createVercel(at())(upstream.model), prompt: 'Do it.', maxRetries: 0 }
    const result = delivery === 'whole' ? await generateText(params) : streamText(params)
    expect(await result.text).toBe(words)
    expect(await result.finishReason).toBe('content-filter')
  })

  it.each(DELIVERIES)('is an error with its words for the Agents SDK, %s', async (delivery) => {
    play(delivery)
    const modelProvider = new OpenAIProvider({ ...at(), useResponses: true })
    const runner = new Runner({ modelProvider, tracingDisabled: true })
    const agent = new Agent({ name: 'Refused', model: upstream.model })
    const run = async () => {
      if (delivery === 'whole') return runner.run(agent, 'Do it.')
      const result = await runner.run(agent, 'Do it.', { stream: true })
      return result.completed
    }
    await expect(run()).rejects.toThrow(words)
  })

  it.each([
    ['a refusal for other clients', {}, { type: 'refusal', refusal: words }],
    ['a text for codex', { client_metadata: { 'x-codex-window-id': 'w' } }, { type: 'output_text', text: words }],
  ])('is in an item that is done what it is in the whole response: %s', async (_title, members, part) => {
    play('streamed')
    const body = { model: upstream.model, input: 'Do it.', store: false, ...members }
    const stream = createOpenAI(server()).responses.stream(body)
    const done: object[] = []
    for await (const event of stream) if (event.type === 'response.output_item.done') done.push(event.item)
    expect(done).toMatchObject([{ type: 'message', content: [part] }])
    const { output } = await stream.finalResponse()
    expect(output).toMatchObject(done)
  })
})
