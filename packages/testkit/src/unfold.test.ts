import { unfold } from '@dragoman/core/provider'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { streamedResponse } from './generators/response.ts'
import { foldOf } from './generators/stream.ts'

const WORLD = { protocol: 'chat', issuer: 'openai' }

it('the events of a whole response fold to the same response', () => {
  fc.assert(
    fc.property(streamedResponse(WORLD), (response) => {
      expect(foldOf([...unfold(response)])).toEqual(response)
    }),
  )
})

it('texts are cut as asked, and not lost', () => {
  const response = {
    candidates: [{ parts: [{ type: 'text', text: 'a b c' } as const], finish: { reason: 'stop' } as const }],
  }
  const events = [...unfold(response, (text) => text.split(/(?= )/))]
  expect(events.flatMap((event) => (event.type === 'block-delta' ? event.text : []))).toEqual(['a', ' b', ' c'])
})
