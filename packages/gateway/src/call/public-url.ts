import type { Head } from '@dragoman/core'
import type { Settings } from './settings.ts'

/**
 * The address of the gateway for its callers, without a slash at its end: the configured one, or the one that the caller has used. A caller
 * that writes another host into its request is only misled itself.
 */
export function publicUrl({ publicUrl: configured }: Pick<Settings, 'publicUrl'>, head: Head): string {
  if (configured !== undefined) return configured
  const [, scheme = 'http', used = ''] = /^(https?):\/\/(.+)$/.exec(head.origin ?? '') ?? []
  const host = head.header('host') ?? used
  const forwarded = head.header('x-forwarded-proto')?.split(',', 1)[0]?.trim().toLowerCase()
  const proto = forwarded === 'http' || forwarded === 'https' ? forwarded : scheme
  return `${proto}://${HOST.test(host) ? host : 'localhost'}`
}

/** A name or an address, and a port. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i
