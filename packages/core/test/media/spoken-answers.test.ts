import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../untyped.ts'
import { stringOf, type JsonObject } from '../../src/lib/json.ts'
import { translate, translateResponse, translateStream } from '../../src/protocols/translate.ts'

const WAV = 'UklGRiQAAABXQVZF'
const SAMPLES = 'audio/L16;codec=pcm;rate=24000'
const audio = { id: 'audio_1', data: WAV, expires_at: 1_800_000_000, transcript: 'Hi there!' }
const choices = (message: JsonObject) => ({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
const spoken = { role: 'assistant', content: null, audio }
const inline = (data: string, mimeType = SAMPLES) => ({ inlineData: { mimeType, data } })
const answerOf = (...parts: readonly JsonObject[]): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
})
const lossesOf = (losses: readonly { kind: string; path: readonly (string | number)[] }[]) =>
  losses.map(({ kind, path }) => `${kind} ${path.join('.')}`).filter((loss) => loss.includes('parts'))

describe('audio that a chat upstream answers with', () => {
  it('is inline data for genai, with the type that its bytes have', () => {
    const { body, losses } = translateResponse(genai, chat, choices(spoken))
    expect(body['candidates']).toMatchObject([{ content: { parts: [inline(WAV, 'audio/wav')] } }])
    expect(lossesOf(losses)).toContain('dropped candidates.0.parts.0.transcript')
  })

  it.each([
    ['SUQzBAAA', 'audio/mpeg'],
    ['//uQxAAA', 'audio/mpeg'],
    ['T2dnUwAC', 'audio/ogg'],
    ['ZkxhQwAA', 'audio/flac'],
    ['//FQgAAA', 'audio/aac'],
    ['CAAIAAkA', SAMPLES],
  ])('is read by its first bytes: %s is %s', (data, mime) => {
    const { body } = translateResponse(genai, chat, choices({ ...spoken, audio: { ...audio, data } }))
    expect(body['candidates']).toMatchObject([{ content: { parts: [inline(data, mime)] } }])
  })

  it('is its transcript for messages, reported', () => {
    const { body, losses } = translateResponse(messages, chat, choices(spoken))
    expect(body['content']).toEqual([{ type: 'text', text: 'Hi there!' }])
    expect(lossesOf(losses)).toContain('changed candidates.0.parts.0')
  })

  it('is what it was for chat', () => {
    const { body, losses } = translateResponse(chat, chat, choices({ ...spoken, content: 'Hi' }))
    expect(body['choices']).toMatchObject([{ message: { ...spoken, content: 'Hi' } }])
    expect(lossesOf(losses)).toEqual([])
  })

  const pieces: readonly JsonObject[] = [
    { content: null, audio: { id: 'audio_1', transcript: 'Hi' } },
    { audio: { transcript: ' there!' } },
    { audio: { id: 'audio_1', data: 'UklGRiQA' } },
    { audio: { data: 'AABXQVZF' } },
    { audio: { expires_at: 1_800_000_000 } },
  ]
  const chunks = [...pieces, { finish: 'stop' }].map((delta) => {
    const finish_reason = 'finish' in delta ? delta.finish : null
    return { id: 'c', model: 'm', created: 1, choices: [{ index: 0, delta, finish_reason }] }
  })

  it('is joined from the pieces of a stream', () => {
    expect(partsOf(streamed(genai, chat, chunks))[0]).toEqual(inline(WAV, 'audio/wav'))
    const events = streamed(messages, chat, chunks)
    expect(events.map((event) => event['delta'])).toContainEqual({ type: 'text_delta', text: 'Hi there!' })
  })

  it('is the same for chat after a stream', () => {
    expect(heard(streamed(chat, chat, chunks))).toEqual(audio)
  })

  it('is kept for chat if there is no data', () => {
    const only = chunks.filter((_chunk, index) => index < 2 || index === 5)
    expect(heard(streamed(chat, chat, only))).toEqual({ id: 'audio_1', transcript: 'Hi there!' })
  })
})

