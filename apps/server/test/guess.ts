import { createSecret } from '@dragoman/accounts'
import type { ServerProcess } from './process.ts'

const CHAT = JSON.stringify({ model: 'sim/chat-1', messages: [{ role: 'user', content: 'Hi' }] })

/** The status of a call with a key. */
export async function statusOf(
  { url }: ServerProcess,
  secret: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const answer = await fetch(`${url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
    body: CHAT,
  })
  await answer.text()
  return answer.status
}

/** A network of its own, behind the trusted proxy that the test is. */
export const from = (network: number) => ({ 'x-forwarded-for': `198.51.${network}.1` })
/** With the bearer they are three wrong keys of one call, so that the longest delay is reached soon. */
export const guesses = () => ({ 'x-api-key': createSecret(), 'x-goog-api-key': createSecret() })
