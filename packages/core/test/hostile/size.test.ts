import type { JsonObject, Protocol } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { describe, it } from 'vitest'
import { BODIES_OF } from '../bodies/bodies-of.ts'
import type { Bodies } from '../bodies/shared.ts'
import { pathsIn, withText } from './paths.ts'
import { mustSurviveError, mustSurviveRequest, mustSurviveResponse, mustSurviveStream, streamOf } from './survive.ts'

/** Three times what the smallest recursive function survives on the stack of this test: 3,100 calls. More is mostly the time of JSON.parse. */
const DEEP = 10_000
const WIDE = 20_000

const LARGE: readonly (readonly [name: string, text: () => string])[] = [
  ['an object 10000 levels deep', () => '{"a":'.repeat(DEEP) + '1' + '}'.repeat(DEEP)],
  ['a list 10000 levels deep', () => '['.repeat(DEEP) + ']'.repeat(DEEP)],
  ['blocks 10000 levels deep', () => nested('[{"type":"tool_result","tool_use_id":"a","content":', '[]', '}]')],
  ['parts 10000 levels deep', () => nested('{"parts":[{"functionResponse":{"response":', '1', '}}]}')],
  ['a schema 10000 levels deep', () => nested('{"type":"object","properties":{"a":', '{}', '}}')],
  ['a list of 20000 blocks', () => `[${'{"type":"text","text":"x"},'.repeat(WIDE)}{}]`],
  ['an object of 20000 members', () => `{${Array.from({ length: WIDE }, (_, index) => `"k${index}":1`).join(',')}}`],
  ['a text of a million characters', () => `"${'x'.repeat(1_000_000)}"`],
]

describe.each(protocols)('in $name', (protocol) => {
  const bodies = BODIES_OF[protocol.name] as Bodies // one per protocol

  it.each(LARGE)(
    '%s is refused, reported, or translated',
    (_name, text) => {
      const large = text()
      for (const [body, to] of few(bodies.request, large)) mustSurviveRequest(protocol, to, body)
      for (const [body, to] of few(bodies.response, large)) mustSurviveResponse(protocol, to, body)
      for (const [body, to] of few(bodies.error, large)) mustSurviveError(protocol, to, body)
      const events = bodies.events.map((event) => JSON.stringify(event))
      for (const [index, to] of protocols.entries()) {
        const [body = ''] = few(bodies.events[index] ?? {}, large).at(index) ?? []
        mustSurviveStream(protocol, to, streamOf(protocol, events.with(index, body)))
      }
    },
    60_000,
  )
})

function nested(open: string, inside: string, close: string): string {
  const levels = open.split(/[[{]/).length - 1
  return open.repeat(DEEP / levels) + inside + close.repeat(DEEP / levels)
}

/** The body with the large value at its top, in its middle and deep inside, each translated to another protocol. */
function few(body: JsonObject, large: string): (readonly [text: string, to: Protocol])[] {
  const paths = pathsIn(body)
  return protocols.map((to, index) => {
    const path = paths[Math.floor((paths.length * index) / protocols.length)] ?? []
    return [withText(body, path, large), to]
  })
}
