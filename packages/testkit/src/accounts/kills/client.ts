import { bodyOf, type Plan } from './plan.ts'

/** How a call ended for its client. A number is the status of an answer that was received whole. */
export type CallEnd = number | 'left' | 'lost'

/** Sends a call, and reads the answer to its end, unless the plan wants the client to leave in the middle of it. */
export async function sendCall(url: string, secret: string, plan: Plan): Promise<CallEnd> {
  const leaving = new AbortController()
  try {
    const response = await fetch(`${url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: bodyOf(plan),
      signal: leaving.signal,
    })
    if (plan.do !== 'linger' || response.status !== 200) {
      await response.arrayBuffer()
      return response.status
    }
    await response.body?.getReader().read()
    leaving.abort()
    return 'left'
  } catch {
    // The instance was killed, or the upstream has broken off the stream.
    return 'lost'
  }
}
