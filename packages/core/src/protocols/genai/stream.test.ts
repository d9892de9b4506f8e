import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../../../test/untyped.ts'
import { DragomanError } from '../../ir/error.ts'
import { createLosses } from '../../ir/loss.ts'
import type { StreamEvent } from '../../ir/stream.ts'
import type { JsonObject } from '../../lib/json.ts'
import { translate, type TranslateOptions } from '../translate.ts'

const contents = [{ parts: [{ text: 'hello' }] }]
const hello = { role: 'user', content: 'hello' }
const utf8 = new TextEncoder()

const frame = (chunk: JsonObject) => `data: ${JSON.stringify(chunk)}\r\n\r\n`
const chunk = (...parts: JsonObject[]): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, index: 0 }],
})
const ended = (finishReason = 'STOP', more: JsonObject = {}): JsonObject => ({
  candidates: [{ finishReason, index: 0 }],
  ...more,
})

function events(...chunks: JsonObject[]): StreamEvent[] {
  const found: StreamEvent[] = []
  const machine = genai.stream.decode((event) => found.push(event), { issuer: genai.issuer })
  for (const chunk of chunks) machine.push(JSON.stringify(chunk))
  machine.end()
  return found
}
/** A short view: block kinds, deltas and patches in order. */
const shape = (list: readonly StreamEvent[]) =>
  list.flatMap((event) =>
    event.type === 'block-start'
      ? [event.part.type]
      : event.type === 'block-delta'
        ? [event.text]
        : event.type === 'block-patch'
          ? ['+']
          : event.type === 'block-end'
            ? ['|']
            : [],
  )

function stream(
  from: typeof chat,
  body: JsonObject,
  frames: readonly string[],
  options: TranslateOptions = {},
): string {
  let text = ''
  const answer = translate(from, genai, body, { id: () => 'x', now: 5, ...options }).answerStream(
    (piece) => (text += piece),
  )
  for (const each of frames) answer.push(utf8.encode(each))
  answer.end()
  return text
}

