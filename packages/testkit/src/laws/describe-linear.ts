import type { Protocol } from '@dragoman/core'
import { describe, it } from 'vitest'
import { LINES } from '../shapes/lines.ts'
import type { Shapes } from '../shapes/shapes.ts'
import { errorSteps, requestSteps, lineSteps, responseSteps, streamSteps, type Steps } from './linear-steps.ts'
import { mustBeLinear } from './linear.ts'
import { bytesOf } from './streams.ts'

/** Tests every step of a request, response or stream, from one protocol to all. */
export function describeLinear(protocol: Protocol, shapes: Shapes): void {
  describe(`${protocol.name} takes linear time`, () => {
    for (const [what, shape] of Object.entries(shapes.request))
      itIsLinear(`${what} of a request`, () => requestSteps(protocol, shape))
    for (const [what, shape] of Object.entries(shapes.response))
      itIsLinear(`${what} of a response`, () => responseSteps(protocol, shape))
    for (const [what, shape] of Object.entries(shapes.stream))
      itIsLinear(`${what} of a stream`, () => streamSteps(protocol, (size) => shape(size).map(bytesOf)))
    for (const [what, shape] of Object.entries(LINES))
      itIsLinear(`${what} of a stream`, () => lineSteps(protocol, shape))
    itIsLinear('text of an error', () => errorSteps(protocol))
  })
}

/** The most frequent parts of real requests and responses. They are measured at larger sizes, where a small quadratic part shows too. */
const MAIN = new Set([
  'messages of a request',
  'parts of a request',
  'tools of a request',
  'calls one by one of a request',
  'deltas of a stream',
])

function itIsLinear(what: string, stepsOf: () => Steps): void {
  it(what, () => {
    for (const [name, step] of Object.entries(stepsOf())) {
      try {
        mustBeLinear(step, MAIN.has(what) ? 5 : undefined)
      } catch (cause) {
        throw new Error(`${name}: ${String(cause)}`, { cause })
      }
    }
  })
}
