import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../../test/untyped.ts'
import type { JsonObject } from '../lib/json.ts'
import { translate, translateResponse, translateStream } from './translate.ts'

const picture = (data: string) => ({ inlineData: { mimeType: 'image/png', data } })
const image = (data: string, index: number) => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${data}` },
  index,
})
const PARTS = [{ text: 'Two skies:' }, picture('AAAA'), picture('BBBB')]
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

  it('go back to a genai upstream in the history of a chat client, and are reported for messages', () => {
    const hello = { role: 'user', content: 'hello' }
    const drawn = { role: 'assistant', content: 'Two skies:', images: [image('AAAA', 0), image('BBBB', 1)] }
    const body = { model: 'm', messages: [hello, drawn, hello] }
    expect(translate(chat, genai, body).body['contents']).toMatchObject([{}, { role: 'model', parts: PARTS }, {}])
    const { losses } = translate(chat, messages, body)
    const dropped = losses.filter(({ kind }) => kind === 'dropped').map(({ path }) => path.join('.'))
    expect(dropped).toEqual(['messages.1.parts.1', 'messages.1.parts.2'])
  })

  it('of a chat upstream reach genai', () => {
    const message = { role: 'assistant', content: 'Two skies:', images: [image('AAAA', 0)] }
    const { body } = translateResponse(genai, chat, { choices: [{ index: 0, message, finish_reason: 'stop' }] })
    expect(body['candidates']).toMatchObject([{ content: { parts: PARTS.slice(0, 2) } }])
  })
})
