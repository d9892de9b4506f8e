import { createResponsesDouble, readResponses, type Double } from '@dragoman/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLIENTS } from '../clients/all.ts'
import { startServer, type ServerProcess } from '../process.ts'
import { TOOLS, WEATHER } from './scene.ts'
import { DELIVERIES } from './stage.ts'

const THOUGHT = { reasoning: 'I need the weather, surely.' }
const HIDDEN = { reasoning: 'Nobody may read this.', hidden: true } as const

let double: Double
let server: ServerProcess
beforeAll(async () => {
  double = await createResponsesDouble([{ parts: [{ text: 'No script was set.' }] }])
  server = await startServer({ OPENAI_BASE_URL: double.url, OPENAI_API_KEY: 'sk-upstream' })
})
afterAll(async () => {
  await double.close()
  await server.stop()
})

// The clients of other protocols that send back everything they got. The Vercel AI SDK keeps only texts and ids of chat.
const WHOLE = CLIENTS.filter(({ protocol, echoes }) => protocol !== 'responses' && echoes === 'whole')

describe.each(['gpt-5.3-codex', 'gpt-5.5-pro'])('%s, which only the Responses API has', (model) => {
  describe.each(WHOLE)('with $name', (client) => {
    it.each(DELIVERIES)(
      '[tr.4x4] [tr.signatures] [resp.item.reasoning:in] goes on with its encrypted reasoning in a loop of tools, %s',
      async (delivery) => {
        double.play(
          { parts: [THOUGHT, WEATHER] },
          { parts: [HIDDEN, { ...WEATHER, id: 'call_2' }] },
          { parts: [{ text: 'Warm.' }] },
        )
        const conversation = client.converse(server, { model: `openai/${model}`, delivery, tools: TOOLS, thinks: true })
        const first = await conversation.send('How is the weather?')
        expect(first).toMatchObject({ reasoning: THOUGHT.reasoning, calls: [{ name: 'get_weather' }] })
        await conversation.sendResults(() => '21 degrees')
        expect(encryptedOf(1)).toEqual([double.seal(THOUGHT.reasoning)])
        const last = await conversation.sendResults(() => '22 degrees')
        expect(last).toMatchObject({ text: 'Warm.', finish: client.finishOf.end })
        expect(encryptedOf(2)).toEqual([double.seal(THOUGHT.reasoning), double.hide(HIDDEN.reasoning)])
        expect(double.refused).toEqual([])
        for (const { path, body } of double.received) {
          expect([path, body['store'], body['model']]).toEqual(['/responses', false, model])
          expect(body['include']).toEqual(['reasoning.encrypted_content'])
        }
      },
    )
  })
})

/** The encrypted reasoning of a request, byte for byte as on the wire. */
function encryptedOf(index: number): readonly unknown[] {
  return readResponses(double.received[index]?.body ?? {}).turns.flatMap(({ seals }) => seals)
}
