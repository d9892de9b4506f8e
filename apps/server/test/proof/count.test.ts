import { describe, expect, it } from 'vitest'
import { PAIRS, useStage, type Upstream } from './stage.ts'

const { server, double } = useStage()
/** A provider of one's own does not say that its upstream counts. */
const counts = ({ model }: Upstream): boolean => !model.startsWith('house/')

const COUNTING = PAIRS.flatMap(({ client: { count, ...client }, ...pair }) =>
  count === undefined
    ? []
    : [{ ...pair, client, count, isOwn: counts(pair.upstream) && client.protocol === pair.upstream.protocol }],
)
const TEXT = 'How many tokens are these words, roughly?'

describe.each(COUNTING.filter(({ isOwn }) => isOwn))('$title', ({ client, count, upstream }) => {
  it('[msg.count_tokens] [genai.countTokens] returns the count of the upstream', async () => {
    const { tokens, headers } = await count(server(), upstream.model, TEXT)
    const { received, refused } = double(upstream)
    expect(refused).toEqual([])
    expect(received.map(({ path }) => path.split(/[/:]/).at(-1))).toEqual([
      client.protocol === 'genai' ? 'countTokens' : 'count_tokens',
    ])
    // The double counts the characters that it received.
    const body = JSON.stringify(received[0]?.body)
    expect(tokens).toBe(body.length)
    expect(body).toContain(TEXT)
    expect(headers.get('x-dragoman-estimated')).toBe(null)
    expect(headers.get('x-dragoman-model')).toBe(upstream.model)
  })

  it('[err.native] raises its own class when the upstream cannot count', async () => {
    double(upstream).play({ status: 429, error: { type: 'rate_limit_error', message: 'Slow down.' } })
    const thrown = await count(server(), upstream.model, TEXT).catch((error: unknown) => error)
    const message = expect.stringContaining('Slow down.') as string
    expect(client.raised(thrown)).toMatchObject({ isNative: true, status: 429, message })
  })
})

describe.each(COUNTING.filter(({ isOwn }) => !isOwn))('$title', ({ count, upstream }) => {
  it('[msg.count_tokens] [genai.countTokens] gets an estimate that is marked as one', async () => {
    const { tokens, headers } = await count(server(), upstream.model, TEXT)
    expect(double(upstream).received).toEqual([])
    // Four characters per token, and the overhead of the message.
    expect(tokens).toBeGreaterThanOrEqual(TEXT.length / 4)
    expect(tokens).toBeLessThan(TEXT.length)
    expect(headers.get('x-dragoman-estimated')).toBe('true')
    expect(headers.get('x-dragoman-model')).toBe(upstream.model)
  })
})
