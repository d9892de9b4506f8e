import { describe, expect, it } from 'vitest'
import { TIME, TOOLS, WEATHER } from './scene.ts'
import { UNSUPPORTED_FIELDS } from '../../src/config/choices.ts'
import { DELIVERIES, expectMode, PAIRS, useStage } from './stage.ts'

describe.each(UNSUPPORTED_FIELDS)('unsupportedFields: %s', (setting) => {
  const { server, double, lastRequest } = useStage(setting)

  describe.each(PAIRS)('$title', ({ client, upstream }) => {
    it.each(DELIVERIES)(
      '[tr.3x3] [tr.4x4] [tr.ids] [chat.tools:in] [msg.tool.custom:in] [genai.tools:in] [msg.block.tool_use:in] [msg.block.tool_result:in] [genai.part.functionCall:in] [genai.part.functionResponse:in] [chat.role.tool:in] calls tools side by side and gives their results together, %s',
      async (delivery) => {
        double(upstream).play(
          { parts: [{ text: 'Let me see.' }, WEATHER, TIME] },
          { parts: [{ text: 'Warm, at noon.' }] },
        )
        const conversation = client.converse(server(), { model: upstream.model, delivery, tools: TOOLS })
        const first = await conversation.send('Weather and time, please.')
        expect(first).toMatchObject({ text: 'Let me see.', finish: client.finishOf.calls })
        expect(first.calls.map(({ name, arguments: given }) => [name, given])).toEqual([
          ['get_weather', WEATHER.input],
          ['get_time', TIME.input],
        ])
        expect(new Set(first.calls.map(({ id }) => id)).size).toBe(2)
        expect(lastRequest(upstream).tools).toMatchObject(TOOLS)

        const second = await conversation.sendResults(({ name }) => `${name} says yes`)
        expect(second).toMatchObject({ text: 'Warm, at noon.', calls: [], finish: client.finishOf.end })
        expectMode(
          second,
          { client, upstream },
          first.headers.get('x-dragoman-path') === 'relay' ? undefined : 'translate',
        )
        const [asked, called, answered, ...more] = lastRequest(upstream).turns
        expect(more).toEqual([])
        expect(asked).toMatchObject({ role: 'user', text: 'Weather and time, please.' })
        expect(called).toMatchObject({
          role: 'model',
          text: 'Let me see.',
          calls: [
            { id: WEATHER.id, name: 'get_weather', input: WEATHER.input },
            { id: TIME.id, name: 'get_time', input: TIME.input },
          ],
        })
        expect(answered).toMatchObject({
          role: 'user',
          text: '',
          results: [
            { id: WEATHER.id, text: 'get_weather says yes' },
            { id: TIME.id, text: 'get_time says yes' },
          ],
        })
        expect(double(upstream).refused).toEqual([])
      },
    )

    it.each(DELIVERIES)('[tr.3x3] [tr.4x4] calls a tool without arguments, and no tool, %s', async (delivery) => {
      double(upstream).play({ parts: [{ call: 'get_time', id: 'call_1', input: {} }] }, { parts: [{ text: 'Noon.' }] })
      const conversation = client.converse(server(), { model: upstream.model, delivery, tools: TOOLS })
      const { calls } = await conversation.send('What time is it?')
      expect(calls.map(({ name, arguments: given }) => [name, given])).toEqual([['get_time', {}]])
      await conversation.sendResults(() => 'noon')
      await conversation.send('Thanks.')
      expect(lastRequest(upstream).turns).toMatchObject([
        { text: 'What time is it?' },
        { text: '', calls: [{ id: 'call_1', name: 'get_time', input: {} }] },
        { text: '', results: [{ id: 'call_1', text: 'noon' }] },
        { text: 'Noon.' },
        { text: 'Thanks.' },
      ])
      expect(double(upstream).refused).toEqual([])
    })
  })
})
