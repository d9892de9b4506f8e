/** Where the admin API is. */
export const ADMIN_BASE = '/admin/v1'
/**
 * Where callers look up a call of their own key, by its id. The path is under the base of a protocol, but the protocol does not have it.
 */
export const GENERATION_PATH = '/api/v1/generation'

/** Whether an admin call is at a path. */
export function isAdminPath(path: string): boolean {
  return path === ADMIN_BASE || path.startsWith(`${ADMIN_BASE}/`)
}
