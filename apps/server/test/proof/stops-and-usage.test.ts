import { describe, expect, it } from 'vitest'
import type { Client, Finish, Turn } from '../clients/client.ts'
import { vercelResponses } from '../clients/vercel.ts'
import { DELIVERIES, PAIRS, UPSTREAMS, useStage, type Upstream } from './stage.ts'

const { server, double, lastRequest } = useStage()

const ENDS: readonly Finish[] = ['end', 'length', 'filter']
const USAGE = { input: 30, output: 9, cacheRead: 10, reasoning: 2 }
const [, MESSAGES] = UPSTREAMS

/** Responses has refusals in its content only: one is added to an answer that ended as a refusal without one. */
function endOf(client: Client, upstream: Upstream, end: Finish): Pick<Turn, 'text' | 'finish'> {
  const text = 'As far as'
  if (client.protocol !== 'responses' || upstream !== MESSAGES || end !== 'filter')
    return { text, finish: client.finishOf[end] }
  // The AI SDK has no refusals: it shows their words.
  if (client === vercelResponses) return { text: `${text}The model refused to answer.`, finish: client.finishOf[end] }
  return { text, finish: 'refusal' }
}

describe.each(PAIRS)('$title', ({ client, upstream }) => {
  describe.each(DELIVERIES)('%s', (delivery) => {
    it.each(ENDS)(
      '[chat.res:in] [msg.res:in] [genai.res.finishReason:in] [chat.max_completion_tokens:in] [msg.max_tokens:in] [genai.gen.maxOutputTokens:in] [msg.refusal:in] gets the finish reason: %s',
      async (end) => {
        double(upstream).play({ parts: [{ text: 'As far as' }], stop: upstream.finishOf[end] })
        const turn = await client.converse(server(), { model: upstream.model, delivery, maxTokens: 77 }).send('Go on.')
        expect(turn).toMatchObject(endOf(client, upstream, end))
        expect(lastRequest(upstream).maxTokens).toBe(77)
        expect(double(upstream).refused).toEqual([])
      },
    )

    it('[chat.res:in] [genai.res.finishReason:in] gets the finish reason of a truncated response with a call', async () => {
      const parts = [{ call: 'get_time', id: 'call_1', input: {} }]
      double(upstream).play({ parts, stop: upstream.finishOf.length })
      const schema = { type: 'object', properties: {}, required: [], additionalProperties: false } as const
      const tools = [{ name: 'get_time', description: 'The time.', schema: { ...schema, required: [] as string[] } }]
      const turn = await client.converse(server(), { model: upstream.model, delivery, tools }).send('Go on.')
      expect(turn.finish).toBe(client.finishOf.length)
    })

    // Responses has no stop sequences.
    if (client.protocol !== 'responses' && upstream.protocol !== 'responses') {
      it('[chat.stop:in] [msg.stop_sequences:in] [genai.gen.stopSequences:in] sends stop sequences', async () => {
        double(upstream).play({ parts: [{ text: 'One, two' }], stop: upstream.finishOf.sequence })
        const turn = await client.converse(server(), { model: upstream.model, delivery, stop: 'three' }).send('Count.')
        // Only one upstream distinguishes such an end from others.
        expect(turn.finish).toBe(client.finishOf[upstream === MESSAGES ? 'sequence' : 'end'])
        expect(lastRequest(upstream).stop).toEqual(['three'])
        expect(double(upstream).refused).toEqual([])
      })
    }

    it('[chat.res:in] [msg.res.usage:in] [msg.stream.usage:in] [genai.res.usage:in] [chat.stream_options:in] gets the usage of the upstream', async () => {
      double(upstream).play({ parts: [{ reasoning: 'Hm.' }, { text: 'Yes.' }], usage: USAGE })
      const { usage } = await client
        .converse(server(), { model: upstream.model, delivery, thinks: true })
        .send('Is it so?')
      expect(usage).toMatchObject({ input: 30, output: 9, cached: 10 })
      // One upstream includes its reasoning in the output and does not say how many tokens it is.
      expect([undefined, upstream === MESSAGES ? 0 : 2]).toContain(usage.thought)
    })
  })
})
