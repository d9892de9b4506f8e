import { describe, expect, it } from 'vitest'
import { createAnthropic, createAnthropic0 } from '../clients/anthropic.ts'
import { vercelMessages } from '../clients/vercel.ts'
import { TIME, TOOLS } from './scene.ts'
import { UPSTREAMS, useStage, type Upstream } from './stage.ts'

const { server, double } = useStage()
const MESSAGES = UPSTREAMS.find(({ protocol }) => protocol === 'messages') as Upstream // there is one
const ASK = { model: MESSAGES.model, max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hello' }] }
const BETAS = ['context-1m-2025-08-07', 'some-day-2099-01-01']

/** Both major versions, each through its beta API. */
const DOORS = [
  {
    generation: '1',
    create: (betas: string[]) => createAnthropic(server()).beta.messages.create({ ...ASK, betas }),
    stream: (betas: string[]) =>
      createAnthropic(server())
        .beta.messages.stream({ ...ASK, betas })
        .finalMessage(),
  },
  {
    generation: '0',
    create: (betas: string[]) => createAnthropic0(server()).beta.messages.create({ ...ASK, betas }),
    stream: (betas: string[]) =>
      createAnthropic0(server())
        .beta.messages.stream({ ...ASK, betas })
        .finalMessage(),
  },
]

describe.each(DOORS)('@anthropic-ai/sdk $generation', ({ create, stream }) => {
  it('[auth.messages.beta] [auth.messages.version] sends its betas to the upstream, and a known version', async () => {
    for (const ask of [create, stream]) {
      double(MESSAGES).play({ parts: [{ text: 'Yes.' }] })
      expect(await ask(BETAS)).toMatchObject({ content: [{ type: 'text', text: 'Yes.' }] })
      const [call] = double(MESSAGES).received
      expect(call?.headers['anthropic-beta']).toBe(BETAS.join(','))
      expect(call?.headers['anthropic-version']).toBe('2023-06-01')
      expect(call?.path).toBe('/v1/messages')
    }
  })

  it('[auth.messages.beta] is refused the beta for code execution, and its upstream is not called', async () => {
    await expect(create(['code-execution-2025-08-25'])).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('code-execution-2025-08-25') as string,
    })
    expect(double(MESSAGES).received).toEqual([])
  })
})

describe.each(UPSTREAMS)('to $protocol', (upstream) => {
  it('[auth.messages.beta] forwards betas of the client only to messages', async () => {
    double(upstream).play({ parts: [{ text: 'Yes.' }] })
    await createAnthropic(server()).beta.messages.create({ ...ASK, model: upstream.model, betas: BETAS })
    const [call] = double(upstream).received
    expect(call?.headers['anthropic-beta']).toBe(upstream === MESSAGES ? BETAS.join(',') : undefined)
  })

  it('[msg.thread] runs the tools of the newest SDK, which requests a thread first', async () => {
    double(upstream).play({ parts: [TIME] }, { parts: [{ text: 'Noon.' }] })
    const [, time] = TOOLS
    const runner = createAnthropic(server()).beta.messages.toolRunner({
      ...ASK,
      model: upstream.model,
      tools: [
        {
          type: 'custom',
          name: TIME.call,
          input_schema: { ...time!.schema },
          parse: (input: unknown) => input,
          run: () => 'noon',
        },
      ],
    })
    expect(await runner).toMatchObject({ content: [{ type: 'text', text: 'Noon.' }] })
    const { received, refused } = double(upstream)
    expect(refused).toEqual([])
    expect(upstream.read(received.at(-1)!.body).turns).toMatchObject([
      { text: 'Hello' },
      { calls: [{ name: TIME.call, input: TIME.input }] },
      { results: [{ text: 'noon' }] },
    ])
    for (const { body } of received) expect(body).not.toHaveProperty('thread')
  })
})

it('[auth.messages.beta] forwards the beta that @ai-sdk/anthropic adds', async () => {
  double(MESSAGES).play({ parts: [{ text: 'Yes.' }] })
  await vercelMessages.converse(server(), { model: MESSAGES.model, delivery: 'whole', tools: TOOLS }).send('Hello')
  expect(double(MESSAGES).received[0]?.headers['anthropic-beta']).toContain('structured-outputs-2025-11-13')
})
