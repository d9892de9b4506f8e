import { DragomanError, type ErrorKind } from '@dragoman/core'
import { authenticate, timedId, type Clock, type Keys } from '@dragoman/gateway'
import { createKeyManager } from '../keys/manage-keys.ts'
import { ADMIN_BASE } from '../paths.ts'
import type { Store } from '../store/store.ts'
import { AdminError } from './admin-error.ts'
import { KEY_ROUTES } from './key-routes.ts'
import type { AdminAnswer, AdminRoute } from './route.ts'
import { USAGE_ROUTES } from './usage-routes.ts'

/** All admin calls. */
export const ADMIN_ROUTES: readonly AdminRoute[] = [...KEY_ROUTES, ...USAGE_ROUTES]

export interface AdminOptions {
  readonly store: Store
  /** Finds the caller of a secret. Only admin keys may call. */
  readonly keys: Keys
  readonly clock?: Pick<Clock, 'now'> | undefined
  /** Receives unexpected errors, which the caller does not see. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** Answers admin calls, at paths that begin with `ADMIN_BASE`. */
export type AdminHandler = (request: Request, address?: string) => Promise<Response>

const LARGEST_BODY = 64 * 1024

export function createAdmin({ store, keys, clock = Date, onError }: AdminOptions): AdminHandler {
  const manager = createKeyManager(store, clock)
  const answer = async (request: Request, address: string): Promise<AdminAnswer> => {
    const url = new URL(request.url)
    const actor = { id: await adminOf(keys, request, address), address }
    const { route, id } = match(request.method, url.pathname.slice(ADMIN_BASE.length))
    for (const text of [id, ...url.searchParams.keys(), ...url.searchParams.values()]) mustBePlain(text)
    const body = await bodyOf(request)
    const answered = await route.run({ store, keys: manager, clock, actor, id, query: url.searchParams, body })
    if (route.audits !== true) {
      const at = clock.now()
      const detail = Object.fromEntries(url.searchParams)
      const entry = { id: timedId(at), at, actor: actor.id, action: route.action, target: id, address, detail }
      await store.writeAudit(entry)
    }
    return answered
  }
  return async (request, address = '') => {
    try {
      return respond(await answer(request, address))
    } catch (error) {
      if (error instanceof AdminError) return respond(errorAnswer(error))
      if (DragomanError.isInstance(error)) return respond(refusalOf(error))
      onError?.(error)
      return respond(errorAnswer(new AdminError(503, 'unavailable', 'The store of keys and usage did not answer.')))
    }
  }
}

/** Wrong keys from one address are slowed down, here as for other calls. */
function refusalOf({ kind, message, retryAfter }: DragomanError): AdminAnswer {
  const [status, code] = REFUSAL_OF[kind] ?? [503, 'unavailable']
  return { ...errorAnswer(new AdminError(status, code, message)), retryAfter }
}

const REFUSAL_OF: { readonly [Kind in ErrorKind]?: readonly [status: number, code: string] } = {
  authentication: [401, 'no_admin_key'],
  'rate-limit': [429, 'too_many_wrong_keys'],
}

/** The id of the admin key. The answer is the same for a wrong key and a missing one, whatever else is wrong with the call. */
async function adminOf(keys: Keys, request: Request, address: string): Promise<string> {
  const [, secret] = /^bearer (.+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  if (secret === undefined)
    throw new AdminError(401, 'no_admin_key', 'Send an admin key as "Authorization: Bearer <key>".')
  const caller = await authenticate(keys, [secret.trim()], address)
  if (caller.admin !== true) throw new AdminError(403, 'not_an_admin_key', 'This key does not have the scope "admin".')
  return caller.id
}

function match(method: string, path: string): { readonly route: AdminRoute; readonly id: string } {
  const segments = path.split('/')
  const found = ADMIN_ROUTES.filter((route) => fits(route.path.split('/'), segments))
  const route = found.find((each) => each.method === method)
  if (route !== undefined) return { route, id: idIn(route.path.split('/'), segments) }
  if (found.length === 0) throw new AdminError(404, 'unknown_path', 'There is no such admin call.')
  const allowed = found.map((each) => each.method).join(', ')
  throw new AdminError(405, 'wrong_method', `This path takes ${allowed} only.`)
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return pattern.length === segments.length && pattern.every((part, at) => part === '{id}' || part === segments[at])
}

function idIn(pattern: readonly string[], segments: readonly string[]): string {
  const text = segments[pattern.indexOf('{id}')] ?? ''
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

async function bodyOf(request: Request): Promise<unknown> {
  if (request.body === null) return undefined
  const text = await textOf(request.body)
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text, checkTexts)
  } catch (error) {
    if (error instanceof AdminError) throw error
    throw new AdminError(400, 'wrong_json', 'The body is not valid JSON.')
  }
}

/** Not every database can hold all texts of JSON. */
function checkTexts(name: string, value: unknown): unknown {
  for (const text of [name, value]) if (typeof text === 'string') mustBePlain(text)
  return value
}

function mustBePlain(text: string): void {
  if (text.isWellFormed() && !text.includes('\0')) return
  throw new AdminError(400, 'wrong_text', 'Texts must not contain U+0000 or halves of characters.')
}

async function textOf(body: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > LARGEST_BODY) throw new AdminError(413, 'too_large', `The body may have ${LARGEST_BODY} bytes.`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function errorAnswer({ status, code, message, field }: AdminError): AdminAnswer {
  return { status, body: { error: { code, message, field: field ?? null } } }
}

/** Answers contain secrets and usage: no cache on the way may store them. */
function respond({ status, body, type, retryAfter }: AdminAnswer): Response {
  const text = type === undefined ? JSON.stringify(body) : body instanceof ReadableStream ? body : String(body)
  const headers = {
    'content-type': `${type ?? 'application/json'}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  }
  return new Response(text, { status, headers })
}
