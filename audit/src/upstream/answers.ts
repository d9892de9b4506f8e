import type { Billed, Plan } from './plan.ts'

/** An answer in pieces: what is before the usage, and the piece with the usage. Whole answers have one piece in two halves. */
export interface Pieces {
  readonly type: 'application/json' | 'text/event-stream'
  /** Pieces without usage, at least two: an answer is broken off between them. */
  readonly words: readonly string[]
  /** What the first piece counts already. */
  readonly firstCounts?: Billed
  /** The last piece, which has the usage. */
  readonly usage: string
}

/** A protocol, as the upstream speaks it. */
export type Answers = (plan: Plan, model: string, isStream: boolean) => Pieces

const TEXT =
  'The harbour is quiet. The boats are in. The light on the pier turns slowly, and nobody is there to see it.'

export const ANSWERS_OF: Readonly<
  Record<'chat' | 'messages' | 'genai' | 'responses' | 'images' | 'predict' | 'video' | 'rerank', Answers>
> = {
  chat(plan, model, isStream) {
    const head = { id: 'chatcmpl-audit', created: 1_790_000_000, model }
    const usage = plan.rawUsage ?? {
      prompt_tokens: plan.bills.input,
      completion_tokens: plan.bills.output,
      total_tokens: plan.bills.input + plan.bills.output,
    }
    if (!isStream) {
      const message = { role: 'assistant', content: textOf(plan) }
      const choices = [{ index: 0, message, finish_reason: 'stop' }]
      return whole({ ...head, object: 'chat.completion', choices, usage, ...plan.more })
    }
    const chunk = (delta: object, finish_reason: string | null): string =>
      data({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }], ...plan.more })
    const last = data({ ...head, object: 'chat.completion.chunk', choices: [], usage, ...plan.more })
    const words = [
      chunk({ role: 'assistant', content: '' }, null),
      ...wordsOf(plan).map((word) => chunk({ content: word }, null)),
    ]
    return stream([...words, chunk({}, 'stop')], `${last}data: [DONE]\n\n`)
  },

  messages(plan, model, isStream) {
    const usage = plan.rawUsage ?? { input_tokens: plan.bills.input, output_tokens: plan.bills.output }
    const head = { id: 'msg_audit', type: 'message', role: 'assistant', model }
    if (!isStream) {
      const content = [{ type: 'text', text: textOf(plan) }]
      return whole({ ...head, content, stop_reason: 'end_turn', stop_sequence: null, usage, ...plan.more })
    }
    const message = {
      ...head,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: 1 },
    }
    const delta = (text: string): string =>
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })
    const pieces = stream(
      [
        event('message_start', { message }),
        event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
        ...wordsOf(plan).map(delta),
        event('content_block_stop', { index: 0 }),
      ],
      event('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage }) +
        event('message_stop', {}),
    )
    return { ...pieces, firstCounts: { input: plan.bills.input, output: 1 } }
  },

  genai(plan, model, isStream) {
    const usageMetadata = plan.rawUsage ?? {
      promptTokenCount: plan.bills.input,
      candidatesTokenCount: plan.bills.output,
      totalTokenCount: plan.bills.input + plan.bills.output,
    }
    const part = (text: string, more: object): object => ({
      candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, ...more }],
      modelVersion: model,
    })
    const end = { finishReason: 'STOP' }
    if (!isStream) return whole({ ...part(textOf(plan), end), usageMetadata, ...plan.more })
    return stream(
      wordsOf(plan).map((word) => data(part(word, {}))),
      data({ ...part('', end), usageMetadata, ...plan.more }),
    )
  },

  responses(plan, model, isStream) {
    const usage = plan.rawUsage ?? {
      input_tokens: plan.bills.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: plan.bills.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: plan.bills.input + plan.bills.output,
    }
    const base = { id: 'resp_audit', object: 'response', created_at: 1_790_000_000, model }
    const item = (status: string, content: readonly object[]): object => ({
      id: 'msg_audit',
      type: 'message',
      status,
      role: 'assistant',
      content,
    })
    const text = { type: 'output_text', text: textOf(plan), annotations: [] }
    const done = { ...base, status: 'completed', output: [item('completed', [text])], usage, ...plan.more }
    if (!isStream) return whole(done)
    let sequence_number = 0
    const next = (type: string, members: object): string =>
      event(type, { sequence_number: sequence_number++, ...members })
    const at = { item_id: 'msg_audit', output_index: 0, content_index: 0 }
    const begun = { ...base, status: 'in_progress', output: [], usage: null }
    return stream(
      [
        next('response.created', { response: begun }),
        next('response.output_item.added', { output_index: 0, item: item('in_progress', []) }),
        next('response.content_part.added', { ...at, part: { ...text, text: '' } }),
        ...wordsOf(plan).map((delta) => next('response.output_text.delta', { ...at, delta })),
        next('response.output_text.done', { ...at, text: textOf(plan) }),
        next('response.content_part.done', { ...at, part: text }),
        next('response.output_item.done', { output_index: 0, item: item('completed', [text]) }),
      ],
      next('response.completed', { response: done }),
    )
  },

  images(plan) {
    const usage = plan.rawUsage ?? {
      input_tokens: plan.bills.input,
      output_tokens: plan.bills.output,
      total_tokens: plan.bills.input + plan.bills.output,
    }
    return whole({ created: 1_790_000_000, data: [{ b64_json: IMAGE }], usage, ...plan.more })
  },

  predict: (plan) => whole({ predictions: [{ bytesBase64Encoded: IMAGE, mimeType: 'image/png' }], ...plan.more }),

  rerank(plan, model) {
    const usage = plan.rawUsage ?? { prompt_tokens: plan.bills.input, total_tokens: plan.bills.input }
    return whole({ id: 'rerank-audit', model, results: [{ index: 0, relevance_score: 0.5 }], usage, ...plan.more })
  },

  video: (plan, model) => whole({ name: `models/${model}/operations/audit`, ...plan.more }),
}

/** A transparent pixel. */
const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

function textOf({ text = TEXT }: Plan): string {
  return text
}

function wordsOf(plan: Plan): readonly string[] {
  return textOf(plan).match(/\S+\s*/g) ?? []
}

/** A value of a body that is written as this text: numbers that JavaScript does not have, for example. */
export function literal(text: string): string {
  return `\u0001${text}\u0002`
}

function write(body: object): string {
  return JSON.stringify(body).replaceAll(/"\\u0001(.*?)\\u0002"/g, (_, text: string) => text.replaceAll('\\"', '"'))
}

function whole(body: object): Pieces {
  const text = write(body)
  const half = Math.floor(text.length / 2)
  return {
    type: 'application/json',
    words: [text.slice(0, half / 2), text.slice(half / 2, half)],
    usage: text.slice(half),
  }
}

function stream(words: readonly string[], usage: string): Pieces {
  return { type: 'text/event-stream', words, usage }
}

function data(body: object): string {
  return `data: ${write(body)}\n\n`
}

function event(type: string, members: object): string {
  return `event: ${type}\n${data({ type, ...members })}`
}
