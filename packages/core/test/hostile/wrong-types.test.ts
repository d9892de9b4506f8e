import { protocols, type Json, type JsonObject, type Protocol } from '@dragoman/core'
import * as fc from 'fast-check'
import { describe, it } from 'vitest'
import { BODIES_OF } from '../bodies/bodies-of.ts'
import type { Bodies } from '../bodies/shared.ts'
import { placesOf, withText, type Place } from './places.ts'
import { mustSurviveError, mustSurviveRequest, mustSurviveResponse, mustSurviveStream, streamOf } from './survive.ts'

// A valid body with something else in one place: each place of each body, each type of JSON, and words that mislead.
const WRONG = [
  'null',
  'true',
  '-1',
  '1e308',
  '1e400', // no number can hold it
  '"\\ud800"', // half a character
  '"constructor"',
  '[null]',
  '{"toString":1,"valueOf":2}', // no text can be made of it
  '{"type":"__proto__","__proto__":{"polluted":1}}',
]

describe.each(protocols)('in $name', (protocol) => {
  const bodies = BODIES_OF[protocol.name] as Bodies // one per protocol

  it('any wrong value in a request is refused or crosses', () => {
    for (const [text, to] of each(bodies.request)) mustSurviveRequest(protocol, to, text)
  })

  it('any wrong value in an answer is refused or crosses', () => {
    for (const [text, to] of each(bodies.response)) mustSurviveResponse(protocol, to, text)
  })

  it('any wrong value in an error is told', () => {
    for (const [text, to] of each(bodies.error)) mustSurviveError(protocol, to, text)
  })

  it('any wrong value in a stream ends in what the client is told', () => {
    const events = bodies.events.map((event) => JSON.stringify(event))
    for (const [index, event] of bodies.events.entries()) {
      for (const [text, to] of each(event)) {
        mustSurviveStream(protocol, to, streamOf(protocol, events.with(index, text)))
      }
    }
  })

  it('anything at all in two places is refused, told, or crosses', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...protocols),
        anyPlace(bodies.request),
        anyPlace(bodies.response),
        anyJson(),
        (to, asked, answered, value) => {
          const text = JSON.stringify(value)
          const once = (body: JsonObject, [place]: readonly [Place, Place]) => withText(body, place, text)
          const twice = (body: JsonObject, places: readonly [Place, Place]) =>
            withText(JSON.parse(once(body, places)) as JsonObject, places[1], text) // an object as before
          mustSurviveRequest(protocol, to, twice(bodies.request, asked))
          mustSurviveResponse(protocol, to, twice(bodies.response, answered))
        },
      ),
      { numRuns: 300, seed: 3 },
    )
  })
})

/** Every wrong value in every place, on its way to one protocol after another. */
function* each(body: JsonObject): Generator<readonly [text: string, to: Protocol]> {
  let count = 0
  for (const place of placesOf(body)) {
    for (const wrong of WRONG) {
      const to = protocols[count++ % protocols.length]
      if (to !== undefined) yield [withText(body, place, wrong), to]
    }
  }
}

function anyPlace(body: JsonObject): fc.Arbitrary<readonly [Place, Place]> {
  const places = placesOf(body)
  return fc.tuple(fc.constantFrom(...places), fc.constantFrom(...places))
}

/** JSON with the words that these protocols have in it, so that it is not refused at the first look. */
function anyJson(): fc.Arbitrary<Json> {
  const word = fc.constantFrom(
    'type',
    'text',
    'role',
    'content',
    'parts',
    'id',
    'name',
    'tool_use',
    '__proto__',
    'function',
  )
  const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      word,
      fc.string(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(null, true, false),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(word, tie('tree'), { maxKeys: 3 }),
    ),
  }))
  return tree
}
