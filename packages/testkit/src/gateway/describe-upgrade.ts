import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'

const WEBSOCKET = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'OpenAI-Beta: responses_websockets=2026-02-06',
]

/** Codex tries a websocket first, and turns to HTTP at once after a 426 only. */
export function describeUpgrade(gateway: () => { readonly url: string; readonly key: string }): void {
  const call = (path: string, headers: readonly string[]): Promise<string> => {
    const { hostname, port, host } = new URL(gateway().url)
    const head = [`GET ${path} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${gateway().key}`, ...headers, '', '']
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(head.join('\r\n')))
      let text = ''
      socket.setEncoding('utf8')
      socket.once('error', reject)
      socket.once('close', () => resolve(text))
      socket.on('data', (piece: string) => {
        text += piece
        const [, length] = /^content-length: (\d+)\r$/im.exec(text) ?? []
        const body = text.split('\r\n\r\n')[1]
        const isWhole = length === undefined ? text.endsWith('\r\n0\r\n\r\n') : body?.length === Number(length)
        if (isWhole) socket.destroy()
      })
    })
  }

  describe('an upgrade', () => {
    it.each(['/api/v1/responses', '/api/v1/chat/completions', '/api/anthropic/v1/messages', '/nowhere', '/'])(
      '[resp.websocket] to a websocket is answered with 426 at %s',
      async (path) => {
        const answer = await call(path, WEBSOCKET)
        expect(answer).toMatch(/^HTTP\/1\.1 426 /)
        expect(answer).toContain('"error":{')
        expect(answer).toContain('send the request by HTTP')
      },
    )

    it('to another protocol is ignored', async () => {
      const answer = await call('/api/v1/models', [
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABk',
      ])
      expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    })
  })
}
