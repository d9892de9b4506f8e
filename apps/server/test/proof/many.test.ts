import { expect, it } from 'vitest'
import { PAIRS, UPSTREAMS, useOwnStage } from './stage.ts'

const { server, double } = useOwnStage({ DRAGOMAN_GRACE_SECONDS: '3600' })

const STREAMS = 50
const TEXT = 'Once upon a time there were many lions. '.repeat(10)
const MANY = Array.from({ length: STREAMS }, (_, index) => PAIRS[index % PAIRS.length]!)

it('many concurrent streams are all complete, and leave nothing behind', async () => {
  for (const upstream of UPSTREAMS) double(upstream).play({ parts: [{ text: TEXT }], sending: { pieces: 64 } })
  const turns = await Promise.all(
    MANY.map(({ client, upstream }) =>
      client.converse(server(), { model: upstream.model, delivery: 'streamed' }).send('Tell me a story.'),
    ),
  )
  expect(turns.map(({ text }) => text)).toEqual(MANY.map(() => TEXT))

  // Abandoned and broken streams must not keep the server running either.
  for (const upstream of UPSTREAMS) double(upstream).play({ parts: [{ text: TEXT }], sending: { stall: 6 } })
  const controller = new AbortController()
  const left = MANY.map(({ client, upstream }) => {
    const begun = Promise.withResolvers<void>()
    const onText = (): void => begun.resolve()
    const options = { model: upstream.model, delivery: 'streamed', signal: controller.signal, onText } as const
    const conversation = client.converse(server(), options)
    return { begun: begun.promise, ended: conversation.send('Tell me a story.').catch(String) }
  })
  await Promise.all(left.map(({ begun }) => begun))
  controller.abort()
  for (const { ended } of left) expect(await ended).toMatch(/abort/i)

  // The grace period is an hour, so an immediate exit means that no exchange was open.
  server().signal('SIGTERM')
  expect(await server().exited).toBe(0)
  for (const upstream of UPSTREAMS) expect(double(upstream).open()).toBe(0)
})
