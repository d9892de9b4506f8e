import { describe, expect, it } from 'vitest'
import { TIME, TOOLS, WEATHER } from './scene.ts'
import { DELIVERIES, PAIRS, UPSTREAMS, useStage, type Upstream } from './stage.ts'

const { server, double, lastRequest } = useStage()

const FIRST = { reasoning: 'I need the weather, surely.' }
const HIDDEN = { reasoning: 'Nobody may read this.', hidden: true } as const
const SECOND = { reasoning: 'Now both \ud83e\udd81 at once.' }

/** The seals that an upstream puts on a turn: on its reasoning, or on the first of its calls. */
function sealsOf(upstream: Upstream, thought: { reasoning: string }, call: { call: string }): string[] {
  return [double(upstream).seal(upstream.protocol === 'genai' ? call.call : thought.reasoning)]
}

describe.each(PAIRS)('$title', ({ client, upstream }) => {
  it.each(DELIVERIES)(
    '[tr.3x3] [tr.4x4] [tr.signatures] [tr.ids] [msg.block.thinking:in] [genai.part.thought:in] [chat.role.assistant:in] [chat.reasoning_effort:in] [msg.thinking:in] [genai.gen.thinkingConfig:in] holds a conversation of several turns with reasoning, tools and the seals of its issuer, %s',
    async (delivery) => {
      double(upstream).play(
        { parts: [FIRST, WEATHER] },
        { parts: [{ text: 'Warm.' }] },
        { parts: [SECOND, { text: 'Both then.' }, { ...WEATHER, id: 'call_again' }, TIME] },
        { parts: [{ text: 'Warm, at noon.' }] },
      )
      const conversation = client.converse(server(), { model: upstream.model, delivery, tools: TOOLS, thinks: true })
      const first = await conversation.send('How is the weather?')
      expect(first).toMatchObject({ text: '', reasoning: FIRST.reasoning, finish: client.finishOf.calls })
      const second = await conversation.sendResults(() => '21 degrees')
      expect(second).toMatchObject({ text: 'Warm.', reasoning: '', finish: client.finishOf.end })
      const third = await conversation.send('And the time?')
      expect(third).toMatchObject({ text: 'Both then.', reasoning: SECOND.reasoning, finish: client.finishOf.calls })
      const fourth = await conversation.sendResults(({ name }) => `${name} is fine`)
      expect(fourth).toMatchObject({ text: 'Warm, at noon.', finish: client.finishOf.end })

      expect(double(upstream).refused).toEqual([])
      const { turns } = lastRequest(upstream)
      expect(turns).toMatchObject([
        { role: 'user', text: 'How is the weather?' },
        { role: 'model', text: '', calls: [{ id: WEATHER.id, name: 'get_weather', input: WEATHER.input }] },
        { role: 'user', text: '', results: [{ id: WEATHER.id, text: '21 degrees' }] },
        { role: 'model', text: 'Warm.', calls: [] },
        { role: 'user', text: 'And the time?' },
        {
          role: 'model',
          text: 'Both then.',
          calls: [
            { id: 'call_again', name: 'get_weather', input: WEATHER.input },
            { id: TIME.id, name: 'get_time', input: TIME.input },
          ],
        },
        {
          role: 'user',
          text: '',
          results: [
            { id: 'call_again', text: 'get_weather is fine' },
            { id: TIME.id, text: 'get_time is fine' },
          ],
        },
      ])
      // A client that sends back only text and ids can still return a seal inside an id.
      const whole = client.echoes === 'whole' || upstream.protocol === 'genai'
      expect(turns[1]?.seals).toEqual(whole ? sealsOf(upstream, FIRST, WEATHER) : [])
      expect(turns[5]?.seals).toEqual(whole ? sealsOf(upstream, SECOND, WEATHER) : [])
    },
  )

  it.each(DELIVERIES)(
    '[tr.signatures] [msg.block.redacted_thinking:in] returns reasoning that it could not read, %s',
    async (delivery) => {
      double(upstream).play({ parts: [HIDDEN, WEATHER] }, { parts: [{ text: 'Warm.' }] })
      const conversation = client.converse(server(), { model: upstream.model, delivery, tools: TOOLS, thinks: true })
      expect((await conversation.send('How is the weather?')).reasoning).not.toContain(HIDDEN.reasoning)
      expect((await conversation.sendResults(() => '21 degrees')).text).toBe('Warm.')
      expect(double(upstream).refused).toEqual([])
      const seals = lastRequest(upstream).turns[1]?.seals ?? []
      // @ai-sdk/google drops reasoning without text in a whole response: that of genai does not come back, that of others is on the call.
      const drops = client.name === '@ai-sdk/google' && delivery === 'whole' && upstream.protocol === 'genai'
      const keeps = client.echoes === 'whole' && !drops
      expect(seals.includes(double(upstream).hide(HIDDEN.reasoning))).toBe(keeps)
    },
  )

  it.each(DELIVERIES)('[tr.signatures] sends seals only to their issuer, %s', async (delivery) => {
    double(upstream).play({ parts: [FIRST, WEATHER] }, { parts: [{ text: 'Warm.' }] })
    const conversation = client.converse(server(), { model: upstream.model, delivery, tools: TOOLS, thinks: true })
    await conversation.send('How is the weather?')
    await conversation.sendResults(() => '21 degrees')
    const seals = sealsOf(upstream, FIRST, WEATHER)
    for (const other of UPSTREAMS.filter((one) => one !== upstream)) {
      conversation.switchTo(other.model)
      await conversation.send('What do you think?')
      const [asked] = double(other).received
      expect(double(other).refused).toEqual([])
      expect(lastRequest(other).turns[1]).toMatchObject({ role: 'model', calls: [{ name: 'get_weather' }] })
      for (const seal of seals) expect(JSON.stringify(asked?.body)).not.toContain(seal)
    }
    conversation.switchTo(upstream.model)
    await conversation.send('Are you still there?')
    expect(double(upstream).refused).toEqual([])
    const whole = client.echoes === 'whole' || upstream.protocol === 'genai'
    expect(lastRequest(upstream).turns[1]?.seals).toEqual(whole ? seals : [])
  })
})
