import { describe, expect, it } from 'vitest'
import type { Client, Raised } from '../clients/client.ts'
import { errorsOf, failuresOf, type FailureScene } from './failures.ts'
import { PAIRS, useStage, type Pair } from './stage.ts'

const { server, double } = useStage()

const TEXT = 'A long story about lions, and how they came to be.'
/** The number of frames after which some text was sent, in every protocol. */
const BEGUN = 6

const LIMITED = PAIRS.map((pair) => {
  const scene = failuresOf(pair.upstream.protocol).find(({ title }) => title === 'limited')
  if (scene === undefined) throw new Error('No such failure.')
  return { ...pair, limited: scene }
})

interface Broken {
  readonly raised: Raised
  readonly text: string
}

async function listen({ client, upstream }: Pair): Promise<Broken> {
  let text = ''
  const onText = (piece: string): void => void (text += piece)
  const thrown = await client
    .converse(server(), { model: upstream.model, delivery: 'streamed', onText })
    .send('Tell me a story.')
    .then(
      () => new Error('It ended well.'),
      (error: unknown) => error,
    )
  return { raised: client.raised(thrown), text }
}

/** The error in the middle of a stream: some clients give a type, one a status, the Vercel AI SDK neither. */
function midstream({ name, protocol }: Client, { status, typeOf }: Pick<FailureScene, 'status' | 'typeOf'>): object {
  if (name.startsWith('@ai-sdk/')) return {}
  return { isNative: true, type: typeOf[errorsOf(protocol)], ...(protocol === 'genai' ? { status } : {}) }
}

const CUT = { typeOf: { chat: 'server_error', messages: 'api_error', genai: 'UNAVAILABLE' } } as const

describe.each(LIMITED)('$title', ({ client, upstream, limited }) => {
  it.each(['broken', 'clean'] as const)(
    '[err.midstream] [msg.stream.error:in] raises an error when the stream of the upstream is cut: %s',
    async (how) => {
      double(upstream).play({ parts: [{ text: TEXT }], sending: { cut: { after: BEGUN, how } } })
      const { raised, text } = await listen({ client, upstream })
      expect(TEXT.startsWith(text) && text.length > 4).toBe(true)
      expect(raised.message).not.toBe('It ended well.')
      expect(raised).toMatchObject(midstream(client, { ...CUT, status: 502 }))
    },
  )

  it('[err.midstream] raises an error of the upstream in the middle of its stream', async () => {
    const { status, error } = limited.failure
    double(upstream).play({ parts: [{ text: TEXT }], sending: { cut: { after: BEGUN, how: { status, error } } } })
    const { raised, text } = await listen({ client, upstream })
    expect(TEXT.startsWith(text) && text.length > 4).toBe(true)
    expect(raised.message).toContain(error.message)
    expect(raised).toMatchObject(midstream(client, limited))
  })

  it('[err.native] gives an error before the first token its status', async () => {
    const { status, error } = limited.failure
    double(upstream).play({ parts: [{ text: TEXT }], sending: { cut: { after: 0, how: { status, error } } } })
    const { raised, text } = await listen({ client, upstream })
    expect(text).toBe('')
    expect(raised).toMatchObject({ isNative: true, status: 429 })
  })

  it.each(['streamed', 'whole'] as const)(
    '[err.abort] disconnects from the upstream when it is stopped, %s',
    async (delivery) => {
      const stall = delivery === 'streamed' ? BEGUN : 0
      double(upstream).play({ parts: [{ text: TEXT }], sending: { stall } })
      const controller = new AbortController()
      const { signal } = controller
      const begun = Promise.withResolvers<void>()
      const onText = (): void => begun.resolve()
      const options = { model: upstream.model, delivery, signal, onText }
      const failure = client
        .converse(server(), options)
        .send('Tell me a story.')
        .catch((error: unknown) => error)
      if (delivery === 'streamed') await begun.promise
      else await double(upstream).called()
      controller.abort()
      expect(String(await failure)).toMatch(/abort/i)
      await double(upstream).hungUp()
      expect(double(upstream).open()).toBe(0)
    },
  )
})
