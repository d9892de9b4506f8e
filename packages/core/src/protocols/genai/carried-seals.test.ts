import { describe, expect, it } from 'vitest'
import { messagesStream, play } from '../../../test/streams.ts'
import { chat, genai, messages, responses } from '../../../test/untyped.ts'
import type { JsonObject } from '../../lib/json.ts'
import { translate, type Translation } from '../translate.ts'

type Parts = JsonObject[]
type Content = { role: string; parts: Parts }

const match = { model: 'm', stream: true }
const user = { role: 'user', parts: [{ text: 'hello' }] }
const tools = [{ functionDeclarations: [{ name: 'look', parameters: { type: 'OBJECT', properties: {} } }] }]
const config = { maxOutputTokens: 9000, thinkingConfig: { thinkingBudget: 2048, includeThoughts: true } }
const ask = (contents: JsonObject[]): Translation =>
  translate(genai, messages, { contents, tools, generationConfig: config }, { match })

const thinking = (text: string, signature: string) => ({ type: 'thinking', thinking: text, signature })
const use = (id: string) => ({ type: 'tool_use', id, name: 'look', input: { at: id } })
const say = (text: string) => ({ type: 'text', text })
const THOUGHT = thinking('Let me\u2028think 😀.', 'EqQB+first/==')
const HIDDEN = { type: 'redacted_thinking', data: 'EmwKAhgB' }
const ONE = [THOUGHT, use('toolu_1')]
const PARALLEL = [THOUGHT, say('I will look twice.'), use('toolu_1'), use('toolu_2')]
const INTERLEAVED = [
  THOUGHT,
  HIDDEN,
  say('Let me look.'),
  use('toolu_1'),
  thinking('and then', 'EqQBsecond.with.dots'),
  thinking('and also', 'EqQBthird'),
  use('toolu_2'),
]
const OMITTED = [thinking('', 'EqQBomitted'), use('toolu_1')]
const turns = {
  'one call': ONE,
  'parallel calls': PARALLEL,
  'interleaved thinking': INTERLEAVED,
  'omitted text': OMITTED,
}

/** The turn as a client of the whole response has it, and the contents of a stream, one for each chunk. */
function wholeOf(content: readonly JsonObject[]): Content[] {
  const { body } = ask([user]).response({ content: [...content], stop_reason: 'tool_use' })
  return (body['candidates'] as { content: Content }[]).map((candidate) => candidate.content)
}

function streamed(content: readonly JsonObject[]): { content: Content; finishReason?: string }[] {
  const chunks = play(ask([user]), messagesStream(content))
  return chunks.map((chunk) => (chunk['candidates'] as { content: Content; finishReason?: string }[])[0]!)
}

const modes = {
  whole: wholeOf,
  streamed: (content: readonly JsonObject[]) => streamed(content).map((candidate) => candidate.content),
}

/** Go leaves out empty strings, and its chat history drops a chunk whose only part has no text and no call. */
function goHistory(contents: readonly Content[]): Content[] {
  const kept = contents.filter(({ parts }) => parts.some((part) => part['text'] !== ''))
  return kept.map(({ role, parts }) => ({
    role,
    parts: parts.map(({ text, ...part }) => (text === '' || text === undefined ? part : { text, ...part })),
  }))
}

/** One thought, then one text, then the calls; signatures only on calls. */
function sortedHistory(contents: readonly Content[]): Content[] {
  const parts = contents.flatMap((content) => content.parts)
  const joined = (thought: boolean) =>
    parts.flatMap((part) =>
      (part['thought'] === true) === thought ? ((part['text'] as string | undefined) ?? '') : [],
    )
  const thoughts = joined(true).join('')
  const text = joined(false).join('')
  return [
    {
      role: 'model',
      parts: [
        ...(thoughts === '' ? [] : [{ text: thoughts, thought: true }]),
        ...(text === '' ? [] : [{ text }]),
        ...parts.filter((part) => part['functionCall'] !== undefined),
      ],
    },
  ]
}

/** Only the text and the calls, with their signatures. */
function callHistory(contents: readonly Content[]): Content[] {
  return contents
    .map(({ role, parts }) => ({
      role,
      parts: parts.filter((part) => part['thought'] !== true && part['text'] !== ''),
    }))
    .filter(({ parts }) => parts.length > 0)
}

function sentBack(contents: readonly JsonObject[], content: readonly JsonObject[]): Translation {
  const calls = content.filter((block) => block['type'] === 'tool_use')
  const results = calls.map(({ id }) => ({
    functionResponse: { id: id as string, name: 'look', response: { output: 'seen' } },
  }))
  const body = {
    contents: [user, ...contents, { role: 'user', parts: [...results, { text: 'go on' }] }],
    tools,
    generationConfig: config,
  }
  return translate(genai, messages, genai.request.check(JSON.parse(JSON.stringify(body))), { match })
}

