import { expect, it } from 'vitest'
import type { Send } from './ask.ts'
import type { Dialogue, Wire } from './dialogue.ts'

/** How every door reads the bytes of a body. */
export function describeBodies(dialogue: Dialogue, send: Send, key: () => string): void {
  const model = `sim/${dialogue.protocol}-1`
  const text = JSON.stringify(dialogue.ask(model, 'Hello', 'whole'))
  const post = (headers: Record<string, string>, body: BodyInit): Promise<Response> =>
    send(dialogue.path(model, 'whole'), { method: 'POST', headers: { ...dialogue.headers(key()), ...headers }, body })
  const expectError = async (answer: Response, status: number): Promise<void> => {
    expect(answer.status).toBe(status)
    expect(dialogue.error((await answer.json()) as Wire).type).toBe(dialogue.errorTypes[status])
  }

  it.each(['gzip', 'deflate'] as const)(
    '[err.native] takes bodies in %s, and reports what is wrong with one',
    async (how) => {
      const headers = { 'content-encoding': how }
      const packed = await pack(text, how)
      const answer = await post(headers, packed)
      expect(answer.status).toBe(200)
      expect(dialogue.text((await answer.json()) as Wire)).toContain('Hello')
      await expectError(await post(headers, text), 400)
      await expectError(await post(headers, packed.slice(0, -6)), 400)
      await expectError(await post({ 'content-encoding': 'rot13' }, text), 415)
    },
  )

  it('[err.native] [auth.messages.content-type] refuses form bodies', async () => {
    await expectError(await post({ 'content-type': 'application/x-www-form-urlencoded' }, text), 415)
    await expectError(await post({ 'content-type': 'multipart/form-data; boundary=x' }, '--x--'), 415)
    expect((await post({ 'content-type': 'Application/JSON; charset=utf-8' }, text)).status).toBe(200)
  })
}

async function pack(text: string, how: 'gzip' | 'deflate'): Promise<ArrayBuffer> {
  return new Response(new Blob([text]).stream().pipeThrough(new CompressionStream(how))).arrayBuffer()
}
