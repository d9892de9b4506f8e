import { asDragomanError, DragomanError } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { authenticate, type Caller, type Keys } from '@dragoman/gateway'
import { GENERATION_PATH } from '../paths.ts'
import type { CallRecord } from '../store/call-record.ts'
import type { UsageStore } from '../store/store.ts'
import { storableText } from '../store/unstorable.ts'
import { dollarsOf } from '../dollars.ts'

export interface GenerationOptions {
  readonly store: Pick<UsageStore, 'record'>
  readonly keys: Keys
  /** Receives failures of the store, which the caller does not see. */
  readonly onError?: ((error: unknown) => void) | undefined
}

export type GenerationHandler = (request: Request, address?: string) => Promise<Response>

/** Answers `GET` at `GENERATION_PATH`, with the parameter `id`: what one call of the same key has used and cost. Calls of other keys do not exist for it. */
export function createGenerations({ store, keys, onError }: GenerationOptions): GenerationHandler {
  const answer = async (request: Request, address: string): Promise<object> => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new DragomanError('method', 'This path takes GET only.')
    const caller = await callerOf(keys, request, address)
    const [, id] = /^(?:req_)?([0-9a-f]{32})$/i.exec(new URL(request.url).searchParams.get('id') ?? '') ?? []
    if (id === undefined)
      throw new DragomanError('invalid-request', 'The id must be that of the header "x-request-id" of an answer.')
    const record = await store.record(id.toLowerCase())
    if (record === undefined || record.key !== storableText(caller.id))
      throw new DragomanError(
        'not-found',
        'There is no such generation of this key: it is unknown, running, or too old.',
      )
    return { data: generationOf(record) }
  }
  return async (request, address = '') => {
    try {
      return respond(200, await answer(request, address))
    } catch (thrown) {
      if (!DragomanError.isInstance(thrown)) onError?.(thrown)
      const error = DragomanError.isInstance(thrown)
        ? thrown
        : new DragomanError('unavailable', 'The usage of calls cannot be read now.', { cause: asDragomanError(thrown) })
      const { status, body } = writeError(error)
      return respond(status, body)
    }
  }
}

/** The error has the shape of the protocol whose base the path has. */
function writeError(error: DragomanError): { readonly status: number; readonly body: object } {
  const protocol = protocols.find(({ http }) => GENERATION_PATH.startsWith(`${http.base}/`))
  return protocol?.error.encode(error, '') ?? { status: 500, body: {} }
}

function callerOf(keys: Keys, { headers }: Request, address: string): Promise<Caller> {
  const [, bearer] = /^bearer (.+)$/i.exec(headers.get('authorization') ?? '') ?? []
  const secret = bearer?.trim() ?? headers.get('x-api-key') ?? undefined
  if (secret === undefined)
    throw new DragomanError('authentication', 'Send the API key as "Authorization: Bearer <key>".')
  return authenticate(keys, [secret], address)
}

/** The record in the form that clients of this endpoint know. Amounts are dollars, times milliseconds. */
function generationOf({ id, at, tokens, cost, outcome, ...record }: CallRecord) {
  const dollars = Number(dollarsOf(cost))
  return {
    id: `req_${id}`,
    created_at: new Date(at).toISOString(),
    model: record.model,
    requested_model: record.asked,
    provider_name: record.provider,
    streamed: record.stream,
    cancelled: outcome === 'aborted',
    outcome,
    status: record.status,
    latency: record.firstByteMs ?? null,
    generation_time: record.ms,
    tokens_prompt: tokens.input,
    tokens_completion: tokens.output,
    native_tokens_prompt: tokens.input,
    native_tokens_completion: tokens.output,
    native_tokens_reasoning: tokens.reasoning,
    native_tokens_cached: tokens.cacheRead,
    total_cost: dollars,
    usage: dollars,
    estimated: record.estimated,
    losses: record.losses,
  }
}

function respond(status: number, body: object): Response {
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
  }
  return new Response(JSON.stringify(body), { status, headers })
}
