import { DragomanError } from '@dragoman/core'
import type { Call, Deadlines, Fields, Transport, Clock } from '@dragoman/core/provider'
import { systemClock } from '../ports/ports.ts'
import { createAllowList } from './allow-list.ts'
import { checkUrl, type UrlRules } from './check-url.ts'
import type { Downloaded, Refreshed, RefreshingDownloads, RefreshOptions } from './downloads.ts'
import { failingFor, type Failing } from './failing.ts'
import { isWanted, mediaTypeOf } from './media-type.ts'
import { readFile } from './read-file.ts'

export interface GuardOptions {
  /** Addresses, ranges and hosts that may be reached although they are not public: `10.1.0.0/16`, `files.internal`, `*.internal`. */
  readonly allow?: readonly string[] | undefined
  /** Whether `http:` may be used for all hosts; by default only for those of `allow`. */
  readonly http?: boolean | undefined
  /** The largest file of a request, in bytes after decompression; 20 MiB by default. */
  readonly limit?: number | undefined
  /** The largest file of an upstream; 128 MiB by default. */
  readonly results?: number | undefined
  /** Milliseconds to connect, between two chunks, and for everything together. */
  readonly deadlines?: Partial<Pick<Deadlines, 'connect' | 'idle' | 'total'>> | undefined
  readonly clock?: Clock | undefined
}

/** Opens the way to the host of a URL that has been checked. Checks what only the runtime knows, such as addresses. */
export type OpenHost = (url: URL, opening: Opening) => OpenedHost | Promise<OpenedHost>

export interface Opening {
  readonly rules: UrlRules
  readonly failing: Failing
  readonly limit: number
  readonly signal: AbortSignal
}

/** Reaches this host only, and does not follow redirects. */
export interface OpenedHost extends Transport {
  close?(): Promise<void>
}

const MOST_REDIRECTS = 5
const MEGABYTE = 1024 * 1024

/** The checks that are the same in every runtime: of each URL on the way, of size, time and media type. */
export function guardDownloads(options: GuardOptions, open: OpenHost): RefreshingDownloads {
  const rules: UrlRules = { allow: createAllowList(options.allow ?? []), http: options.http === true }
  const { clock = systemClock, limit: ofRequests = 20 * MEGABYTE, results = 128 * MEGABYTE } = options
  const { connect = 5000, idle = 10_000, total = 30_000 } = options.deadlines ?? {}
  const deadlines: Deadlines = { connect, head: total, idle, total }
  const load = async (
    text: string,
    { limit, signal: gone, accept, param, tag }: RefreshOptions,
  ): Promise<Refreshed | undefined> => {
    const failing = failingFor(param)
    const most = param === undefined ? results : ofRequests
    const first = checkUrl(text, rules, failing)
    const { signal, stop } = createWatch(clock, total, gone, failing)
    const opening: Opening = { rules, failing, limit: Math.min(limit ?? most, most), signal }
    const headers = headersFor(accept, tag)
    const visit: Visit = async (url) => {
      signal.throwIfAborted()
      const host = await open(url, opening)
      try {
        const call: Call = { url: url.href, method: 'GET', headers, deadlines }
        return await readFile(host, call, opening, (type) => accept === undefined || isWanted(type, accept))
      } finally {
        await host.close?.()
      }
    }
    try {
      return await follow(first, visit, opening, accept)
    } finally {
      stop()
    }
  }
  return {
    async fetch(url, asked = {}) {
      const file = await load(url, { ...asked, tag: undefined })
      if (file === undefined) throw failingFor(asked.param)('status')
      return file
    },
    refresh: load,
  }
}

/** A signal that is aborted when the time is over or the caller is gone, with the error for it. */
function createWatch(clock: Clock, total: number, gone: AbortSignal | undefined, failing: Failing) {
  const aborter = new AbortController()
  const stopTimer = clock.after(total, () => aborter.abort(failing('timeout')))
  const onGone = (): void => aborter.abort(new DragomanError('cancelled', 'The download was cancelled.'))
  if (gone?.aborted === true) onGone()
  gone?.addEventListener('abort', onGone)
  return {
    signal: aborter.signal,
    stop: (): void => {
      stopTimer()
      gone?.removeEventListener('abort', onGone)
    },
  }
}

type Visit = (url: URL) => ReturnType<typeof readFile>

async function follow(
  first: URL,
  visit: Visit,
  { rules, failing }: Opening,
  accept: readonly string[] | undefined,
): Promise<Refreshed | undefined> {
  let url = first
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const answer = await visit(url)
    if (answer === undefined) return undefined
    if ('bytes' in answer) return { ...withType(answer, accept, failing), tag: answer.tag }
    const next = URL.canParse(answer.location, url) ? new URL(answer.location, url).href : undefined
    if (next === undefined) throw failing('redirect')
    if (url.protocol === 'https:' && next.startsWith('http:')) throw failing('downgrade')
    url = checkUrl(next, rules, failing)
  }
  throw failing('redirects')
}

function withType(
  { bytes, type: header }: Downloaded,
  accept: readonly string[] | undefined,
  failing: Failing,
): Downloaded {
  if (bytes.length === 0) throw failing('empty')
  const type = mediaTypeOf(bytes, header)
  const only = accept?.length === 1 ? accept[0] : undefined
  // A server that does not know the type leaves it to the request that names one.
  const named = type ?? (only?.endsWith('/*') === false ? only : undefined)
  if (accept !== undefined && (named === undefined || !isWanted(named, accept))) throw failing('type')
  return { bytes, type: named }
}

/** The same for every host: nothing of the caller, the gateway's keys or an earlier answer is sent. */
function headersFor(accept: readonly string[] | undefined, tag: string | undefined): Fields {
  return {
    ...(tag === undefined ? {} : { 'if-none-match': tag }),
    accept: accept === undefined ? '*/*' : accept.join(', '),
    'accept-encoding': 'identity',
    'user-agent': 'dragoman',
  }
}
