import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle, startWorker } from './workerd.ts'

describe('the worker', () => {
  let worker: Awaited<ReturnType<typeof startWorker>>
  beforeAll(async () => {
    worker = await startWorker({})
  })
  afterAll(() => worker.stop())

  it('refuses every call if it has no keys', async () => {
    const answer = await fetch(`${worker.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer undefined', 'content-type': 'application/json' },
      body: '{}',
    })
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ error: { type: 'authentication_error' } })
  })

  it('[chat.unsupported] refuses fields that the specification does not accept, if its binding is set', async () => {
    const strict = await startWorker({ DRAGOMAN_KEYS: 'sk-strict', DRAGOMAN_UNSUPPORTED_FIELDS: 'refuse' })
    const answer = await fetch(`${strict.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-strict', 'content-type': 'application/json' },
      body: '{"model":"sim/chat-1","messages":[{"role":"user","content":"hi"}],"seed":7}',
    })
    const body = await answer.text()
    await strict.stop()
    expect(answer.status).toBe(400)
    expect(body).toContain('the binding DRAGOMAN_UNSUPPORTED_FIELDS')
  })

  it('does not use Node modules', async () => {
    expect(await bundle()).not.toMatch(/from ?"node:|require\("/)
  })
})
