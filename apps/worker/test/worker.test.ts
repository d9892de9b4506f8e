import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle, startWorker } from './workerd.ts'

describe('the worker', () => {
  let worker: Awaited<ReturnType<typeof startWorker>>
  beforeAll(async () => {
    worker = await startWorker({})
  }, 60_000)
  afterAll(() => worker.stop())

  it('admits nobody when it has no keys', async () => {
    const answer = await fetch(`${worker.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer undefined', 'content-type': 'application/json' },
      body: '{}',
    })
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ error: { type: 'authentication_error' } })
  })

  it('needs nothing of Node', async () => {
    expect(await bundle()).not.toMatch(/from ?"node:|require\("/)
  })
})