const historyOf = ({ body }: Translation) => (body['messages'] as { content: JsonObject[] }[])[1]?.content
const reported = ({ losses }: Translation): string[] => losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)

describe.each(Object.entries(turns))('foreign seals before %s, through a genai client', (_name, content) => {
  describe.each(Object.entries(modes))('%s', (_mode, answer) => {
    it('are on the function calls and nowhere else (trap 68) [tr.signatures]', () => {
      const parts = answer(content).flatMap((each) => each.parts)
      const sealed = parts.filter((part) => part['thoughtSignature'] !== undefined)
      expect(sealed.length).toBeGreaterThan(0)
      expect(sealed.every((part) => part['functionCall'] !== undefined)).toBe(true)
    })

    it('return to their issuer block for block (trap 2) (trap 4) (trap 68) [tr.signatures]', () => {
      const next = sentBack(answer(content), content)
      expect(historyOf(next)).toEqual(content)
      expect(next.body['thinking']).toMatchObject({ type: 'enabled' })
      expect(reported(next).filter((loss) => loss.includes('messages.1'))).toEqual([])
    })

    it("return from Go's chat history (trap 68) (trap 69)", () => {
      expect(historyOf(sentBack(goHistory(answer(content)), content))).toEqual(content)
    })

    it('are not sent to another issuer, reported (trap 3)', () => {
      const contents = [user, ...answer(content)]
      const next = translate(genai, genai, { contents, tools }, { match })
      expect(JSON.stringify(next.body)).not.toContain('thoughtSignature')
      expect(JSON.stringify(next.body)).not.toContain('think 😀')
      expect(reported(next).every((loss) => loss.startsWith('dropped messages.1.parts.'))).toBe(true)
      expect(next.losses.every(({ wirePath }) => wirePath?.startsWith('contents['))).toBe(true)
    })

    it('keep their request from being relayed', () => {
      const body = { contents: [user, ...answer(content)] }
      expect(genai.relay.obstacle(body, {})).toMatch(/state of another model/)
    })
  })
})

describe.each(Object.entries(modes))(
  'foreign seals in the history of a client with an order of its own, %s',
  (_mode, answer) => {
    it('are joined to the reasoning, which comes first (trap 68)', () => {
      const next = sentBack(sortedHistory(answer(PARALLEL)), PARALLEL)
      expect(historyOf(next)).toEqual(PARALLEL)
      const between = thinking('and then', 'EqQBsecond')
      const mixed = [THOUGHT, say('Let me look.'), between, use('toolu_1')]
      expect(historyOf(sentBack(sortedHistory(answer(mixed)), mixed))).toEqual([
        THOUGHT,
        between,
        say('Let me look.'),
        use('toolu_1'),
      ])
    })

    it('are reasoning without text if the client sends only calls back, as Gemini CLI does (trap 68)', () => {
      const next = sentBack(callHistory(answer(PARALLEL)), PARALLEL)
      expect(historyOf(next)).toEqual([thinking('', THOUGHT.signature), ...PARALLEL.slice(1)])
      expect(next.body['thinking']).toMatchObject({ type: 'enabled' })
    })

    it('are dropped with reasoning whose text has changed (trap 2)', () => {
      const changed = JSON.parse(JSON.stringify(answer(ONE)).replace('😀', 'again')) as Content[]
      const next = sentBack(changed, ONE)
      expect(historyOf(next)).toEqual([use('toolu_1')])
      expect(reported(next)).toContain('dropped messages.1.parts.0')
    })

    it('are ignored if the client has damaged them', () => {
      const damaged = JSON.parse(
        JSON.stringify(answer(ONE), (key, value: unknown) =>
          key === 'thoughtSignature' && typeof value === 'string' ? `${value.slice(0, 20)}AA==` : value,
        ),
      ) as Content[]
      expect(historyOf(sentBack(damaged, ONE))).toEqual([use('toolu_1')])
    })
  },
)

describe('foreign seals without a call after them', () => {
  const spoken = [THOUGHT, say('Good day.')]

  it("are on the last text of a whole response, as Gemini's", () => {
    const parts = wholeOf(spoken).flatMap((content) => content.parts)
    expect(parts.map((part) => 'thoughtSignature' in part)).toEqual([false, true])
    expect(parts[1]).toMatchObject({ text: 'Good day.' })
    expect(historyOf(sentBack(wholeOf(spoken), spoken))).toEqual(spoken)
    expect(historyOf(sentBack(wholeOf([THOUGHT]), [THOUGHT]))).toEqual([THOUGHT])
  })

  it("are in a part of their own in the last chunk of a stream, as Gemini's", () => {
    const chunks = streamed(spoken)
    const sealed = chunks.filter(({ content }) => content.parts.some((part) => part['thoughtSignature'] !== undefined))
    expect(sealed).toEqual([chunks.at(-1)])
    expect(chunks.at(-1)).toMatchObject({ finishReason: 'STOP', content: { parts: [{ text: '' }] } })
    expect(historyOf(sentBack(modes.streamed(spoken), spoken))).toEqual(spoken)
  })
})

