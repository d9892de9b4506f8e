import { expect, it } from 'vitest'
import { loadKeys } from './keys.ts'

it('operations belong to the owner of a key, and a key without one is its own owner', async () => {
  const { keys } = loadKeys(
    {},
    {
      keys: [
        { name: 'one', secret: 'secret-one-0123456789', owner: 'ann' },
        { name: 'two', secret: 'secret-two-0123456789', owner: 'ann' },
        { name: 'three', secret: 'secret-three-0123456789' },
        { name: 'four', secret: 'secret-four-0123456789' },
      ],
    },
    '',
  )
  const owners = await Promise.all(
    ['one', 'two', 'three', 'four'].map(async (name) => (await keys.find(`secret-${name}-0123456789`))?.owner),
  )
  expect(owners.slice(0, 2)).toEqual(['ann', 'ann'])
  // Not by name, which another key may have later.
  expect(owners.slice(2)).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)])
  expect(new Set(owners).size).toBe(3)
})
