import { expect, it } from 'vitest'
import { known, unknownOf } from './extras.ts'

it('finds what is left, down to the objects in it', () => {
  const image = known('type', { image_url: known('url') })
  expect(unknownOf({ type: 'image_url', image_url: { url: 'u' } }, image)).toBeUndefined()
  expect(unknownOf({ type: 'image_url', image_url: { url: 'u', foo: 1 }, bar: null }, image)).toEqual({
    image_url: { foo: 1 },
    bar: null,
  })
})

it('knows no member without a name', () => {
  expect(unknownOf({ '': 1 }, known(''))).toEqual({ '': 1 })
  expect(unknownOf({ a: 1, '': 2 }, known('a '))).toEqual({ '': 2 })
})
