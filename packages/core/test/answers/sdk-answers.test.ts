import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../untyped.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { translateResponse } from '../../src/protocols/translate.ts'

// Members and values of answers that the types of the newest SDKs have.
const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null }
const content = [{ type: 'text', text: 'Hi' }]

describe('pages that the upstream read', () => {
  const answer = (server_tool_use: JsonObject) => ({
    ...message,
    content,
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 2, server_tool_use },
  })

  it('are counted for messages, beside searches', () => {
    const counts = { web_search_requests: 1, web_fetch_requests: 2 }
    const { body, losses } = translateResponse(messages, messages, answer(counts))
    expect(body['usage']).toMatchObject({ server_tool_use: counts })
    expect(losses).toEqual([])
  })

  it('are 0 where only searches are known: the official SDKs for Go and Java need both', () => {
    const { body, losses } = translateResponse(messages, messages, answer({ web_search_requests: 1 }))
    expect(body['usage']).toMatchObject({ server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 } })
    expect(losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)).toEqual(['added usage.fetches'])
  })

  it('are reported toward chat', () => {
    const { losses } = translateResponse(chat, messages, answer({ web_search_requests: 0, web_fetch_requests: 2 }))
    expect(losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)).toContain('dropped usage.fetches')
  })
})

describe('an answer that is not complete', () => {
  const part = { candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'CONTINUATION' }] }

  it('of genai ends at a limit elsewhere, and can be continued in genai', () => {
    expect(translateResponse(chat, genai, part).body).toMatchObject({ choices: [{ finish_reason: 'length' }] })
    expect(translateResponse(messages, genai, part).body).toMatchObject({ stop_reason: 'max_tokens' })
    expect(translateResponse(genai, genai, part).body).toMatchObject({ candidates: [{ finishReason: 'CONTINUATION' }] })
  })

  it('of messages after a compaction is a pause, and a compaction in messages', () => {
    const paused = { ...message, content, stop_reason: 'compaction', usage: { input_tokens: 1, output_tokens: 2 } }
    expect(translateResponse(messages, messages, paused).body).toMatchObject({ stop_reason: 'compaction' })
    expect(translateResponse(genai, messages, paused).body).toMatchObject({ candidates: [{ finishReason: 'STOP' }] })
  })
})

it('a citation without a title has its URL as title in chat, reported: the SDK requires one', () => {
  const candidate = {
    content: { role: 'model', parts: [{ text: 'Hi' }] },
    finishReason: 'STOP',
    citationMetadata: { citations: [{ startIndex: 0, endIndex: 2, uri: 'https://a.example/' }] },
  }
  const { body, losses } = translateResponse(chat, genai, { candidates: [candidate] })
  const url_citation = { url: 'https://a.example/', title: 'https://a.example/', start_index: 0, end_index: 2 }
  expect(body).toMatchObject({ choices: [{ message: { annotations: [{ type: 'url_citation', url_citation }] } }] })
  expect(losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)).toContain(
    'added candidates.0.parts.0.citations.0.source.title',
  )
})
