import type { Double, Received, ReceivedRequest } from '@dragoman/testkit'
import { cacheMarks } from './cache-marks.ts'
import type { Cell, Client } from './client.ts'
import { printedBy } from './printed.ts'
import type { Observed } from './observed.ts'
import { EDIT, EDITED, FILES, MARKER, QUESTION } from './scenarios.ts'
import { UPSTREAM_OF } from './upstreams.ts'

/** How clients name a 429. */
const LIMITED = /429|rate.?limit|RESOURCE_EXHAUSTED/i

/** Everything that went wrong in a run, one sentence each. */
export function problemsOf(client: Client, double: Double, seen: Observed): string[] {
  const { scenario } = seen.cell
  const found = [
    ...endings(seen),
    ...refusals(client, seen),
    ...(scenario === 'abort' ? aborted(seen) : printed(client, seen)),
    ...(scenario === 'tools' || scenario === 'session' ? worked(client, double, seen) : []),
    ...marks(client, seen),
  ]
  return [...new Set(found)]
}

function endings({ ended }: Observed): string[] {
  return ended.flatMap(({ timedOut, stderr }) => (timedOut ? [`it did not end: ${lastOf(stderr)}`] : []))
}

/**
 * Requests that the gateway or the upstream refused. Not the 429 of a scenario, a `thread`, which is sent again without one, and, if the
 * gateway's second attempt succeeded, a signature that the client has lost: agents store their sessions without signatures.
 */
function refusals(client: Client, { exchanges, refused, cell }: Observed): string[] {
  const failed = exchanges.filter(
    ({ status, answer }) =>
      status >= 400 &&
      !(cell.scenario === 'limit' && status === 429) &&
      !(status === 400 && answer.includes('"thread_unsupported_request"')),
  )
  const isUnsealed = !returnsSeal(client, cell) || (cell.scenario === 'session' && client.kind === 'agent')
  const isRepaired = failed.length === 0 && isUnsealed
  const unrepaired = refused.filter((reason) => !(isRepaired && /signature|encrypted content/i.test(reason)))
  return [
    ...failed.map(
      ({ method, path, status, answer }) => `${method} ${path} was answered with ${status}: ${lastOf(answer)}`,
    ),
    ...unrepaired.map((reason) => `the upstream refused a request: ${reason}`),
  ]
}

function aborted({ hungUp, received }: Observed): string[] {
  if (received.length === 0) return ['nothing reached the upstream']
  return hungUp ? [] : ['the upstream was not disconnected after the abort']
}

/** Every process prints the marker. After a 429 it may print the error instead. */
function printed(client: Client, { ended, cell }: Observed): string[] {
  return ended.flatMap((one) => {
    const { text, error } = printedBy(client, one)
    if (text.includes(MARKER)) return []
    if (cell.scenario === 'limit' && LIMITED.test(error ?? '')) return []
    return [`it did not print the answer but ${JSON.stringify(lastOf(error ?? text))}`]
  })
}

function worked(client: Client, double: Double, seen: Observed): string[] {
  return client.kind === 'editor' ? edits(seen) : loops(client, double, seen)
}

/** The file is as the model wrote it, and a session has all its prompts. */
function edits({ file, received, cell }: Observed): string[] {
  const last = JSON.stringify(received.at(-1)?.body ?? null)
  const wanted = cell.scenario === 'session' ? [QUESTION, EDIT] : [EDIT]
  return [
    ...(file === EDITED ? [] : [`the file is ${JSON.stringify(file)}`]),
    ...wanted.flatMap((prompt) =>
      last.includes(prompt) ? [] : [`the upstream did not receive ${JSON.stringify(prompt)}`],
    ),
  ]
}

/** After calls, the upstream sees both results with their calls, and the signature if the client returns it. */
function loops(client: Client, double: Double, { received, cell }: Observed): string[] {
  const upstream = UPSTREAM_OF[cell.upstream]
  const requests = received.filter(({ body }) => hasResults(upstream.read(body)))
  if (requests.length === 0) return ['no results of tools reached the upstream']
  return requests.flatMap(({ body }) => [...results(client, upstream.read(body)), ...seals(client, cell, double, body)])
}

function hasResults({ turns }: ReceivedRequest): boolean {
  return turns.some(({ results: found }) => found.length > 0)
}

/**
 * Clients run tools at the same time and return results in any order, so a result is found by the id of its call. Python's google-genai
 * returns results without ids, in the order of the calls.
 */
function results(client: Client, { turns }: ReceivedRequest): string[] {
  const found = turns.flatMap((turn) => turn.results)
  const calls = turns.flatMap((turn) => turn.calls)
  const wanted = client.kind === 'agent' ? Object.values(FILES) : ['Sunny in Paris', 'Sunny in Rome']
  return wanted.flatMap((text, index) => {
    const id = calls[index]?.id
    const isOrdered = id === undefined || found.every((one) => one.id === undefined)
    const result = isOrdered ? found[index] : found.find((one) => one.id === id)
    const given = typeof result?.text === 'string' ? result.text : JSON.stringify(result?.text ?? null)
    return given.includes(text.trim())
      ? []
      : [`result ${index + 1} is not ${JSON.stringify(text)} but ${lastOf(given)}`]
  })
}

function seals(client: Client, cell: Cell, double: Double, body: Received['body']): string[] {
  const upstream = UPSTREAM_OF[cell.upstream]
  const { turns } = upstream.read(body)
  const isLater = turns.at(-1)?.results.length === 0
  if (!returnsSeal(client, cell) || (isLater && !keepsSeals(client))) return []
  const turn = turns.findLast(({ calls }) => calls.length > 0)
  const seal = upstream.seal(double, String(turn?.calls[0]?.name))
  return turn?.seals.includes(seal) === true ? [] : ['the signature of the thinking did not come back to the upstream']
}

/** Agents may store their sessions without signatures. */
function keepsSeals({ kind }: Client): boolean {
  return kind === 'library'
}

/**
 * Only genai upstreams sign calls; others sign the reasoning before them. To genai clients a call also carries these signatures, and one of
 * a messages upstream is valid without the text. Streams of chat upstreams are relayed to clients of chat.
 */
export function returnsSeal(
  { echoes, protocol }: Pick<Client, 'echoes' | 'protocol'>,
  { upstream, stream }: Pick<Cell, 'upstream' | 'stream'>,
): boolean {
  if (echoes === 'calls') return false
  if (echoes === 'signatures' || upstream === 'genai') return true
  if (echoes === 'signed calls') return protocol === 'genai' && upstream === 'messages'
  return !(stream && upstream === 'chat')
}

/** To an upstream of the same protocol, every cache mark arrives where it was. */
function marks(client: Client, { exchanges, received, cell }: Observed): string[] {
  if (client.protocol !== 'messages' || cell.upstream !== 'messages') return []
  const arrived = new Set(received.map(({ body }) => cacheMarks(body).join()))
  const sent = exchanges.filter(({ path, status }) => /\/messages(\?|$)/.test(path) && status === 200)
  const wanted = sent.map(({ body }) => cacheMarks(JSON.parse(body)).join())
  return wanted.flatMap((found) => (arrived.has(found) ? [] : [`the cache marks ${found} did not arrive`]))
}

function lastOf(text: string): string {
  return text
    .trim()
    .replaceAll(/req_[0-9a-f]{32}/g, 'req_…')
    .slice(-300)
}
