import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../../../test/untyped.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { Protocol } from '../protocol.ts'
import { translateResponse, translateStream } from '../translate.ts'

const SKY = { web: { uri: 'https://sky.example', title: 'Sky' } }
const SEA = { retrievedContext: { uri: 'https://sea.example', title: 'Sea' } }
const TEXT = 'Über dem Meer 🌊 ist es blau.'
const bytes = (text: string) => new TextEncoder().encode(text).length
const segment = (text: string, more: JsonObject = {}) => {
  const start = bytes(TEXT.slice(0, TEXT.indexOf(text)))
  return { ...(start === 0 ? {} : { startIndex: start }), endIndex: start + bytes(text), text, ...more }
}
const SUPPORTS = [
  { segment: segment('Über dem Meer 🌊'), groundingChunkIndices: [1], confidenceScores: [0.9] },
  { segment: segment('blau'), groundingChunkIndices: [0, 1] },
]
const GROUNDING = { webSearchQueries: ['q'], groundingChunks: [SKY, SEA], groundingSupports: SUPPORTS }
const answer = (parts: readonly JsonObject[], groundingMetadata: JsonObject): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', groundingMetadata, index: 0 }],
})
const annotation = (url: string, title: string, text: string, before = 0) => {
  const start = before + TEXT.indexOf(text)
  return { type: 'url_citation', url_citation: { url, title, start_index: start, end_index: start + text.length } }
}
const EXPECTED = [
  annotation('https://sea.example', 'Sea', 'Über dem Meer 🌊'),
  annotation('https://sky.example', 'Sky', 'blau'),
  annotation('https://sea.example', 'Sea', 'blau'),
]

function streamed(caller: Protocol, chunks: readonly JsonObject[]): { data: JsonObject[]; losses: string[] } {
  let text = ''
  const stream = translateStream(caller, genai, (piece) => (text += piece), { id: () => 'id', now: 1 })
  for (const chunk of chunks) stream.push(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`))
  stream.end()
  const data = text
    .split('\n')
    .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6)) as JsonObject] : []))
  return { data, losses: stream.losses.map(({ kind, path }) => `${kind} ${path.join('.')}`) }
}

const message = (parts: readonly JsonObject[], grounding: JsonObject) => {
  const { body } = translateResponse(chat, genai, answer(parts, grounding))
  return (body['choices'] as { message: JsonObject }[])[0]?.message
}
const deltas = (chunks: readonly JsonObject[]) =>
  streamed(chat, chunks).data.flatMap(({ choices }) => (choices as { delta: JsonObject }[]).map(({ delta }) => delta))

describe('grounding of a genai answer', () => {
  it('is annotations with ranges in characters for chat (trap 59)', () => {
    expect(message([{ text: TEXT }], GROUNDING)?.['annotations']).toEqual(EXPECTED)
  })

  it('is annotations with ranges in a chat stream, once (trap 59)', () => {
    const chunks = Array.from(TEXT).map((text) => answer([{ text }], {}))
    const annotations = deltas([...chunks, answer([{ text: '' }], GROUNDING)]).filter((delta) => 'annotations' in delta)
    expect(annotations).toEqual([{ annotations: EXPECTED }])
  })

  it('counts bytes in the part that a segment names (trap 59)', () => {
    const supports = [{ segment: segment('blau', { partIndex: 2 }), groundingChunkIndices: [0] }]
    const parts = [{ text: 'hm', thought: true }, { text: 'So: ' }, { text: TEXT }]
    const cited = message(parts, { ...GROUNDING, groundingSupports: supports })?.['annotations']
    expect(cited).toEqual([annotation('https://sky.example', 'Sky', 'blau', 4)])
  })

  it('cites the text if thoughts before it are not counted (trap 59)', () => {
    const parts = [{ text: 'hm', thought: true }, { text: TEXT }]
    expect(message(parts, GROUNDING)?.['annotations']).toEqual(EXPECTED)
  })

  it('is citations for messages, whole and streamed (trap 59)', () => {
    const urls = ['https://sea.example', 'https://sky.example', 'https://sea.example']
    const { body, losses } = translateResponse(messages, genai, answer([{ text: TEXT }], GROUNDING))
    const [block] = body['content'] as { citations: { type: string; url: string }[] }[]
    expect(block?.citations.map(({ url }) => url)).toEqual(urls)
    expect(block?.citations[0]?.type).toBe('web_search_result_location')
    expect(losses.map(({ path }) => path.join('.'))).toContain('candidates.0.grounding')
    const { data } = streamed(messages, [answer([{ text: TEXT }], {}), answer([], GROUNDING)])
    const cited = data.flatMap(({ delta }) => {
      const { type, citation } = (delta ?? {}) as { type?: string; citation?: { url: string } }
      return type === 'citations_delta' ? [citation?.url] : []
    })
    expect(cited).toEqual(urls)
  })

  it('lists its sources without supports (trap 59)', () => {
    const { groundingSupports: _, ...sources } = GROUNDING
    const cited = message([{ text: TEXT }], sources)?.['annotations'] as { url_citation: JsonObject }[]
    const [start_index, end_index] = [0, TEXT.length]
    expect(cited.map(({ url_citation }) => url_citation)).toEqual([
      { url: 'https://sky.example', title: 'Sky', start_index, end_index },
      { url: 'https://sea.example', title: 'Sea', start_index, end_index },
    ])
  })

  it('cites the whole text if a segment does not fit it, never another passage', () => {
    const supports = [{ segment: { startIndex: 1, endIndex: 4, text: 'Übe' }, groundingChunkIndices: [0] }]
    const cited = message([{ text: TEXT }], { ...GROUNDING, groundingSupports: supports })?.['annotations']
    expect(cited).toMatchObject([{ url_citation: { start_index: 0, end_index: TEXT.length } }])
  })

  it('stays as it is for genai, without citations beside it, whole and streamed', () => {
    const given = answer([{ text: TEXT }], GROUNDING)
    expect(translateResponse(genai, genai, given).body).toMatchObject(given)
    expect(JSON.stringify(translateResponse(genai, genai, given).body)).not.toContain('citationMetadata')
    const { data } = streamed(genai, [given])
    expect(JSON.stringify(data)).not.toContain('citationMetadata')
    expect(data.at(-1)).toMatchObject({ candidates: [{ groundingMetadata: GROUNDING }] })
  })

  it('reaches chat and is reported for messages if its text has ended', () => {
    const call = { functionCall: { name: 'look', args: {} } }
    const chunks = [answer([{ text: TEXT }, call], {}), answer([], GROUNDING)]
    expect(deltas(chunks).find((delta) => 'annotations' in delta)).toEqual({ annotations: EXPECTED })
    const { losses } = streamed(messages, chunks)
    expect(losses).toEqual(
      expect.arrayContaining([0, 1, 2].map((index) => `dropped candidates.0.parts.0.citations.${index}`)),
    )
  })
})
