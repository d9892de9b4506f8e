import { expect, it } from 'vitest'
import { json, kept, list, maybe, object, optional, text } from '../lib/grammar/schema.ts'
import { known, unknownOf } from './extras.ts'

const image = object({
  type: text,
  image_url: maybe(object({ url: text })),
  usage: optional(object({ count: text })),
  items: optional(list(object({ a: text }))),
  data: optional(json),
  store: kept,
})

it('finds unknown members, also in nested objects', () => {
  expect(unknownOf({ type: 'image_url', image_url: { url: 'u' } }, known(image))).toBeUndefined()
  expect(unknownOf({ type: 'image_url', image_url: { url: 'u', foo: 1 }, bar: null }, known(image))).toEqual({
    image_url: { foo: 1 },
    bar: null,
  })
})

it('does not look into lists, nor into data', () => {
  expect(unknownOf({ items: [{ a: '', b: 1 }], data: { c: 1 }, image_url: null }, known(image))).toBeUndefined()
})

it('leaves what is kept as it came, and what a decoder does not read', () => {
  expect(unknownOf({ store: true }, known(image))).toEqual({ store: true })
  expect(unknownOf({ type: 'a', usage: {} }, known(image, { unread: ['usage'] }))).toEqual({ usage: {} })
})

it('leaves the leftovers of an object to its own decoder', () => {
  expect(unknownOf({ usage: { count: '', more: 1 } }, known(image, { apart: ['usage'] }))).toBeUndefined()
  const inside = { usage: known(object({ more: text })) }
  expect(unknownOf({ usage: { count: '', more: '' } }, known(image, { inside }))).toEqual({ usage: { count: '' } })
})

it('knows only the named members', () => {
  expect(unknownOf({ '': 1 }, known(image))).toEqual({ '': 1 })
})
