import type { Json } from '@dragoman/core'
import * as fc from 'fast-check'

/** JSON with names of these protocols in it, so that it is not refused at once. */
export function anyJson(): fc.Arbitrary<Json> {
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
