import { createLosses } from '@dragoman/core'
import type { EmbeddingAnswer, EmbeddingRequest } from '@dragoman/core/media'
import { protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { DEADLINES, receive } from '../test/call.ts'
import { createSim } from './index.ts'

const sim = createSim()
const models = protocols.flatMap((protocol) => {
  const { embedding: codec, name } = protocol
  return codec === undefined ? [] : [{ name, protocol, codec, model: name === 'chat' ? 'vectors' : `vectors-${name}` }]
})
type Model = (typeof models)[number]

const text = (value: string) => ({ type: 'text', text: value }) as const

async function embed({ protocol, codec, model }: Model, asked: Partial<EmbeddingRequest>): Promise<EmbeddingAnswer> {
  const request = { model, inputs: [text('12345678')], ...asked }
  const context = {
    issuer: protocol.issuer,
    losses: createLosses(),
    toward: 'upstream',
    id: () => 'id',
    now: 0,
  } as const
  const { operation, body } = codec.encode(request, context)
  const target = protocol.http.target(operation, request.model, false)
  const call = sim.call(protocol.name, target, { headers: {}, body: JSON.stringify(body), deadlines: DEADLINES })
  const answered = await receive(sim, call)
  if (answered.status !== 200) throw protocol.error.decode(answered.status, answered.text)
  if (answered.failure !== undefined) throw new Error(answered.failure)
  return codec.answer.decode(JSON.parse(answered.text), { issuer: protocol.issuer, operation })
}

const valuesOf = ({ embeddings }: EmbeddingAnswer, index = 0): readonly number[] => {
  const { values } = embeddings[index]!
  return typeof values === 'string' ? [] : values
}

describe.each(models)('the simulated embeddings of $name', (model) => {
  it('are the same every time, one for each input, in the requested length', async () => {
    const answer = await embed(model, { inputs: [text('a boat'), text('a city')], dimensions: 64 })
    expect(answer.embeddings).toHaveLength(2)
    expect(valuesOf(answer)).toHaveLength(64)
    expect(valuesOf(answer)).not.toEqual(valuesOf(answer, 1))
    expect(await embed(model, { inputs: [text('a boat'), text('a city')], dimensions: 64 })).toEqual(answer)
    expect(valuesOf(await embed(model, {}))).toHaveLength(256)
  })

  it('count four characters as a token', async () => {
    const { usage } = await embed(model, { inputs: [text('12345678')] })
    expect(usage?.input ?? 2).toBe(2)
  })

  it('fail and break if requested, and refuse other lengths and models', async () => {
    await expect(embed(model, { inputs: [text('[[error 429]]')] })).rejects.toMatchObject({ kind: 'rate-limit' })
    await expect(embed(model, { inputs: [text('[[cut]]')] })).rejects.toThrow('reset')
    await expect(embed(model, { dimensions: 5000 })).rejects.toMatchObject({ kind: 'invalid-request' })
    await expect(embed(model, { model: 'nobody' })).rejects.toMatchObject({ kind: 'not-found' })
  })
})

describe('the simulated embeddings of chat', () => {
  const model = models.find(({ name }) => name === 'chat')!

  it('are base64 of little-endian numbers if requested, and can be those of tokens', async () => {
    const asked = { inputs: [{ type: 'tokens', tokens: [1, 2, 3] } as const], dimensions: 8 }
    const [floats, base64] = await Promise.all([embed(model, asked), embed(model, { ...asked, encoding: 'base64' })])
    const { values } = base64.embeddings[0]!
    const bytes = Buffer.from(String(values), 'base64')
    expect(Array.from({ length: 8 }, (_, index) => bytes.readFloatLE(index * 4))).toEqual(valuesOf(floats))
    expect(floats.usage?.input).toBe(3)
  })
})

describe('the simulated embeddings of genai', () => {
  const model = models.find(({ name }) => name === 'genai')!

  it('differ by task', async () => {
    const [query, document] = await Promise.all(
      ['RETRIEVAL_QUERY', 'RETRIEVAL_DOCUMENT'].map((taskType) => embed(model, { taskType })),
    )
    expect(valuesOf(query!)).not.toEqual(valuesOf(document!))
  })
})