describe('the end of a stream with function calls', () => {
  it.each([
    ['one call', ONE, 1],
    ['parallel calls', PARALLEL, 2],
  ])('is in the chunk of the calls, with no text behind it: %s (trap 72)', (_name, content, count) => {
    const chunks = streamed(content)
    const last = chunks.at(-1)
    expect(last?.finishReason).toBe('STOP')
    expect(last?.content.parts).toHaveLength(count)
    expect(last?.content.parts.every((part) => part['functionCall'] !== undefined)).toBe(true)
    expect(chunks.filter(({ finishReason }) => finishReason !== undefined)).toHaveLength(1)
  })

  it('holds no text back: each piece leaves at once, and calls before it (trap 72)', () => {
    let out = ''
    const stream = ask([user]).answerStream((text) => (out += text))
    const events = messagesStream([use('toolu_1'), say('Now I wait.')]).split(/(?<=\n\n)/)
    const seen: string[] = []
    for (const event of events) {
      out = ''
      stream.push(new TextEncoder().encode(event))
      if (event.includes('text_delta')) seen.push(out)
    }
    expect(seen).toHaveLength(1)
    expect(seen[0]?.indexOf('functionCall')).toBeGreaterThan(0)
    expect(seen[0]?.indexOf('Now I wait.')).toBeGreaterThan(seen[0]?.indexOf('functionCall') ?? 0)
  })

  it('writes the calls before an error', () => {
    const [start = '', open = '', input = '', stop = ''] = messagesStream([use('toolu_1')]).split(/(?<=\n\n)/)
    let out = ''
    const stream = ask([user]).answerStream((text) => (out += text))
    for (const event of [start, open, input, stop]) stream.push(new TextEncoder().encode(event))
    stream.end()
    expect(out).toMatch(/functionCall[\s\S]*"error"/)
  })
})

describe('seals of Gemini itself', () => {
  it('stay where Gemini has put them', () => {
    const parts = [
      { text: 'hm', thought: true },
      { functionCall: { name: 'look', args: {} }, thoughtSignature: 'c2ln' },
    ]
    const answer = { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }] }
    const { body } = translate(genai, genai, { contents: [user] }, { match }).response(answer)
    expect(body['candidates']).toMatchObject(answer.candidates)
  })

  it('are dropped and reported if the text that they sign is gone, except those of Anthropic (trap 2)', () => {
    const details = [{ type: 'reasoning.text', text: 'hm', signature: 'sig.one', index: 0 }]
    const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
    const message = { role: 'assistant', content: null, tool_calls: [call], reasoning_details: details }
    const first = translate(genai, chat, { contents: [user], tools }, { match })
    const { body } = first.response({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] })
    const answered = (body['candidates'] as { content: Content }[]).map(({ content }) => content)
    const next = translate(genai, chat, { contents: [user, ...callHistory(answered)], tools }, { match })
    expect((next.body['messages'] as JsonObject[])[1]).not.toHaveProperty('reasoning_details')
    expect(JSON.stringify(next.body)).not.toContain('sig.one')
    expect(reported(next)).toContain('dropped messages.1.parts.0')
    for (const upstream of [messages, genai, responses])
      expect(
        reported(translate(genai, upstream, { contents: [user, ...callHistory(answered)], tools }, { match })),
      ).toContain('dropped messages.1.parts.0')
  })

  it('and those of another issuer are both kept on one call', () => {
    const details = [{ type: 'reasoning.text', text: 'hm', signature: 'sig.one', index: 0 }]
    const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
    const signed = { ...call, extra_content: { google: { thought_signature: 'c2ln' } } }
    const message = { role: 'assistant', content: null, tool_calls: [signed], reasoning_details: details }
    const first = translate(genai, chat, { contents: [user], tools }, { match })
    const { body } = first.response({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] })
    const contents = [user, ...(body['candidates'] as { content: Content }[]).map(({ content }) => content)]
    const back = (issuer: string) => translate(genai, chat, { contents, tools }, { match, issuer })
    const turnOf = ({ body: sent }: Translation) => (sent['messages'] as JsonObject[])[1]
    expect(turnOf(back('openai'))).toMatchObject({ tool_calls: [call], reasoning_details: details })
    expect(turnOf(back('google'))).toMatchObject({ tool_calls: [signed] })
  })
})
