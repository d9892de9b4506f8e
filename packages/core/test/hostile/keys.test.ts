import { translate, translateResponse, type Json, type JsonObject } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { BODIES_OF } from '../bodies/bodies-of.ts'
import type { Bodies } from '../bodies/shared.ts'
import { withMember } from './paths.ts'
import { mustSurviveError, mustSurviveRequest, mustSurviveResponse, mustSurviveStream, streamOf } from './survive.ts'

// Names that every object inherits, as members of every object of a body.
const MEMBERS = [
  '"__proto__":{"polluted":1}',
  '"constructor":{"prototype":{"polluted":1}}',
  '"toString":1',
  '"hasOwnProperty":null',
  '"then":true',
  '"":0',
  '"\\ud800":"\\udfff"',
]

describe.each(protocols)('in $name', (protocol) => {
  const bodies = BODIES_OF[protocol.name] as Bodies // one per protocol

  describe.each(MEMBERS)('a member %s', (member) => {
    it.each(protocols)('changes nothing in a translation to $name', (to) => {
      mustSurviveRequest(protocol, to, withMember(bodies.request, member))
      mustSurviveResponse(protocol, to, withMember(bodies.response, member))
      mustSurviveError(protocol, to, withMember(bodies.error, member))
      const events = bodies.events.map((event) => withMember(event, member))
      mustSurviveStream(protocol, to, streamOf(protocol, events))
    })
  })

  it('is kept like any other name in the same protocol', () => {
    const kept = (name: string) => {
      const [asked, answered] = [bodies.request, bodies.response].map(
        ({ metadata: _texts, logit_bias: _numbers, ...body }) =>
          JSON.parse(withMember(body, `"${name}":"1"`)) as JsonObject, // the same object
      )
      const { body } = translate(protocol, protocol, protocol.request.check(asked), { match: { model: 'm' } })
      return [body, translateResponse(protocol, protocol, answered ?? {}).body].map((wire) => count(wire, name))
    }
    expect(kept('__proto__')).toEqual(kept('another'))
    expect(Math.min(...kept('__proto__'))).toBeGreaterThan(10)
  })

  it('is read once if it occurs twice, as JSON.parse does', () => {
    const twice = (body: JsonObject) => withMember(body, '"type":"text","text":"first","role":"user","id":1')
    for (const to of protocols) {
      mustSurviveRequest(protocol, to, twice(bodies.request))
      mustSurviveResponse(protocol, to, twice(bodies.response))
      mustSurviveError(protocol, to, twice(bodies.error))
      mustSurviveStream(protocol, to, streamOf(protocol, bodies.events.map(twice)))
    }
  })
})

/** The number of objects that have their own member with this name. */
function count(node: Json | undefined, name: string): number {
  if (typeof node !== 'object' || node === null) return 0
  const inside = Object.values(node as JsonObject).reduce((sum: number, value) => sum + count(value, name), 0)
  return inside + (Object.hasOwn(node, name) ? 1 : 0)
}
