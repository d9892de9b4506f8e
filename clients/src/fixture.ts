import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cell, Client, Protocol } from './client.ts'
import type { Observed } from './observed.ts'
import type { Exchange } from './recorder.ts'
import { sanitize } from './sanitize.ts'
import { KEY } from './server.ts'
import { UPSTREAM_OF } from './upstreams.ts'

/** A request of a client, without secrets, machine paths, ids and long prompts. */
export interface RecordedRequest {
  /** The upstream that had answered before, whose seals the request has. */
  readonly upstream: Protocol
  readonly scenario: Cell['scenario']
  readonly method: string
  /** `MODEL` stands for the model, as in the body. */
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body?: unknown
}

/** The content of a file in fixtures/. */
export interface Fixture {
  readonly client: string
  readonly protocol: Protocol
  readonly echoes: Client['echoes']
  readonly requests: readonly RecordedRequest[]
}

export const FIXTURES = join(import.meta.dirname, '../fixtures')
export const MODEL = 'MODEL'

const HEADERS = /^(accept|content-type|authorization|x-api-key|x-goog-.+|anthropic-.+)$/

/** The requests of a run that are worth replaying: the first and the last of each kind. */
export function requestsOf({ exchanges, cell, folder }: Observed): RecordedRequest[] {
  if (cell.scenario !== 'question' && cell.scenario !== 'tools') return []
  const kept = [...Map.groupBy(exchanges, kindOf).values()].map((group) => group.at(-1) as Exchange) // groups are not empty
  const seen = cell.scenario === 'tools' ? kept.filter(({ body }) => body !== '' && !isRemembered(body)) : kept
  return seen.map((exchange) => recorded(exchange, cell, folder))
}

/** Requests are written one per line, so that a change of one is easy to see. `isKept`: whether recorded requests of a run are kept. */
export function writeFixture(
  { name, title, protocol, echoes }: Client,
  requests: readonly RecordedRequest[],
  isKept: (run: Pick<RecordedRequest, 'scenario' | 'upstream'>) => boolean,
): void {
  const file = join(FIXTURES, `${name}.json`)
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Fixture).requests.filter(isKept) : [] // written below
  const unique = [
    ...new Map(
      [...kept, ...requests].map((request) => [JSON.stringify({ ...request, upstream: '', scenario: '' }), request]),
    ).values(),
  ]
  const head = JSON.stringify({ client: title, protocol, echoes }).slice(0, -1)
  const lines = unique.map((request) => JSON.stringify(request)).join(',\n')
  mkdirSync(FIXTURES, { recursive: true })
  writeFileSync(file, `${head},"requests":[\n${lines}\n]}\n`)
}

/** Refers to items that only the gateway of this run remembers. */
function isRemembered(body: string): boolean {
  return body.includes('"item_reference"')
}

function kindOf({ method, path, body }: Exchange): string {
  return `${method} ${path} ${body.includes('"tools":')}`
}

function recorded({ method, path, headers, body }: Exchange, cell: Cell, folder: string): RecordedRequest {
  const { model } = UPSTREAM_OF[cell.upstream]
  const replaced = [
    [folder, '/recorded'],
    [KEY, 'KEY'],
    [encodeURIComponent(model), MODEL],
    [model, MODEL],
  ] as const
  const clean = (text: string): string => replaced.reduce((found, [from, to]) => found.replaceAll(from, to), text)
  const kept = Object.entries(headers).filter(([name]) => HEADERS.test(name))
  return {
    upstream: cell.upstream,
    scenario: cell.scenario,
    method,
    path: clean(path),
    headers: Object.fromEntries(kept.map(([name, value]) => [name, clean(String(value))])),
    ...(body === '' ? {} : { body: withoutModel(sanitize(JSON.parse(clean(body)))) }),
  }
}

/** Agents also use models of their own choice. */
function withoutModel(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'model' in body ? { ...body, model: MODEL } : body
}
