import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { StreamEvent } from '../../src/ir/stream.ts'
import { createLosses } from '../../src/ir/loss.ts'
import { protocols } from '../../src/protocols/index.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'
import { translate } from '../../src/protocols/translate.ts'

const PAIRS = protocols.flatMap((client) =>
  protocols.filter((upstream) => upstream !== client).map((upstream) => ({ client, upstream })),
)
const TOKENS = 20_000
const TOKEN = 'Once upon a time there were many lions. '
/** The text itself twice: once for what reads it, once for what writes it. */
const KEPT = TOKENS * TOKEN.length * 2
const MARGIN = 1024 * 1024

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

describe.each(PAIRS)('a long stream of $upstream.name for $client.name', ({ client, upstream }) => {
  it('keeps no more of its chunks than their text', () => {
    const request = {
      model: 'm',
      messages: [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'hi' }] }],
      settings: {},
      delivery: { stream: true },
    }
    const body = client.request.check(client.request.encode(request, contextOf(client)))
    const stream = translate(client, upstream, body, { model: 'm' }).answerStream(() => {})
    const [opening = '', token = ''] = framesOf(upstream)
    const encoder = new TextEncoder()
    const push = (count: number): void => {
      for (let i = 0; i < count; i++) stream.push(encoder.encode(token))
    }
    stream.push(encoder.encode(opening))
    push(2000)
    collect()
    const before = process.memoryUsage().heapUsed
    push(TOKENS)
    collect()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(KEPT + MARGIN)
    expect(stream.failed).toBe(undefined)
  })
})

/** What an upstream says first, and what it says for every token. */
function framesOf(protocol: Protocol): string[] {
  const frames: string[] = []
  const encoder = protocol.stream.encode((text) => frames.push(text), { ...contextOf(protocol), toward: 'client' })
  const events: StreamEvent[] = [
    { type: 'start', response: { id: 'one', model: 'm', created: 1_760_000_000 } },
    { type: 'block-start', part: { type: 'text', text: '' } },
    { type: 'block-delta', text: TOKEN },
    { type: 'block-delta', text: TOKEN },
  ]
  for (const event of events) encoder.push(event)
  return [frames.slice(0, -1).join(''), frames.at(-1) ?? '']
}

function contextOf({ issuer }: Protocol) {
  return { issuer, losses: createLosses(), toward: 'upstream' as const, id: () => 'made', now: 1_760_000_000 }
}
