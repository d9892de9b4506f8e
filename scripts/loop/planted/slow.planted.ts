import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'

it('takes three seconds', { timeout: 60_000 }, async () => {
  expect(await sleep(3000, 'ended')).toBe('ended')
})
