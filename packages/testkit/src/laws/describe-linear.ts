import type { Protocol } from '@dragoman/core'
import { describe, it } from 'vitest'
import { LINES } from '../shapes/lines.ts'
import type { Shapes } from '../shapes/shapes.ts'
import { errorSteps, requestSteps, lineSteps, responseSteps, streamSteps, type Steps } from './linear-steps.ts'
import { mustBeLinear } from './linear.ts'
import { bytesOf } from './streams.ts'

/** Every step that a body, an answer or a stream goes through, from one protocol to all. */
export function describeLinear(protocol: Protocol, shapes: Shapes): void {
  describe(`${protocol.name} takes time in proportion to its input`, () => {
    for (const [what, shape] of Object.entries(shapes.request))
      hold(`${what} of a request`, () => requestSteps(protocol, shape))
    for (const [what, shape] of Object.entries(shapes.response))
      hold(`${what} of an answer`, () => responseSteps(protocol, shape))
    for (const [what, shape] of Object.entries(shapes.stream))
      hold(`${what} of a stream`, () => streamSteps(protocol, (size) => shape(size).map(bytesOf)))
    for (const [what, shape] of Object.entries(LINES)) hold(`${what} of a stream`, () => lineSteps(protocol, shape))
    hold('text of an error', () => errorSteps(protocol))
  })
}

/** What real requests and answers have most of is measured at larger sizes, where a small quadratic part shows too. */
const MAIN = new Set([
  'messages of a request',
  'parts of a request',
  'tools of a request',
  'calls one by one of a request',
  'deltas of a stream',
])

function hold(what: string, stepsOf: () => Steps): void {
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
