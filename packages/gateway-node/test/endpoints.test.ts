import { describe, expect, it } from 'vitest'
import { chat, messages, named, SECRET, serve, type Dialogue } from './endpoint.ts'
import { brokenText, scriptedUpstream, type Seen } from './upstream.ts'

const SSE = { 'content-type': 'text/event-stream' }
const JSON_TYPE = { 'content-type': 'application/json' }
const DIALOGUES = [chat, messages].map((dialogue): [string, Dialogue] => [dialogue.protocol, dialogue])

/** Writes frames one at a time, each after the previous one was sent. */
async function stream({ response }: Seen, frames: readonly string[]): Promise<void> {
  response.writeHead(200, SSE)
  for (const frame of frames) await new Promise((resolve) => response.write(frame, resolve))
}

describe.each(DIALOGUES)('%s, relayed', (name, dialogue) => {
  it('forwards the bytes in both directions, except for the model [base.model]', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, [name])
    const reply = server.ask(dialogue, false)
    const { request, body, response } = await upstream.next()
    expect(request.url).toBe(`/${name}${dialogue.path.replace(/^.*\/v1/, name === 'chat' ? '' : '/v1')}`)
    expect(body.toString()).toBe(dialogue.body('m-1', false))
    expect(request.headers['x-upstream-key']).toBe('sk-upstream-secret')
    expect(JSON.stringify(request.headers)).not.toContain(SECRET)
    response.writeHead(200, { ...JSON_TYPE, 'set-cookie': 'a=b' }).end(dialogue.answer)
    const answer = await reply
    expect(await answer.text()).toBe(named(dialogue.answer))
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(answer.headers.get('x-dragoman-path')).toBe('relay')
    expect(answer.headers.get('x-dragoman-model')).toBe('acme/org/m:1.5')
    expect(server.ledger.records).toMatchObject([{ outcome: 'complete', usage: { input: 3, output: 1 } }])
  })
  it('forwards a stream byte for byte, except for the model', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, [name])
    const reply = server.ask(dialogue, true)
    const seen = await upstream.next()
    expect(seen.body.toString()).toBe(dialogue.body('m-1', true))
    await stream(seen, dialogue.frames)
    seen.response.end()
    const answer = await reply
    expect(answer.headers.get('content-type')).toContain('text/event-stream')
    expect(await answer.text()).toBe(named(dialogue.frames.join('')))
    expect(server.ledger.records).toMatchObject([{ outcome: 'complete', usage: { input: 3, output: 1 } }])
  })
  it.each(['ends early', 'is cut in the middle of a frame'])(
    'ends with its own error when the upstream %s [err.midstream]',
    async (how) => {
      await using upstream = await scriptedUpstream()
      await using server = await serve(upstream, [name])
      const reply = server.ask(dialogue, true)
      const seen = await upstream.next()
      const [first = '', second = ''] = dialogue.frames
      await stream(seen, [first])
      if (how === 'ends early') seen.response.end()
      else seen.response.write(second.slice(0, -20), () => seen.response.destroy())
      const text = await brokenText(await reply)
      expect(text.startsWith(named(first))).toBe(true)
      expect(text.slice(named(first).length)).toMatch(dialogue.errorFrame)
      expect(text).not.toContain('[DONE]')
      expect(server.ledger.records).toMatchObject([{ outcome: 'interrupted' }])
    },
  )
  it('stops the upstream when the client disconnects [err.abort]', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, [name])
    const aborter = new AbortController()
    const reply = server.ask(dialogue, true, { signal: aborter.signal })
    const seen = await upstream.next()
    await stream(seen, dialogue.frames.slice(0, 1))
    await reply
    aborter.abort()
    await seen.gone
    expect(server.ledger.records).toMatchObject([{ outcome: 'aborted' }])
  })
})

