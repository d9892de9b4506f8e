import type { Protocol } from '@dragoman/core'
import { chat } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { chatShapes } from '../shapes/chat.ts'
import { LINES } from '../shapes/lines.ts'
import { errorSteps, lineSteps, requestSteps, responseSteps, streamSteps, type Steps } from './linear-steps.ts'
import { mustBeLinear } from './linear.ts'
import { bytesOf } from './streams.ts'

/** Each step runs on the real protocol, which is linear, and on a copy with planted quadratic code, which the law must find. */
describe('planted quadratic code in chat', () => {
  const { request, response, stream } = chatShapes
  const messages = (protocol: Protocol) => requestSteps(protocol, shapeOf(request, 'messages'))
  const candidates = (protocol: Protocol) => responseSteps(protocol, shapeOf(response, 'candidates'))
  const deltas = (protocol: Protocol) => streamSteps(protocol, (size) => shapeOf(stream, 'deltas')(size).map(bytesOf))
  const feeds = (protocol: Protocol) => lineSteps(protocol, shapeOf(LINES, 'line feeds'))

  it('is found in the decoder of requests', () => {
    const decode: Protocol['request']['decode'] = (body, context) => {
      const decoded = chat.request.decode(body, context)
      return { ...decoded, messages: searched(decoded.messages) }
    }
    mustFind(messages, { ...chat, request: { ...chat.request, decode } }, 'to messages')
  })

  it('is found in the encoder of requests', () => {
    const encode: Protocol['request']['encode'] = (asked, context) =>
      chat.request.encode({ ...asked, messages: searched(asked.messages) }, context)
    mustFind(messages, { ...chat, request: { ...chat.request, encode } }, 'to chat')
  })

  it('is found in the check for a relay', () => {
    const obstacle: Protocol['relay']['obstacle'] = (body, limits) =>
      chat.relay.obstacle({ ...body, messages: searched(body['messages'] as readonly []) }, limits) // the shape has a list
    mustFind(messages, { ...chat, relay: { ...chat.relay, obstacle } }, 'relayed')
  })

  it('is found in the decoder of responses', () => {
    const decode: Protocol['response']['decode'] = (body, context) => {
      const decoded = chat.response.decode(body, context)
      return { ...decoded, candidates: searched(decoded.candidates) }
    }
    mustFind(candidates, { ...chat, response: { ...chat.response, decode } }, 'to genai')
  })

  it('is found in the decoder of streams', () => {
    const decode: Protocol['stream']['decode'] = (emit, context) => {
      const texts: string[] = []
      return chat.stream.decode((event) => {
        if (event.type === 'block-delta') texts.push(event.text)
        if (JSON.stringify(texts.map((text) => ({ text, length: text.length }))) !== '') emit(event)
      }, context)
    }
    mustFind(deltas, { ...chat, stream: { ...chat.stream, decode } }, 'to messages')
  })

  it('is found in the tap of a relayed stream', () => {
    const tap: Protocol['relay']['tap'] = (options) => {
      const real = chat.relay.tap(options)
      const push = (chunk: Uint8Array) => {
        for (let index = 0; index < chunk.length; index++) if (chunk.indexOf(13, index) >= 0) break
        return real.push(chunk)
      }
      return { ...real, push }
    }
    mustFind(feeds, { ...chat, relay: { ...chat.relay, tap } }, 'relayed')
  })

  it('is found in the decoder of errors', () => {
    const decode: Protocol['error']['decode'] = (status, body) => {
      for (let end = 0; end < body.length; end += 16) body.slice(0, end).split('"')
      return chat.error.decode(status, body)
    }
    mustFind(errorSteps, { ...chat, error: { ...chat.error, decode } }, 'to chat')
  })
})

/** The same list, serialized once for each element. */
function searched<T>(list: readonly T[]): T[] {
  return list.filter(() => JSON.stringify(list) !== '')
}

/** CPU milliseconds after which the planted code outweighs the linear rest, so that three long runs are clear. */
const LEAST_MS = 5
/** A host that stands still during the short runs hides the planted code, so the law gets several tries. */
const TRIES = 5

function mustFind(stepsOf: (protocol: Protocol) => Steps, planted: Protocol, name: string): void {
  mustBeLinear(shapeOf(stepsOf(chat), name))
  expect(() => {
    for (let tries = 0; tries < TRIES; tries++) mustBeLinear(shapeOf(stepsOf(planted), name), LEAST_MS)
  }).toThrow('not linear')
}

function shapeOf<T>(shapes: { readonly [what: string]: T }, what: string): T {
  const shape = shapes[what]
  if (shape === undefined) throw new Error(`no shape ${what}`)
  return shape
}
