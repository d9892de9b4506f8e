import { describe, expect, it } from 'vitest'
import { allRecords } from './check-books.ts'
import { createWorld, settled } from './world.ts'

const DAY_MS = 86_400_000

describe('bodies of calls', () => {
  const ask = async (bodies: { days: number; redact: readonly string[] } | undefined, content: string) => {
    const world = createWorld()
    const { secret } = await world.create({ bodies })
    const { chat, accounts } = world.instance()
    await chat(secret, { messages: [{ role: 'user', content }] })
    await settled()
    await accounts.flush()
    const [record] = await allRecords(world.store)
    const stored = await world.store.bodies(record?.id ?? '')
    return { world, secret, stored, id: record?.id ?? '' }
  }

  it('are not stored unless the key asks for it', async () => {
    expect((await ask(undefined, 'Hello.')).stored).toBeUndefined()
  })

  it('are stored without media, secrets, and what the key wants redacted', async () => {
    const image = 'iVBORw0K'.repeat(100)
    const content = `Call 555-0100 with sk-abcdefghijklmnopqrstuvwx and data:image/png;base64,${image}`
    const { stored, secret } = await ask({ days: 1, redact: ['\\d{3}-\\d{4}'] }, content)
    expect(stored?.request).toContain('Call [redacted] with [redacted] and [media: 600 bytes]')
    expect(stored?.answer).toContain('"content":"Hi."')
    expect(JSON.stringify(stored)).not.toContain(secret)
  })

  it('are deleted after their time', async () => {
    const { world, id } = await ask({ days: 1, redact: [] }, 'Hello.')
    world.clock.advance(DAY_MS + 3_600_000)
    await settled()
    await world.pass(20_000)
    expect(await world.store.bodies(id)).toBeUndefined()
  })

  it('are not stored at all if an expression of the key is not valid', async () => {
    const { stored, world } = await ask({ days: 1, redact: ['('] }, 'Hello.')
    expect(stored).toBeUndefined()
    expect(world.failures).toHaveLength(1)
  })
})

describe('records', () => {
  it('are deleted in small steps when they are old', async () => {
    const world = createWorld()
    const { secret, key } = await world.create({ budgets: { total: 1_000_000_000 } })
    const { chat, accounts } = world.instance({ retention: { records: 1 } })
    await chat(secret)
    await accounts.flush()
    world.clock.advance(DAY_MS + 3_600_000)
    await settled()
    await world.pass(20_000)
    expect(await allRecords(world.store)).toEqual([])
    expect(await world.store.balances(key.id)).toMatchObject([{ spent: 60_000n }])
  })
})