describe.each(
  DIALOGUES.flatMap(([from, inbound]) =>
    DIALOGUES.map(([to, outbound]): [string, string, Dialogue, Dialogue] => [from, to, inbound, outbound]),
  ),
)('%s, translated to %s', (_from, to, inbound, outbound) => {
  // A dialect requires a translation within the same protocol.
  const card = { dialects: { [to]: {} } }

  it('answers whole', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, [to], {}, card)
    const reply = server.ask(inbound, false)
    const { body, response } = await upstream.next()
    expect(JSON.parse(body.toString())).toMatchObject({ model: 'm-1' })
    response.writeHead(200, JSON_TYPE).end(outbound.answer)
    const answer = await reply
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-dragoman-path')).toBe('translate')
    const text = await answer.text()
    expect(JSON.parse(text)).toMatchObject({ model: 'acme/org/m:1.5' })
    expect(text).toContain('"ok"')
    expect(server.ledger.records).toMatchObject([{ outcome: 'complete', usage: { input: 3, output: 1 } }])
  })
  it('answers as a stream', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, [to], {}, card)
    const reply = server.ask(inbound, true)
    const seen = await upstream.next()
    await stream(seen, outbound.frames)
    seen.response.end()
    const text = await (await reply).text()
    const last = inbound.frames.at(-1) ?? ''
    expect(text.endsWith(last)).toBe(true)
    expect(server.ledger.records).toMatchObject([{ outcome: 'complete', usage: { input: 3, output: 1 } }])
  })
  it('ends with its own error when the upstream disconnects in the middle [err.midstream]', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, [to], {}, card)
    const reply = server.ask(inbound, true)
    const seen = await upstream.next()
    await stream(seen, outbound.frames.slice(0, 2))
    seen.response.destroy()
    const text = await brokenText(await reply)
    expect(text.split('\n\n').at(-2)).toMatch(inbound.errorFrame)
    expect(server.ledger.records).toMatchObject([{ outcome: 'interrupted' }])
  })
  it('stops the upstream when the client disconnects [err.abort]', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, [to], {}, card)
    const aborter = new AbortController()
    const reply = server.ask(inbound, true, { signal: aborter.signal })
    const seen = await upstream.next()
    seen.response.writeHead(200, SSE).write(outbound.frames.slice(0, -1).join(''))
    await (await reply).body!.getReader().read()
    aborter.abort()
    await seen.gone
    // The upstream's usage so far is recorded.
    expect(server.ledger.records).toMatchObject([{ outcome: 'aborted', usage: { input: 3, output: 1 } }])
  })
})

describe('losses of a request', () => {
  const body = messages.body('acme/org/m:1.5', false).replace('{', '{"top_k":5,')

  it('are named in a header [tr.losses]', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, ['chat'])
    const reply = server.ask(messages, false, { body })
    ;(await upstream.next()).response.writeHead(200, JSON_TYPE).end(chat.answer)
    expect((await reply).headers.get('x-dragoman-losses')).toContain('dropped top_k')
  })
  it('are refused to a strict caller before any call [tr.losses]', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, ['chat'])
    const headers = { ...messages.headers, 'x-dragoman-strict': 'true' }
    const answer = await server.ask(messages, false, { body, headers })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('Strict mode: top_k would be dropped')
    expect(upstream.count).toBe(0)
  })
})

describe('fields that chat does not accept', () => {
  const body = chat.body('acme/org/m:1.5', false).replace('{', '{"max_tokens":5,')

  it('are forwarded unchanged, unless the operator refuses them with the replacement', async () => {
    await using upstream = await scriptedUpstream()
    await using strict = await serve(upstream, ['chat'], { unsupportedFields: 'refuse' })
    const answer = await strict.ask(chat, false, { body })
    expect(answer.status).toBe(400)
    const text = await answer.text()
    expect(text).toContain('max_completion_tokens')
    expect(text).toContain('unsupportedFields')
    await using lenient = await serve(upstream, ['chat'])
    const reply = lenient.ask(chat, false, { body })
    ;(await upstream.next()).response.writeHead(200, JSON_TYPE).end(chat.answer)
    const taken = await reply
    expect([taken.status, taken.headers.get('x-dragoman-path')]).toEqual([200, 'relay'])
  })
})
