import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../untyped.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { translate, translateResponse, translateStream } from '../../src/protocols/translate.ts'

const inlineImage = (data: string) => ({ inlineData: { mimeType: 'image/png', data } })
const image = (data: string, index: number) => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${data}` },
  index,
})
const PARTS = [{ text: 'Two skies:' }, inlineImage('AAAA'), inlineImage('BBBB')]
const answer = (parts: readonly JsonObject[]): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
})

describe('images that a model answers with', () => {
  it('are images of the chat message', () => {
    const { body, losses } = translateResponse(chat, genai, answer(PARTS))
    const message = { role: 'assistant', content: 'Two skies:', images: [image('AAAA', 0), image('BBBB', 1)] }
    expect(body['choices']).toMatchObject([{ message }])
    expect(losses.filter(({ path }) => path.includes('parts'))).toEqual([])
  })

  it('are one delta each in a chat stream', () => {
    let text = ''
    const stream = translateStream(chat, genai, (piece) => (text += piece))
    for (const part of PARTS) stream.push(new TextEncoder().encode(`data: ${JSON.stringify(answer([part]))}\n\n`))
    stream.end()
    const images = text.split('\n\n').flatMap((frame) => {
      const chunk = frame.startsWith('data: {')
        ? (JSON.parse(frame.slice(6)) as { choices: { delta: JsonObject }[] })
        : undefined
      return chunk?.choices.flatMap(({ delta }) => (delta['images'] === undefined ? [] : [delta['images']])) ?? []
    })
    expect(images).toEqual([[image('AAAA', 0)], [image('BBBB', 1)]])
  })

  it('of a chat upstream reach genai', () => {
    const message = { role: 'assistant', content: 'Two skies:', images: [image('AAAA', 0)] }
    const { body } = translateResponse(genai, chat, { choices: [{ index: 0, message, finish_reason: 'stop' }] })
    expect(body['candidates']).toMatchObject([{ content: { parts: PARTS.slice(0, 2) } }])
  })
})

type Turns = readonly JsonObject[]
const hello = { role: 'user', content: 'hello' }
const drawn = { role: 'assistant', content: 'Two skies:', images: [image('AAAA', 0), image('BBBB', 1)] }
const text = (value: string) => ({ type: 'text', text: value })
const urls = ['AAAA', 'BBBB'].map((data) => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${data}` },
}))
const blocks = ['AAAA', 'BBBB'].map((data) => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data },
}))

function send(to: typeof chat, turns: Turns, dialect?: JsonObject) {
  const body = chat.request.check({ model: 'm', max_completion_tokens: 9, messages: turns })
  const { body: sent, losses } = translate(chat, to, body, { dialect })
  return {
    turns: (sent['messages'] ?? sent['contents']) as Turns,
    losses: losses.map(({ kind, path }) => `${kind} ${path.join('.')}`),
    wirePaths: losses.map(({ wirePath }) => wirePath),
  }
}

describe('images in the history of a chat client', () => {
  const history = [hello, drawn, hello]
  const moves = ['moved messages.1.parts.1', 'moved messages.1.parts.2']

  it('are parts of the same turn in genai', () => {
    const sent = send(genai, history)
    expect(sent.turns).toMatchObject([{}, { role: 'model', parts: PARTS }, {}])
    expect(sent.losses).toEqual([])
  })

  it('are in the next user turn for chat, whose assistants have none, reported', () => {
    const sent = send(chat, history)
    const next = { role: 'user', content: [text('hello'), ...urls] }
    expect(sent.turns).toEqual([hello, { role: 'assistant', content: 'Two skies:' }, next])
    expect(sent.losses).toEqual(moves)
  })

  it('stay in their turn for a chat upstream whose card takes them', () => {
    expect(send(chat, history, { images: true })).toMatchObject({ turns: history, losses: [] })
  })

  it('are in the next user turn for messages, reported', () => {
    const sent = send(messages, history)
    const next = { role: 'user', content: [text('hello'), ...blocks] }
    expect(sent.turns).toEqual([hello, { role: 'assistant', content: 'Two skies:' }, next])
    expect(sent.losses).toEqual(moves)
  })

  it('follow the results of the calls in their turn (trap 10)', () => {
    const call = { id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }
    const turns = [hello, { ...drawn, tool_calls: [call] }, { role: 'tool', tool_call_id: 'a', content: 'seen' }]
    expect(send(chat, turns).turns.slice(2)).toEqual([turns[2], { role: 'user', content: urls }])
    const result = { type: 'tool_result', tool_use_id: 'a', content: 'seen' }
    expect(send(messages, turns).turns.slice(2)).toEqual([{ role: 'user', content: [result, ...blocks] }])
  })

  it('leave no empty turn, and are accepted without text', () => {
    const only = { ...drawn, content: null }
    expect(send(chat, [hello, only, hello]).turns).toEqual([hello, { role: 'user', content: [text('hello'), ...urls] }])
    expect(send(genai, [hello, only, hello]).turns).toMatchObject([{}, { role: 'model', parts: PARTS.slice(1) }, {}])
  })

  it('are reported as lost if no user turn follows', () => {
    const sent = send(chat, [hello, drawn])
    expect(sent.turns).toEqual([hello, { role: 'assistant', content: 'Two skies:' }])
    expect(sent.losses).toEqual(['dropped messages.1.parts.1', 'dropped messages.1.parts.2'])
    expect(sent.wirePaths).toEqual(['messages[1].images[0]', 'messages[1].images[1]'])
  })
})

describe('a reference to audio in the history of a chat client', () => {
  const spoken = { role: 'assistant', audio: { id: 'audio_1' } }

  it('is accepted as the only content of an answer, and goes back to a chat upstream', () => {
    expect(send(chat, [hello, spoken, hello]).turns[1]).toMatchObject(spoken)
  })

  it.each([genai, messages])('is reported as lost for $name', (to) => {
    const sent = send(to, [hello, spoken, hello])
    expect(JSON.stringify(sent.turns)).not.toContain('audio_1')
    expect(sent.losses).toContain('dropped messages.1')
    const beside = send(to, [hello, { ...spoken, content: 'Hi.' }, hello])
    expect(beside.losses).toContain('dropped messages.1.extras.chat.audio.id')
  })
})
