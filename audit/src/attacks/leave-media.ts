import { dollarsOf } from '../money/nanos.ts'
import type { Scenario } from '../scenario.ts'
import { settled } from '../server/settled.ts'
import { until } from '../server/until.ts'
import { vendors } from '../server/vendors.ts'

const CALLS = [
  {
    title: 'an image',
    path: '/api/v1/images/generations',
    body: { model: 'openai/gpt-image-2', prompt: 'A pier at night.', size: '1024x1024', quality: 'medium' },
  },
  {
    title: 'a video',
    path: '/api/vertex-ai/v1/publishers/google/models/veo-3.1-generate-001:predictLongRunning',
    body: { instances: [{ prompt: 'A pier at night.' }], parameters: { durationSeconds: 4 } },
  },
]

export const leaveMedia: Scenario = {
  name: 'leave-media',
  waits: true,
  attack: 'Callers ask for images and videos, and leave when the upstream has the request; or the upstream breaks off.',
  rule: 'The bill for the media is charged, marked as an estimate.',
  before: 'nothing was charged',
  async run({ upstream, start, check }) {
    const server = await start({
      environment: vendors(upstream.url),
      config: { routing: { retries: 0, breaker: { faults: 1000 } } },
    })
    const { secret } = await server.admin.createKey({ name: 'attacker', budgets: { total: '100' } })
    let known = 0
    for (const how of ['leave', 'break'] as const)
      for (const { title, path, body } of CALLS) {
        const bills = { input: 10, output: 1000 }
        upstream.plan(how === 'leave' ? { bills, holdAt: 'before-head' } : { bills, breakAt: 'in-the-middle' })
        const leaving = new AbortController()
        const before = upstream.entries.length
        const answered = fetch(server.url + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
          signal: leaving.signal,
        })
          .then((response) => response.text())
          .catch(() => 'left')
        await until('the upstream to get the call', () => upstream.entries.length > before)
        if (how === 'leave') leaving.abort()
        await answered
        const records = await settled(server, ++known)
        const { nanos, estimated } = records.at(-1) ?? { nanos: 0n, estimated: false }
        check(
          `${title}, ${how}: its bill is charged as an estimate`,
          nanos > 0n && estimated,
          `${dollarsOf(nanos)}${estimated ? ', estimated' : ''}`,
        )
      }
  },
}
