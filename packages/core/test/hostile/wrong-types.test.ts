import type { JsonObject, Protocol } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import * as fc from 'fast-check'
import { describe, it } from 'vitest'
import { BODIES_OF } from '../bodies/bodies-of.ts'
import type { Bodies } from '../bodies/shared.ts'
import { anyJson } from './any-json.ts'
import { openAt, pathsIn, withText, type Path } from './paths.ts'
import { mustSurviveError, mustSurviveRequest, mustSurviveResponse, mustSurviveStream, streamOf } from './survive.ts'

// A valid body with another value at one path: each path of each body, each type of JSON, and misleading words.
const WRONG = [
  'null',
  'true',
  '-1',
  '1e308',
  '1e400', // no number can represent it
  '"\\ud800"', // half a character
  '"constructor"',
  '[null]',
  '{"toString":1,"valueOf":2}', // cannot be converted to text
  '{"type":"__proto__","__proto__":{"polluted":1}}',
]

describe.each(protocols)('in $name', (protocol) => {
  const bodies = BODIES_OF[protocol.name] as Bodies // one per protocol

  it('any wrong value in a request is refused or translated', () => {
    for (const [text, to] of each(bodies.request)) mustSurviveRequest(protocol, to, text)
  })

  it('any wrong value in a response is refused or translated', () => {
    for (const [text, to] of each(bodies.response)) mustSurviveResponse(protocol, to, text)
  })

  it('any wrong value in an error is reported', () => {
    for (const [text, to] of each(bodies.error)) mustSurviveError(protocol, to, text)
  })

  it('any wrong value in a stream ends in an event that the client can read', () => {
    const events = bodies.events.map((event) => JSON.stringify(event))
    for (const [index, event] of bodies.events.entries()) {
      for (const [text, to] of each(event)) {
        mustSurviveStream(protocol, to, streamOf(protocol, events.with(index, text)))
      }
    }
  })

  it('any values at two paths are refused, reported, or translated', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...protocols),
        anyPaths(bodies.request),
        anyPaths(bodies.response),
        anyJson(),
        (to, asked, answered, value) => {
          const text = JSON.stringify(value)
          const once = (body: JsonObject, [path]: readonly [Path, Path]) => withText(body, path, text)
          const twice = (body: JsonObject, paths: readonly [Path, Path]) =>
            withText(JSON.parse(once(body, paths)) as JsonObject, paths[1], text) // the same object
          mustSurviveRequest(protocol, to, twice(bodies.request, asked))
          mustSurviveResponse(protocol, to, twice(bodies.response, answered))
        },
      ),
      { numRuns: 300, seed: 3 },
    )
  })
})

/** Every wrong value at every path, translated to one protocol after another. */
function* each(body: JsonObject): Generator<readonly [text: string, to: Protocol]> {
  let count = 0
  for (const path of pathsIn(body)) {
    const put = openAt(body, path)
    for (const wrong of WRONG) {
      const to = protocols[count++ % protocols.length]
      if (to !== undefined) yield [put(wrong), to]
    }
  }
}

function anyPaths(body: JsonObject): fc.Arbitrary<readonly [Path, Path]> {
  const paths = pathsIn(body)
  return fc.tuple(fc.constantFrom(...paths), fc.constantFrom(...paths))
}