describe('a genai stream, read', () => {
  it('keeps log probabilities, their average and the ids of tokens [genai.stream.last:through]', () => {
    const scored = (avgLogprobs: number, ...chosenCandidates: JsonObject[]): JsonObject => ({
      candidates: [
        { content: { role: 'model', parts: [] }, avgLogprobs, logprobsResult: { chosenCandidates }, index: 0 },
      ],
    })
    const one = { token: 'a', tokenId: 7, logProbability: -0.5 }
    const other = { token: 'b', tokenId: 8, logProbability: -0.25 }
    const frames = [chunk({ text: 'ab' }), scored(-0.5, one), scored(-0.375, other), ended()].map(frame)
    const [, first, second] = stream(genai, { contents }, frames)
      .split('\n\n')
      .map((line) => (line === '' ? {} : (JSON.parse(line.slice(6)) as JsonObject)))
    expect(first).toMatchObject({ candidates: [{ logprobsResult: { chosenCandidates: [one] }, avgLogprobs: -0.5 }] })
    expect(second).toMatchObject({
      candidates: [{ logprobsResult: { chosenCandidates: [other] }, avgLogprobs: -0.375 }],
    })
    const translation = translate(chat, genai, { model: 'm', messages: [hello] })
    const answer = translation.answerStream(() => {})
    for (const each of frames) answer.push(utf8.encode(each))
    answer.end()
    expect(answer.losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)).toEqual(
      expect.arrayContaining([
        'dropped candidates.0.logprobs.average',
        'dropped candidates.0.logprobs.tokens.0.extras.genai.tokenId',
        'dropped candidates.0.logprobs.tokens.1.extras.genai.tokenId',
      ]),
    )
  })

  it('has blocks although the wire has none: a text continues until another kind comes [genai.part.thought:through]', () => {
    const list = events(
      chunk({ text: 'h', thought: true }),
      chunk({ text: 'm', thought: true }),
      chunk({ text: 'ye' }),
      chunk({ text: 's' }),
      chunk({ functionCall: { name: 'f', args: { a: 1 } } }),
      ended(),
    )
    expect(shape(list)).toEqual(['reasoning', 'h', 'm', '|', 'text', 'ye', 's', '|', 'tool-call', '|'])
    expect(list.at(-1)).toEqual({ type: 'end', candidate: { finish: { reason: 'tool-calls' } } })
  })

  it('reads the signature of an empty piece as that of the text before it, and begins another text after it', () => {
    const list = events(
      chunk({ text: 'a' }),
      chunk({ text: '', thoughtSignature: 'c2ln' }),
      chunk({ text: 'b' }),
      ended(),
    )
    expect(shape(list)).toEqual(['text', 'a', '+', '|', 'text', 'b', '|'])
    expect(list.find((event) => event.type === 'block-patch')).toMatchObject({
      seal: { issuer: 'google', value: 'c2ln' },
    })
  })

  it('collects arguments that come in pieces by their paths [genai.part.functionCall:through]', () => {
    const piece = (...partialArgs: JsonObject[]) => chunk({ functionCall: { partialArgs, willContinue: true } })
    const list = events(
      chunk({ functionCall: { id: 'c1', name: 'f', willContinue: true }, thoughtSignature: 'c2ln' }),
      piece({ jsonPath: '$.place', stringValue: 'New ', willContinue: true }),
      piece({ jsonPath: '$.place', stringValue: 'York' }, { jsonPath: '$.list[0].n', numberValue: 0 }),
      piece(
        { jsonPath: "$.list[1]['a b']", boolValue: false },
        { jsonPath: '$.none', nullValue: 'NULL_VALUE' },
        { jsonPath: '$.__proto__.x', stringValue: 'y' },
      ),
      chunk({ functionCall: {} }),
      ended(),
    )
    const start = list.find((event) => event.type === 'block-start')
    const args: unknown = JSON.parse(
      '{"place":"New York","list":[{"n":0},{"a b":false}],"none":null,"__proto__":{"x":"y"}}',
    )
    expect(start?.part).toEqual({
      type: 'tool-call',
      id: 'c1',
      name: 'f',
      arguments: args,
      by: 'client',
      seal: { issuer: 'google', value: 'c2ln' },
    })
    expect(({} as { x?: string }).x).toBeUndefined()
  })

  it('keeps an unfinished call at the end, and two calls without an end between them', () => {
    const list = events(
      chunk({ functionCall: { name: 'f', willContinue: true } }),
      chunk({ functionCall: { name: 'g', willContinue: true } }),
      ended('MAX_TOKENS'),
    )
    expect(list.filter((event) => event.type === 'block-start').map(({ part }) => part)).toMatchObject([
      { name: 'f', arguments: {} },
      { name: 'g' },
    ])
    expect(list.at(-1)).toMatchObject({ candidate: { finish: { reason: 'length' } } })
  })

  it('ends after the last chunk, wherever the reason was, with the last counts [genai.res.usage:through] (traps 15, 16 and 18)', () => {
    const counted = (promptTokenCount: number, candidatesTokenCount: number) => ({
      usageMetadata: { promptTokenCount, candidatesTokenCount },
    })
    const list = events(
      { ...chunk({ text: 'a' }), ...counted(90, 1) },
      ended('STOP', counted(10, 2)),
      chunk({ functionCall: { name: 'f' } }),
      counted(10, 5),
    )
    expect(list.at(-1)).toEqual({
      type: 'end',
      candidate: { finish: { reason: 'tool-calls' } },
      usage: { input: 10, output: 5 },
    })
  })

  it('assigns every citation to its text, in characters [genai.res.citations:through] (trap 27)', () => {
    const cited = (chunk: JsonObject, ...citations: JsonObject[]) => ({
      candidates: [{ ...(chunk['candidates'] as JsonObject[])[0], citationMetadata: { citations } }],
    })
    const first = { endIndex: 3, uri: 'a' }
    const early = { startIndex: 3, endIndex: 8, uri: 'b' }
    const list = events(
      cited(chunk({ text: '日' }), first, early),
      cited(chunk({ text: 'after' }), first),
      chunk({ functionCall: { name: 'f' } }),
      cited(chunk({ text: 'x' }), { startIndex: 8, endIndex: 9, uri: 'c' }),
      cited(ended(), { startIndex: 1, endIndex: 2, uri: 'lost' }),
    )
    const ranges = list.flatMap((event) =>
      event.type === 'block-patch' && event.citation !== undefined ? [event.citation.range] : [],
    )
    expect(ranges).toEqual([
      [0, 1],
      [1, 6],
      [0, 1],
    ])
    expect(list.at(-1)).toMatchObject({
      candidate: { extras: { genai: { citationMetadata: { citations: [{ uri: 'lost' }] } } } },
    })
  })

  it('reports a blocked prompt as blocked [genai.res.promptFeedback:through]', () => {
    expect(events({ promptFeedback: { blockReason: 'OTHER' } })).toEqual([
      { type: 'start', response: {} },
      { type: 'end', candidate: { finish: { reason: 'content-filter' } }, blocked: { reason: 'OTHER' } },
    ])
  })

  it('ends as an error if the upstream sends one, stops early or sends invalid data (trap 30)', () => {
    const kinds = [
      events(chunk({ text: 'a' }), { error: { code: 429, message: 'slow down', status: 'RESOURCE_EXHAUSTED' } }),
      events(chunk({ text: 'a' })),
      events([] as unknown as JsonObject),
    ].map((list) => list.at(-1))
    expect(kinds).toMatchObject([
      { type: 'error', error: { kind: 'rate-limit', message: 'slow down', code: 'RESOURCE_EXHAUSTED' } },
      { type: 'error', error: { kind: 'interrupted' } },
      { type: 'error', error: { kind: 'upstream' } },
    ])
  })

  it('reaches clients of the other protocols in their own form', () => {
    const frames = [
      frame({ ...chunk({ text: 'hm', thought: true }), responseId: 'r', modelVersion: 'g' }),
      frame(chunk({ text: 'yes' })),
      frame(chunk({ functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'c2ln' })),
      frame(ended('STOP', { usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4, thoughtsTokenCount: 2 } })),
    ]
    const inChat = stream(
      chat,
      { model: 'm', messages: [hello], stream: true, stream_options: { include_usage: true } },
      frames,
    )
    expect(inChat).toContain('"reasoning":"hm"')
    expect(inChat).toContain('"content":"yes"')
    expect(inChat).toContain('"finish_reason":"tool_calls"')
    expect(inChat).toContain('"completion_tokens":6')
    const inMessages = stream(messages, { model: 'm', max_tokens: 9, messages: [hello], stream: true }, frames)
    for (const piece of [
      '"thinking_delta","thinking":"hm"',
      '"text_delta","text":"yes"',
      '"type":"tool_use"',
      '"stop_reason":"tool_use"',
      '"output_tokens":6',
    ]) {
      expect(inMessages).toContain(piece)
    }
  })
})

