import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { ANSWERS_OF, type Answers } from './answers.ts'
import type { LedgerEntry, UpstreamLedger } from './ledger.ts'
import { DEFAULT_PLAN, type Plan, type Point } from './plan.ts'

/** An upstream over real sockets that writes down every call, and does with it what was planned for its model. */
export interface AuditUpstream extends UpstreamLedger {
  readonly url: string
  /** What it does with calls of a model, or with all that have no plan. */
  plan(plan: Plan, model?: string): void
  /** Lets the calls that wait go on: those of a model, or all of them and all that come later. */
  release(model?: string): void
  /** Calls that wait now. */
  waiting(): number
  close(): Promise<void>
}

export async function startUpstream(): Promise<AuditUpstream> {
  const entries: LedgerEntry[] = []
  const plans = new Map<string | undefined, Plan>([[undefined, DEFAULT_PLAN]])
  const gates = new Map<string, PromiseWithResolvers<void>>()
  let isOpen = false
  const waitFor = async (model: string): Promise<void> => {
    if (isOpen) return
    const gate = gates.get(model) ?? Promise.withResolvers<void>()
    gates.set(model, gate)
    await gate.promise
  }
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    const path = new URL(request.url ?? '/', 'http://upstream').pathname
    const [answers, model, isStream] = askedOf(path, body)
    if (answers === undefined)
      return void response.writeHead(path.includes('/operations/') ? 200 : 404, JSON_TYPE).end(operation(path))
    const plan = plans.get(model) ?? plans.get(undefined) ?? DEFAULT_PLAN
    const entry: LedgerEntry = {
      number: entries.length,
      model,
      path,
      body,
      plan,
      progress: 'received',
      hasReported: false,
      isLeft: false,
    }
    entries.push(entry)
    response.on('close', () => {
      if (!response.writableFinished && entry.progress !== 'broken') entry.isLeft = true
    })
    await answer(entry, response, answers(plan, model, isStream), () => waitFor(model))
  }
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  const release = (model?: string): void => {
    if (model === undefined) isOpen = true
    for (const [name, gate] of gates) {
      if (model !== undefined && model !== name) continue
      gates.delete(name)
      gate.resolve()
    }
  }
  return {
    url: `http://127.0.0.1:${port}`,
    entries,
    of: (model) => entries.filter((entry) => entry.model === model),
    plan: (plan, model) => void plans.set(model, plan),
    release,
    waiting: () => entries.filter(({ progress, plan }) => progress === plan.holdAt).length,
    async close() {
      release()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** Writes an answer point by point. Stops where the plan breaks it off, or where its reader has gone. */
async function answer(
  entry: LedgerEntry,
  response: ServerResponse,
  { type, words, firstCounts, usage }: ReturnType<Answers>,
  wait: () => Promise<void>,
): Promise<void> {
  const { plan } = entry
  const pass = async (point: Point): Promise<boolean> => {
    entry.progress = point
    if (plan.holdAt === point) await wait()
    if (plan.breakAt !== point) return true
    entry.progress = 'broken'
    // What was written before must arrive before the end of the connection.
    setImmediate(() => response.destroy())
    return false
  }
  const [first = '', ...rest] = words
  if (plan.delayMs !== undefined) await pause(plan.delayMs)
  if (!(await pass('before-head'))) return
  if (plan.status !== undefined) {
    entry.progress = 'refused'
    const error = { message: 'The upstream refuses it.', type: 'server_error', code: null }
    response.writeHead(plan.status, JSON_TYPE).end(JSON.stringify({ type: 'error', error }))
    return
  }
  response.writeHead(200, { 'content-type': type })
  response.flushHeaders()
  if (!(await pass('before-body'))) return
  await write(response, first)
  if (firstCounts !== undefined && !entry.isLeft) entry.reportedSoFar = firstCounts
  if (!(await pass('in-the-middle'))) return
  for (const word of rest) await write(response, word)
  if (!(await pass('before-usage'))) return
  entry.hasReported = !entry.isLeft
  entry.progress = 'ended'
  response.end(usage)
}

/** Resolves when the text is handed to the system. */
function write(response: ServerResponse, chunk: string): Promise<void> {
  return new Promise((resolve) => response.write(chunk, () => resolve()))
}

/** The protocol, the model and whether a stream is wanted. */
function askedOf(path: string, body: string): readonly [Answers | undefined, string, boolean] {
  const [, named = '', action = ''] = /\/models\/([^:/]+):(\w+)$/.exec(path) ?? []
  const model = decodeURIComponent(named)
  if (action === 'generateContent' || action === 'streamGenerateContent')
    return [ANSWERS_OF.genai, model, action === 'streamGenerateContent']
  if (action === 'predict') return [ANSWERS_OF.predict, model, false]
  if (action === 'predictLongRunning') return [ANSWERS_OF.video, model, false]
  if (path.includes('/operations/') || body === '') return [undefined, '', false]
  const asked = JSON.parse(body) as { model?: string; stream?: boolean } // a request, as the server writes them
  const answers = Object.entries(ANSWERS_OF_PATH).find(([end]) => path.endsWith(end))?.[1]
  return [answers, asked.model ?? '', asked.stream === true]
}

const ANSWERS_OF_PATH: Readonly<Record<string, Answers>> = {
  '/chat/completions': ANSWERS_OF.chat,
  '/messages': ANSWERS_OF.messages,
  '/responses': ANSWERS_OF.responses,
  '/images/generations': ANSWERS_OF.images,
  '/rerank': ANSWERS_OF.rerank,
}

/** The state of a video: it is being made. */
function operation(path: string): string {
  const [name = ''] = /models\/.*$/.exec(path) ?? []
  return JSON.stringify(
    path.includes('/operations/') ? { name, done: false } : { error: { message: `No ${path} here.` } },
  )
}
