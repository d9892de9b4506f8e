import { expect, it } from 'vitest'
import { createPlaces } from '../src/places.ts'

it('still knows who has a call under way after thousands of other callers', () => {
  const places = createPlaces({ concurrency: 10, perKey: 1 })
  places.take('busy')
  for (let i = 0; i < 5000; i++) {
    places.take(`caller ${i}`)
    places.free(`caller ${i}`)
  }
  expect(() => places.take('busy')).toThrow('1 calls under way')
  places.free('busy')
  places.take('busy')
  expect(() => places.take('busy')).toThrow('1 calls under way')
})

it('counts all callers together', () => {
  const places = createPlaces({ concurrency: 2, perKey: 2 })
  places.take('a')
  places.take('b')
  expect(() => places.take('c')).toThrow('as many calls')
  places.free('a')
  places.take('c')
})
