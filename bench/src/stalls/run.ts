import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Protocol, ModelResponse } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { plainResponse } from '../corpus/answers.ts'
import { wireResponse } from '../corpus/wire.ts'
import { startChild, type Child } from '../server/child.ts'
import { CALLER_KEY, modelOf, SERVED, SERVER_SCRIPT, serverEnvironment, temporaryFolder } from '../server/gateway.ts'
import { pinOurselves } from '../server/machine.ts'
import type { Pauses } from '../server/probe.ts'
import { baseOf } from '../server/subjects.ts'
import { startSizedUpstream, type SizedUpstream } from '../sized-upstream.ts'
import { describeMachine, fixed, formatTable } from '../table.ts'
import { KINDS, type Kind } from './bodies.ts'

const MODEL = 'bench-model'
const MEGABYTE = 1024 * 1024
/** The largest body that the server processes in its own thread: bodies just below it cause its longest stalls. */
const INLINE = MEGABYTE / 4
const LARGEST = 32 * MEGABYTE

/** Measures how long the server is blocked while it processes one body of each kind. */
export async function printStalls(pace: 'full' | 'quick', only = ''): Promise<void> {
  console.log(`${await describeMachine()}; ${pinOurselves()}`)
  const upstream = await startSizedUpstream(createAnswers())
  const folder = temporaryFolder()
  const env = serverEnvironment(upstream.port, [MODEL], folder)
  const probe = join(import.meta.dirname, '../server/probe.ts')
  const child = await startChild({ script: SERVER_SCRIPT, env, folder, core: 'own', probe })
  try {
    for (const size of pace === 'quick' ? [INLINE] : [INLINE, LARGEST]) {
      const rows: string[][] = []
      for (const kind of KINDS) rows.push(await measure(child, kind, size, only))
      const title = `A request of ${size / MEGABYTE} MB, relayed and translated (worst of ${only === '' ? 'all pairs' : only})`
      console.log(
        formatTable(title, ['kind', 'longest stall, ms', 'longest /healthz, ms', 'answer, ms', 'status'], rows),
      )
    }
    const rows: string[][] = []
    for (const protocol of SERVED) rows.push(await measureAnswer(child, upstream, protocol))
    console.log(
      formatTable(
        'An answer of 32 MB',
        ['upstream', 'longest stall, ms', 'longest /healthz, ms', 'answer, ms', 'status'],
        rows,
      ),
    )
  } finally {
    child.stop()
    upstream.server.close()
  }
}

interface Look {
  readonly stallMs: number
  readonly healthMs: number
  readonly answerMs: number
  readonly status: number
}

async function measure(child: Child, kind: Kind, size: number, only: string): Promise<string[]> {
  const looks: Look[] = []
  for (const client of SERVED) {
    for (const upstream of SERVED) {
      if (!`${client.name} → ${upstream.name}`.includes(only)) continue
      const model = modelOf(upstream.name, MODEL)
      const body = fitted(size, (count) => JSON.stringify(kind.build(client, model, count)))
      looks.push(await look(child, client, model, body))
    }
  }
  return row(kind.name, looks)
}

async function measureAnswer(child: Child, upstream: SizedUpstream, protocol: Protocol): Promise<string[]> {
  upstream.answerSize = LARGEST
  const model = modelOf(protocol.name, MODEL)
  const looks: Look[] = []
  for (const client of SERVED) {
    const body = JSON.stringify(KINDS[0]?.build(client, model, 100) ?? {})
    looks.push(await look(child, client, model, body))
  }
  upstream.answerSize = 0
  return row(protocol.name, looks)
}

function row(name: string, looks: readonly Look[]): string[] {
  const most = (read: (look: Look) => number): string => fixed(Math.max(...looks.map(read)), 0)
  const statuses = [...new Set(looks.map(({ status }) => status))].join(', ')
  return [name, most((each) => each.stallMs), most((each) => each.healthMs), most((each) => each.answerMs), statuses]
}

/** The largest body within the size, estimated from a small one. */
function fitted(size: number, build: (count: number) => string): string {
  let count = size
  for (;;) {
    const text = build(count)
    const length = Buffer.byteLength(text)
    if (length <= size && length > size * 0.9) return text
    count *= (size * 0.97) / length
  }
}

async function look(child: Child, client: Protocol, model: string, body: string): Promise<Look> {
  const { path, headers } = client.http.target('generate', model, false)
  const url = `http://127.0.0.1:${child.port}${baseOf(client)}${path}`
  await child.ask()
  const health = await startHealth(child.port)
  const begun = performance.now()
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${CALLER_KEY}`, 'content-type': 'application/json' },
    body,
  })
  await answer.arrayBuffer()
  const answerMs = performance.now() - begun
  const healthMs = await health.stop()
  const { stallMs } = (await child.ask()) as Pauses // the message of the probe
  return { stallMs, healthMs, answerMs, status: answer.status }
}

/** Requests the health check of the server all the time, in a separate thread. */
async function startHealth(port: number): Promise<{ stop(): Promise<number> }> {
  const worker = new Worker(join(import.meta.dirname, 'health.ts'), { workerData: port })
  await once(worker, 'message')
  return {
    async stop() {
      worker.postMessage('stop')
      const [longest] = (await once(worker, 'message')) as [number]
      await worker.terminate()
      return longest
    },
  }
}

/** A short one for size 0. */
function response(size: number): ModelResponse {
  const short = plainResponse(800)
  if (size === 0) return short
  const parts = [{ type: 'text' as const, text: 'a long answer '.repeat(size / 14) }]
  return { ...short, candidates: [{ parts, finish: { reason: 'stop' } }] }
}

/** Answers in the protocol of the path. Each is written once. */
function createAnswers(): (path: string, size: number) => string {
  const bodies = new Map<string, string>()
  return (path, size) => {
    const protocol = protocols.find(({ name }) => path.startsWith(`/${name}`))
    if (protocol === undefined) return '{}'
    const key = `${protocol.name} ${size}`
    const known = bodies.get(key) ?? JSON.stringify(wireResponse(protocol, response(size)))
    bodies.set(key, known)
    return known
  }
}
