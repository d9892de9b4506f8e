import { DragomanError } from '@dragoman/core'
import { contains, parseRange, type Address } from './address.ts'

/** What may be reached although it is not public. */
export interface AllowList {
  hasHost(host: string): boolean
  hasAddress(address: Address): boolean
}

/** Reads addresses, ranges (`10.1.0.0/16`), hosts (`files.internal`) and hosts under a domain (`*.internal`). */
export function createAllowList(entries: readonly string[]): AllowList {
  const ranges = entries.flatMap((entry) => parseRange(entry.replace(/^\[(.+)\]$/, '$1')) ?? [])
  const hosts = entries.filter((entry) => parseRange(entry.replace(/^\[(.+)\]$/, '$1')) === undefined).map(readHost)
  return {
    hasHost: (host) => hosts.some((entry) => covers(entry, host)),
    hasAddress: (address) => ranges.some((range) => contains(range, address)),
  }
}

const HOST = /^(\*\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/

function readHost(entry: string): string {
  const host = entry.toLowerCase().replace(/\.$/, '')
  if (HOST.test(host) && !/^[\d.]+$/.test(host)) return host
  throw new DragomanError('invalid-request', `"${entry}" is not an address, a range of addresses or a host.`)
}

function covers(entry: string, host: string): boolean {
  return entry.startsWith('*.') ? host.endsWith(entry.slice(1)) : host === entry
}