describe('audio that a genai upstream answers with', () => {
  it('is the audio of the chat message, with an id of its own that nothing is stored under', () => {
    const { body, losses } = translateResponse(chat, genai, answerOf(inline(WAV, 'audio/wav')), {
      now: 7,
      id: () => 'x',
    })
    const written = { id: 'dg_audio_x', data: WAV, expires_at: 7, transcript: '' }
    expect(body['choices']).toMatchObject([{ message: { role: 'assistant', content: null, audio: written } }])
    expect(lossesOf(losses)).toEqual([])
  })

  it('is joined by its bytes if it is samples in several parts', () => {
    const { body, losses } = translateResponse(chat, genai, answerOf(inline('AQ=='), inline('AgM='), inline('BAUG')))
    expect(body['choices']).toMatchObject([{ message: { audio: { data: 'AQIDBAUG' } } }])
    expect(lossesOf(losses)).toEqual(['merged candidates.0.parts.1', 'merged candidates.0.parts.2'])
  })

  it('is joined by its text in a stream, as clients join it', () => {
    const chunks = [
      answerOf(inline('AQ==')),
      answerOf(inline('AgM=')),
      answerOf({ text: 'Hi' }),
      answerOf(inline('BAUG')),
    ]
    const deltas = streamed(chat, genai, chunks)
    const data = deltas.map((chunk) => stringOf(deltaOf(chunk).audio?.['data']))
    expect(data.join('')).toBe('AQIDBAUG')
    expect(data.slice(0, -1).filter((piece) => piece.includes('='))).toEqual([])
    expect(heard(deltas)).toMatchObject({ id: expect.stringMatching(/^dg_audio_/) as string })
  })

  it('is reported if it is a second recording', () => {
    const { body, losses } = translateResponse(
      chat,
      genai,
      answerOf(inline(WAV, 'audio/wav'), inline(WAV, 'audio/wav')),
    )
    expect(body['choices']).toMatchObject([{ message: { audio: { data: WAV } } }])
    expect(lossesOf(losses)).toEqual(['dropped candidates.0.parts.1'])
  })
})

describe('audio in the history of a chat client', () => {
  const hello = { role: 'user', content: 'hello' }
  const send = (to: typeof chat, answer: JsonObject) => {
    const body = chat.request.check({ model: 'm', max_completion_tokens: 9, messages: [hello, answer, hello] })
    const { body: sent, losses } = translate(chat, to, body)
    return { turn: ((sent['messages'] ?? sent['contents']) as readonly JsonObject[])[1], losses }
  }

  it('goes back to a chat upstream as it came', () => {
    expect(send(chat, spoken)).toMatchObject({ turn: { role: 'assistant', audio }, losses: [] })
  })

  it('is its transcript for chat if no chat upstream has made it, reported', () => {
    const { turn, losses } = send(chat, { ...spoken, audio: { ...audio, id: 'dg_audio_1' } })
    expect(turn).toEqual({ role: 'assistant', content: 'Hi there!' })
    expect(losses).toMatchObject([{ kind: 'changed', wirePath: 'messages[1].audio' }])
  })

  it('is its transcript for messages, and inline data for genai', () => {
    expect(send(messages, spoken).turn).toEqual({ role: 'assistant', content: 'Hi there!' })
    expect(send(genai, spoken).turn).toMatchObject({ role: 'model', parts: [inline(WAV, 'audio/wav')] })
  })
})

type Protocol = typeof chat

function streamed(caller: Protocol, upstream: Protocol, chunks: readonly JsonObject[]): JsonObject[] {
  let text = ''
  const stream = translateStream(caller, upstream, (piece) => (text += piece))
  for (const chunk of chunks) stream.push(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`))
  stream.end()
  const lines = text.split('\n').filter((line) => line.startsWith('data: {'))
  return lines.map((line) => JSON.parse(line.slice(6)) as JsonObject)
}

function deltaOf(chunk: JsonObject): { audio?: JsonObject } {
  const [choice] = (chunk['choices'] ?? []) as readonly { delta?: { audio?: JsonObject } }[]
  return choice?.delta ?? {}
}

/** As clients add deltas up: texts are joined, other values replaced. */
function heard(chunks: readonly JsonObject[]): JsonObject {
  const all: { [name: string]: JsonObject[string] } = {}
  for (const chunk of chunks)
    for (const [name, value] of Object.entries(deltaOf(chunk).audio ?? {}))
      all[name] = name === 'data' || name === 'transcript' ? stringOf(all[name]) + stringOf(value) : value
  return all
}

function partsOf(chunks: readonly JsonObject[]): unknown[] {
  return chunks.flatMap((chunk) =>
    (chunk['candidates'] as readonly { content?: { parts?: unknown[] } }[]).flatMap(
      ({ content }) => content?.parts ?? [],
    ),
  )
}
