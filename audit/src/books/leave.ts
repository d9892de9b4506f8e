import { requestOf, type Asked } from '../server/ask.ts'
import type { Form } from '../server/providers.ts'
import { until } from '../server/until.ts'
import type { AuditUpstream } from '../upstream/start-upstream.ts'

/** Sends a call, and leaves when the upstream has come to the point where it waits with it. */
export async function askAndLeave(
  url: string,
  secret: string,
  form: Form,
  asked: Asked,
  upstream: AuditUpstream,
): Promise<void> {
  const leaving = new AbortController()
  const model = asked.model.split('/').at(-1) ?? ''
  const answered = fetch(requestOf(url, secret, form, asked), { signal: leaving.signal })
    // Reads on until it leaves, as a client does.
    .then((response) => response.arrayBuffer())
    .catch(() => undefined)
  await until(`the upstream to wait with ${model}`, () =>
    upstream.of(model).some(({ progress, plan }) => progress === plan.holdAt),
  )
  leaving.abort()
  await answered
}
