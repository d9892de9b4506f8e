import { expect, it } from 'vitest'
import { findGaps } from '../src/gaps.ts'
import { readTypes } from '../src/read-types.ts'

it('finds each kind of gap between two types, and nothing else', () => {
  const gaps = readTypes('test/planted-types.ts', (read) => {
    const types = read('Planted')
    const [theirs, ours] = [types.get('theirs'), types.get('ours')]
    return theirs && ours && [...findGaps(theirs, ours)].sort()
  })
  expect(gaps).toEqual([
    'blocks=sketch', // one kind of two
    'blocks=sound', // a kind
    'body.either=list', // a value of another type
    'body.level=high', // a value that ours would pass on, but does not know
    'body.limit?', // a member that ours requires
    'body.mode=off', // a value of an enum
    'body.name=string', // any text, where ours has a list
    'body.size=number', // a value of another type
    'counts.value=many', // a value of a map
    'text.mood', // a member of one kind
  ])
})
