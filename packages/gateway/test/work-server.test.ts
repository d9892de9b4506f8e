import { COUNT_LIMITS } from '@dragoman/core'
import { chat, messages, protocols } from '@dragoman/core/protocols'
import { lostFeatures, type Card } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import type { Order } from '../src/threads/orders.ts'
import { createWorkServer } from '../src/threads/work-server.ts'

const CARD: Card = { name: 'm', upstream: 'm-1', input: ['text'], output: ['text'], maxOutput: 100 }

/** A worker side; every message and answer is cloned as by `postMessage`. */
function farSide() {
  const server = createWorkServer(protocols)
  let id = 0
  return (order: Order) => {
    const delivery = server(structuredClone({ id: id++, order }))
    if (delivery instanceof Promise) throw new Error('Conversations are read at once.')
    return delivery === undefined ? undefined : structuredClone(delivery.message, { transfer: [...delivery.transfer] })
  }
}

function read(body: object, protocol = chat.name): Order {
  const unsupportedFields = { policy: 'accept', setAt: '' } as const
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  return {
    do: 'read',
    work: 1,
    protocol,
    match: { operation: 'generate' },
    unsupportedFields,
    counts: COUNT_LIMITS,
    part: 1000,
    downloads: false,
    bytes,
  }
}

function prepare(protocol = messages.name, withoutSeals = false): Order {
  return {
    do: 'prepare',
    work: 1,
    route: { id: 'acme/m', card: CARD, protocol, isRestricted: false },
    withoutSeals,
    now: 0,
  }
}

describe('the worker side of an offload', () => {
  it('prepares a body more than once, and releases it when it is closed', () => {
    const ask = farSide()
    const body = { model: 'acme/m', messages: [{ role: 'user', content: 'Hi' }] }
    expect(ask(read(body))?.result).toMatchObject({ peek: { model: 'acme/m', stream: false } })
    for (const protocol of [chat.name, messages.name, chat.name]) {
      const { result } = ask(prepare(protocol)) ?? {}
      const bytes = result !== undefined && 'body' in result ? result.body : ''
      expect(JSON.parse(new TextDecoder().decode(bytes as Uint8Array))).toMatchObject({ model: 'm-1' })
    }
    expect(ask({ do: 'close', work: 1 })).toBeUndefined()
    expect(ask(prepare())?.error).toMatchObject({ kind: 'internal' })
  })

  it('passes on what a request and its answer say about the price', () => {
    const ask = farSide()
    const body = { model: 'acme/m', messages: [{ role: 'user', content: 'Hi' }], service_tier: 'flex' }
    const priced = { ...body, web_search_options: {} }
    expect(ask(read(priced))?.result).toMatchObject({ peek: { terms: { tier: 'flex' }, searches: true } })
    const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }]
    const answer = { id: 'c', object: 'chat.completion', model: 'm-1', choices, service_tier: 'default' }
    const bytes = () => new TextEncoder().encode(JSON.stringify(answer))
    const facts = { names: [], asked: {}, hideReasoning: false }
    const translated = { caller: messages.name, upstream: chat.name, operation: 'generate', asked: facts, options: {} }
    const terms = { tier: 'standard' }
    expect(
      ask({ do: 'relay-answer', operation: 'generate', protocol: chat.name, model: 'm', bytes: bytes() })?.result,
    ).toMatchObject({
      terms,
    })
    expect(ask({ do: 'translate-answer', ...translated, answers: [bytes()] })?.result).toMatchObject({ terms })
  })

  it('returns errors as plain data with everything that the protocol needs', () => {
    expect(farSide()(read({ model: 5, messages: [] }))?.error).toMatchObject({
      kind: 'invalid-request',
      param: 'model',
      message: expect.stringContaining('model') as string,
    })
  })

  it('returns the first losses and the number of others, without values', () => {
    const ask = farSide()
    const unknown = Object.fromEntries(Array.from({ length: 1500 }, (_none, index) => [`member_${index}`, index]))
    const body = { model: 'acme/m', messages: [{ role: 'user', content: 'Hi' }], ...unknown, temperature: 2 }
    ask(read(body))
    const { result } = ask(prepare()) ?? {}
    const losses = result !== undefined && 'losses' in result ? result.losses : []
    expect(losses).toHaveLength(1001)
    expect(losses.at(-1)).toMatchObject({ reason: expect.stringMatching(/^and \d+ more losses$/) as string })
    expect(losses.some((loss) => 'to' in loss && loss.to !== undefined)).toBe(false)
  })

  it('returns the lost features of all losses', () => {
    const ask = farSide()
    const named = Array.from({ length: 1500 }, () => ({ role: 'user', name: 'ann', content: 'Hi' }))
    const audio = { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } }
    ask(
      read({ model: 'acme/m', messages: [...named, { role: 'user', content: [{ type: 'text', text: 'a' }, audio] }] }),
    )
    const { result } = ask(prepare()) ?? {}
    const losses = result !== undefined && 'losses' in result ? result.losses : []
    expect(lostFeatures(losses.slice(0, 1000))).toEqual([])
    expect(lostFeatures(losses)).toEqual(['audio'])
  })
})
