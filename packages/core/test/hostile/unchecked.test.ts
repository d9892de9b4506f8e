import {
  createLosses,
  DragomanError,
  translate,
  translateResponse,
  type EncodeContext,
  type Json,
  type JsonObject,
  type Protocol,
} from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyJson } from './any-json.ts'
import { mustSurviveStream, streamOf } from './survive.ts'

// What an embedder may hand over without having checked it: any JSON at all, and objects with the right names in them.
const KINDS: readonly Json[] = [null, true, false, 0, -1, '', 'text', [], [null], {}, { error: null }]
const EACH = KINDS.map((value) => [value] as const)
const MEMBERS =
  'model messages contents content candidates choices tools tool_choice system systemInstruction generationConfig usage type'

describe.each(protocols)('what $name is given unchecked', (protocol) => {
  it.each(EACH)('as a request, %j gives a DragomanError or is read', (body) => {
    for (const to of protocols) mustBeOurs(() => translate(protocol, to, body as object)) // what it is not
  })

  it.each(EACH)('as an answer, %j gives a DragomanError of the upstream', (body) => {
    for (const to of protocols) {
      const error = mustBeOurs(() => translateResponse(to, protocol, body as object)) // what it is not
      expect(error?.kind).toBe('upstream')
    }
  })

  it.each(EACH)('as an event of a stream, %j ends in what the client is told', (event) => {
    for (const to of protocols) {
      const { failed } = mustSurviveStream(protocol, to, streamOf(protocol, [JSON.stringify(event)]))
      expect(failed).toBeInstanceOf(DragomanError)
    }
  })

  it('of any shape gives a DragomanError or is read, by every decoder', () => {
    fc.assert(
      fc.property(fc.constantFrom(...protocols), fc.oneof(anyJson(), anyBody()), (to, value) => {
        const body = value as JsonObject // what it may not be
        const reading = { issuer: protocol.issuer }
        mustBeOurs(() => protocol.request.decode(body, reading))
        mustBeOurs(() => protocol.response.decode(body, reading))
        mustBeOurs(() => translate(protocol, to, body))
        mustBeOurs(() => translateResponse(to, protocol, body))
        mustBeOurs(() => protocol.count?.decode(body))
        mustBeOurs(() => protocol.count?.request(body))
        mustBeOurs(() => encodeAgain(protocol, to, body))
        mustSurviveStream(protocol, to, streamOf(protocol, [JSON.stringify(value)]))
      }),
      { numRuns: 1000, seed: 11 },
    )
  })
})

/** An embedder may also put the codecs together by hand. */
function encodeAgain(from: Protocol, to: Protocol, body: JsonObject): void {
  const context: EncodeContext = {
    issuer: to.issuer,
    losses: createLosses(),
    toward: 'client',
    id: () => 'made',
    now: 0,
  }
  to.response.encode(from.response.decode(body, { issuer: from.issuer }), context)
}

/** Objects with the members that the protocols have, and anything in them. */
function anyBody(): fc.Arbitrary<Json> {
  return fc.dictionary(fc.constantFrom(...MEMBERS.split(' ')), anyJson(), { maxKeys: 5 })
}

function mustBeOurs(run: () => unknown): DragomanError | undefined {
  try {
    run()
  } catch (thrown) {
    if (thrown instanceof DragomanError) return thrown
    throw new Error(`not one of ours: ${String(thrown)}`, { cause: thrown })
  }
  return undefined
}
