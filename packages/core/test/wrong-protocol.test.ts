import { DragomanError, translateResponse, translateStream, type JsonObject, type Protocol } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { BODIES_OF } from './bodies/bodies-of.ts'

const PAIRS = protocols.flatMap((own) =>
  protocols.filter((other) => other !== own).map((other) => [own.name, other.name, own, other] as const),
)

describe('an answer of another protocol', () => {
  it.each(PAIRS)('is an error of the upstream where %s is read and %s came', (_own, _other, own, other) => {
    const error = thrownBy(() => own.response.decode(bodyOf(other), { issuer: own.issuer }))
    expect(error).toBeInstanceOf(DragomanError)
    expect(error).toMatchObject({
      kind: 'upstream',
      message: 'The upstream sent an answer that does not match its protocol.',
    })
    expect(thrownBy(() => translateResponse(other, own, bodyOf(other)))).toMatchObject({ kind: 'upstream' })
  })

  it.each(PAIRS)('is an error in a stream where %s is read and %s came', (_own, _other, own, other) => {
    const stream = translateStream(other, own, () => {})
    for (const event of eventsOf(other)) stream.push(new TextEncoder().encode(`data: ${event}\n\n`))
    stream.end()
    expect(stream.failed).toBeInstanceOf(DragomanError)
  })
})

describe('an error in the place of an answer', () => {
  it.each(protocols)('is read as what it says in $name', (protocol) => {
    const error = new DragomanError('rate-limit', 'Slow down.')
    const { body } = protocol.error.encode(error, 'r')
    const read = thrownBy(() => protocol.response.decode(body, { issuer: protocol.issuer }))
    expect(read).toMatchObject({ kind: 'rate-limit', message: 'Slow down.' })
  })
})

describe('an odd answer of the protocol itself', () => {
  it.each<[string, JsonObject]>([
    ['chat', { choices: [] }],
    ['chat', { object: 'chat.completion', choices: null }],
    ['messages', { type: 'message' }],
    ['messages', { content: [] }],
    ['genai', { candidates: [] }],
    ['genai', { usageMetadata: { promptTokenCount: 3 } }],
    ['genai', { promptFeedback: {} }],
  ])('is still read in %s: %j', (name, body) => {
    const protocol = protocols.find((each) => each.name === name) as Protocol // one of them
    expect(() => protocol.response.decode(body, { issuer: protocol.issuer })).not.toThrow()
  })
})

function bodyOf(protocol: Protocol): JsonObject {
  return BODIES_OF[protocol.name]?.response ?? {}
}

function eventsOf(protocol: Protocol): string[] {
  const events = (BODIES_OF[protocol.name]?.events ?? []).map((event) => JSON.stringify(event))
  return protocol.name === 'chat' ? [...events, '[DONE]'] : events
}

function thrownBy(run: () => unknown): unknown {
  try {
    run()
  } catch (thrown) {
    return thrown
  }
  return undefined
}
