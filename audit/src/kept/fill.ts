import { ask, read, requestOf, type Answered } from '../server/ask.ts'
import { createAdmin, type Admin } from '../server/admin.ts'
import { until } from '../server/until.ts'
import type { AuditUpstream } from '../upstream/start-upstream.ts'
import { CONFIGURED_SECRET, MODEL, UPSTREAM_MODEL, type Expected } from './expected.ts'
import { lookAt } from './look-at.ts'
import type { Deployment } from './deployment.ts'

/** What the upstream reports for each call: by hand, 8,000 nano-dollars of gpt-5.6-luna (0.2 and 1.2 dollars per million tokens). */
const BILLS = { input: 10, output: 5 }

/** Each look is an entry in the audit log. */
const SLOWLY_MS = 1000

type Secrets = { [name: string]: string }

/** Puts keys, calls of all outcomes, a video and an open call into a place, by HTTP alone, so that it works with every version. */
export async function fill(deployment: Deployment, upstream: AuditUpstream): Promise<Expected> {
  upstream.plan({ bills: BILLS })
  const first = await deployment.start('local')
  const admin = createAdmin(first.url, () => first.adminSecret())
  const secrets = await createKeys(admin)
  const { working } = secrets
  const plain = working['plain'] ?? ''
  if (deployment.kind === 'server') await ask(first.url, await localKeyOf(first.lines), 'chat', { model: MODEL })
  const kept = await makeCalls(first.url, working, upstream)
  const video = await beginVideo(first.url, plain)
  await until(
    'all calls to be settled',
    async () => (await admin.records()).length >= (deployment.kind === 'server' ? 11 : 10),
    SLOWLY_MS,
  )
  await first.stop()

  const second = await deployment.start('configured')
  await ask(second.url, CONFIGURED_SECRET, 'chat', { model: MODEL })
  await until(
    'the call of the configured key to be settled',
    async () =>
      (await createAdmin(second.url, () => secrets.admin).records()).some(({ key }) => key === 'ci' || key === 'key-1'),
    SLOWLY_MS,
  )
  await leaveOpen(second.url, plain, upstream)
  await second.kill()

  const third = await deployment.start('configured')
  const later = createAdmin(third.url, () => secrets.admin)
  await until(
    'the open call to be charged',
    async () => (await later.records()).some(({ outcome }) => outcome === 'cut'),
    SLOWLY_MS,
  )
  const seen = await lookAt(later)
  await leaveOpen(third.url, plain, upstream)
  await third.kill()
  const cut = seen.records.find(({ outcome }) => outcome === 'cut')
  return {
    ...secrets,
    ...(deployment.kind === 'server' ? { local: await localKeyOf(first.lines) } : {}),
    configured: CONFIGURED_SECRET,
    ...seen,
    bodies: kept,
    video: { name: video, key: 'plain' },
    open: { key: String(cut?.['key']), cost: String(cut?.['cost']) },
  }
}

async function createKeys(admin: Admin): Promise<{ working: Secrets; refused: Secrets; admin: string }> {
  const create = async (name: string, settings: object = {}) => admin.createKey({ name, ...settings })
  const budgets = { day: '7', week: '20', month: '50.5', total: '100' }
  const plain = await create('plain', { owner: 'ann', labels: { team: 'blue' }, budgets: { total: '9' } })
  const limited = await create('limited', {
    limits: { requestsPerMinute: 600, tokensPerMinute: 1_000_000, concurrent: 5 },
    budgets,
  })
  const restricted = await create('restricted', { models: [MODEL], providers: ['openai'] })
  const keeper = await create('keeper', { owner: 'ann', bodies: { days: 365, redact: ['\\d{4}-\\d{4}'] } })
  const rotated = await create('rotated', { owner: 'bob' })
  const { body } = await admin.ask('POST', `/keys/${rotated.id}/rotate`, { overlapSeconds: 60 })
  const disabled = await create('disabled')
  await admin.ask('PATCH', `/keys/${disabled.id}`, { disabled: true })
  const revoked = await create('revoked')
  await admin.ask('DELETE', `/keys/${revoked.id}`)
  const expired = await create('expired', { expiresAt: '2026-01-01T00:00:00Z' })
  const second = await create('second admin', { scopes: ['admin'] })
  return {
    working: {
      plain: plain.secret,
      limited: limited.secret,
      restricted: restricted.secret,
      keeper: keeper.secret,
      rotated: String(body['secret']),
    },
    refused: { disabled: disabled.secret, revoked: revoked.secret, expired: expired.secret },
    admin: second.secret,
  }
}

/** One call of every outcome but `cut`, and of every kind of key. Returns the bodies that are kept of one. */
async function makeCalls(url: string, secrets: Secrets, upstream: AuditUpstream): Promise<Expected['bodies']> {
  const { plain = '', limited = '', restricted = '', keeper = '', rotated = '' } = secrets
  const chat = (secret: string, more: object = {}): Promise<Answered> =>
    ask(url, secret, 'chat', { model: MODEL, maxTokens: 100, ...more })
  await chat(plain)
  await chat(plain, { stream: true })
  await ask(url, limited, 'messages', { model: 'anthropic/claude-haiku-4.5', stream: true })
  await ask(url, limited, 'genai', { model: 'google/gemini-3.5-flash' })
  await chat(restricted)
  await chat(rotated)
  const { requestId } = await chat(keeper, { prompt: 'My number is 1234-5678.' })
  upstream.plan({ bills: BILLS, status: 400 }, UPSTREAM_MODEL)
  await chat(plain)
  upstream.plan({ bills: BILLS, breakAt: 'in-the-middle' }, UPSTREAM_MODEL)
  await chat(plain, { stream: true })
  upstream.plan({ bills: BILLS, holdAt: 'in-the-middle' }, UPSTREAM_MODEL)
  await leave(url, limited)
  upstream.release(UPSTREAM_MODEL)
  upstream.plan({ bills: BILLS }, UPSTREAM_MODEL)
  return { id: requestId, request: 'My number is [redacted].', answer: 'The harbour is quiet.' }
}

/** Leaves in the middle of a stream. */
async function leave(url: string, secret: string): Promise<void> {
  const leaving = new AbortController()
  const asked = { model: MODEL, stream: true, maxTokens: 100 }
  const response = await fetch(requestOf(url, secret, 'chat', asked), { signal: leaving.signal })
  await response.body?.getReader().read()
  leaving.abort()
}

async function beginVideo(url: string, secret: string): Promise<string> {
  const { text, status } = await read(
    new Request(`${url}/api/vertex-ai/v1/publishers/google/models/veo-3.1-generate-001:predictLongRunning`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ instances: [{ prompt: 'A lighthouse.' }], parameters: { durationSeconds: 4 } }),
    }),
  )
  if (status !== 200) throw new Error(`The video was refused: ${text}`)
  return (JSON.parse(text) as { name: string }).name // the name of an operation
}

/** A call that the upstream has, and does not answer. All of them have the same estimate. */
async function leaveOpen(url: string, secret: string, upstream: AuditUpstream): Promise<void> {
  upstream.plan({ bills: BILLS, holdAt: 'before-head' }, UPSTREAM_MODEL)
  const before = upstream.entries.length
  void ask(url, secret, 'chat', { model: MODEL, maxTokens: 100 })
  await until('the upstream to get the call', () => upstream.entries.length > before)
}

async function localKeyOf(lines: readonly string[]): Promise<string> {
  const find = (): string | undefined => lines.map((line) => /^local key\s+(\S+)/.exec(line)?.[1]).find((key) => key)
  await until('the greeting', () => find() !== undefined)
  return find() ?? ''
}