describe('a genai stream, written', () => {
  const answer = [
    'data: {"id":"c1","created":5,"model":"up","choices":[{"index":0,"delta":{"role":"assistant","content":"He"},"finish_reason":null}]}\n\n',
    'data: {"id":"c1","created":5,"model":"up","choices":[{"index":0,"delta":{"content":"llo"},"finish_reason":null}]}\n\n',
    'data: {"id":"c1","created":5,"model":"up","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t1","type":"function","function":{"name":"f","arguments":"{\\"a\\""}}]},"finish_reason":null}]}\n\n',
    'data: {"id":"c1","created":5,"model":"up","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]},"finish_reason":"tool_calls"}]}\n\n',
    'data: {"id":"c1","created":5,"model":"up","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}\n\n',
    'data: [DONE]\n\n',
  ]
  function write(framing: string | undefined, frames: readonly string[] = answer): string {
    let text = ''
    const match = { stream: true, framing }
    const machine = translate(genai, chat, { contents }, { model: 'm', match }).answerStream((piece) => (text += piece))
    for (const each of frames) machine.push(utf8.encode(each))
    machine.end()
    return text
  }
  const head = { modelVersion: 'up', createTime: '1970-01-01T00:00:05Z', responseId: 'c1' }
  const chunks = [
    { ...chunk({ text: 'He' }), ...head },
    { ...chunk({ text: 'llo' }), ...head },
    {
      candidates: [
        {
          content: { role: 'model', parts: [{ functionCall: { id: 't1', name: 'f', args: { a: 1 } } }] },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4, totalTokenCount: 7 },
      ...head,
    },
  ]

  it('has only data lines: no event line, no [DONE], the reason in the last chunk [genai.stream.last:through] (trap 31)', () => {
    const text = write(undefined)
    expect(text).not.toMatch(/event:|\[DONE\]/)
    expect(text.endsWith('\n\n')).toBe(true)
    const read = text
      .trimEnd()
      .split('\n\n')
      .map((line) => JSON.parse(line.slice(6)) as unknown)
    expect(read).toEqual(chunks)
  })

  it('has a part in every chunk, or the official client keeps no history of it', () => {
    const read = JSON.parse(write('array')) as { candidates: { content: { parts: unknown[] } }[] }[]
    for (const { candidates } of read) expect(candidates[0]?.content.parts).toHaveLength(1)
  })

  it('is one JSON array if events are not requested, with white space as a keep-alive', () => {
    const text = write('array')
    expect(JSON.parse(text)).toEqual(chunks)
    expect(genai.stream.keepAlive('array').trim()).toBe('')
    expect(genai.stream.contentType('array')).toContain('application/json')
    expect(genai.stream.contentType(undefined)).toContain('text/event-stream')
  })

  it('has an empty frame as a keep-alive between events: the Go client accepts nothing else (trap 66)', () => {
    expect(genai.stream.keepAlive(undefined)).toBe('\n\n')
  })

  it('ends with an error that the official client raises, with the same framing (trap 30)', () => {
    const error = { error: { code: 502, message: expect.any(String) as string, status: 'UNAVAILABLE' } }
    const last = write(undefined, answer.slice(0, 2)).trimEnd().split('\n\n').at(-1) ?? ''
    expect(JSON.parse(last.slice(6))).toEqual(error)
    expect(JSON.parse(write('array', answer.slice(0, 2)))).toEqual([chunks[0], chunks[1], error])
    expect(JSON.parse(write('array', []))).toEqual([error])
  })

  it('has a finish message if the upstream sent one [genai.stream.last:through]', () => {
    let text = ''
    const machine = translate(genai, genai, { contents }).answerStream((piece) => (text += piece))
    machine.push(
      utf8.encode(
        frame(chunk({ text: 'a' })) +
          frame({ candidates: [{ finishReason: 'FINISH_REASON_SAFETY', finishMessage: 'because' }] }),
      ),
    )
    machine.end()
    expect(text).toContain('"finishReason":"SAFETY","finishMessage":"because"')
  })

  it('sends the signature of a text in an empty piece after it, and nothing after an error', () => {
    const written: string[] = []
    const context = { issuer: 'google', losses: createLosses(), toward: 'client', id: () => 'x', now: 5 } as const
    const machine = genai.stream.encode((piece) => written.push(piece), context)
    machine.push({ type: 'start', response: {} })
    machine.push({ type: 'block-start', part: { type: 'text', text: '', seal: { issuer: 'google', value: 'c2ln' } } })
    machine.push({ type: 'block-delta', text: 'a' })
    machine.push({ type: 'block-end' })
    machine.push({ type: 'error', error: new DragomanError('timeout', 'late') })
    machine.push({ type: 'block-delta', text: 'nothing after the end' })
    expect(written).toEqual([
      'data: {"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]},"index":0}],"createTime":"1970-01-01T00:00:05Z","responseId":"x"}\n\n',
      'data: {"candidates":[{"content":{"role":"model","parts":[{"text":"","thoughtSignature":"c2ln"}]},"index":0}],"createTime":"1970-01-01T00:00:05Z","responseId":"x"}\n\n',
      'data: {"error":{"code":504,"message":"late","status":"DEADLINE_EXCEEDED"}}\n\n',
      '',
    ])
  })
})
