import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { protocols } from '@dragoman/core/protocols'
import { GoogleGenAI } from '@google/genai'
import { generateText } from 'ai'
import { describe, expect, it } from 'vitest'
import { createGenAI, gather } from '../clients/genai.ts'
import { useServer } from '../shared-server.ts'

const server = useServer()

const MODELS = protocols.map(({ name }) => `sim/${name}-1`)
/** "The user said 5 characters. I will answer in words." */
const THOUGHT = 13
const THINKING = { thinkingBudget: 2048, includeThoughts: true }

/** The client without the settings for the cloud platform. */
function createPlain(): GoogleGenAI {
  return new GoogleGenAI({ apiKey: server().key, httpOptions: { baseUrl: `${server().url}/api/vertex-ai` } })
}

describe('@google/genai', () => {
  it('[auth.genai.goog] [genai.paths] [base.genai] works in its plain mode too', async () => {
    const { models } = createPlain()
    const answer = await models.generateContent({ model: 'sim/genai-1', contents: 'Hello' })
    expect(answer.text).toContain('You asked: "Hello"')
    const chunks = await gather(await models.generateContentStream({ model: 'genai-1', contents: 'Hello' }))
    expect(chunks.map(({ text = '' }) => text).join('')).toBe(answer.text)
  })

  it('[base.model] accepts a name without publisher, if its own path has the provider', async () => {
    const answer = await createGenAI(server()).models.generateContent({ model: 'models/genai-1', contents: 'Hello' })
    expect(answer.text).toContain('You asked: "Hello"')
  })

  it.each(MODELS)('[genai.paths] [base.model] is called by @ai-sdk/google with the id %s', async (model) => {
    const google = createGoogleGenerativeAI({ baseURL: `${server().url}/api/vertex-ai/v1beta`, apiKey: server().key })
    const { text } = await generateText({ model: google(model), prompt: 'Hello' })
    expect(text).toContain('You asked: "Hello"')
  })

  it.each(MODELS)(
    '[genai.res.usage:in] [genai.res.meta:in] [genai.res.candidates:in] reads a response of %s',
    async (model) => {
      const answer = await createGenAI(server()).models.generateContent({
        model,
        contents: 'Hello',
        config: { thinkingConfig: THINKING },
      })
      const { promptTokenCount = 0, candidatesTokenCount = 0, thoughtsTokenCount = 0 } = answer.usageMetadata ?? {}
      expect(promptTokenCount).toBe(2)
      expect(thoughtsTokenCount).toBe(THOUGHT)
      expect(candidatesTokenCount).toBe(Math.ceil((answer.text?.length ?? 0) / 4))
      expect(answer.usageMetadata?.totalTokenCount).toBe(promptTokenCount + candidatesTokenCount + thoughtsTokenCount)
      expect(answer.candidates).toMatchObject([{ index: 0, finishReason: 'STOP', content: { role: 'model' } }])
      expect(answer.modelVersion).toBe(model === 'sim/genai-1' ? 'genai-1' : model)
      expect(answer.responseId).toMatch(/./)
      expect(Math.abs(Date.parse(answer.createTime ?? '') - Date.now())).toBeLessThan(60_000)
    },
  )

  it.each(MODELS)('[genai.stream.last:in] gets the finish reason only in the last chunk of %s', async (model) => {
    const chunks = await gather(
      await createGenAI(server()).models.generateContentStream({ model, contents: 'Tell me about Paris' }),
    )
    const reasons = chunks.map(({ candidates }) => candidates?.[0]?.finishReason)
    expect(reasons.length).toBeGreaterThan(3)
    expect(reasons.filter((reason) => reason !== undefined)).toEqual(['STOP'])
    expect(reasons.at(-1)).toBe('STOP')
  })

  it.each(MODELS)('[genai.res.citations:in] reads the citations of %s, in bytes', async (model) => {
    const asked = { model, contents: '[[cite]] Was ist ein Löwe?' }
    const { models } = createGenAI(server())
    const whole = await models.generateContent(asked)
    const streamed = await gather(await models.generateContentStream(asked))
    const cited = [
      whole.candidates?.[0]?.citationMetadata?.citations,
      streamed.flatMap(({ candidates }) => candidates?.[0]?.citationMetadata?.citations ?? []),
    ]
    const citation = { uri: 'https://sim.invalid/handbook', title: 'The handbook of the simulator' }
    for (const citations of cited) {
      expect(citations).toMatchObject([citation])
      expect(citations?.[0]?.startIndex ?? 0).toBe(0)
      const size = Buffer.byteLength(whole.text ?? '')
      expect(citations?.[0]?.endIndex ?? size).toBe(size)
    }
  })
})
