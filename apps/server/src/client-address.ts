import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { refuse, type Wrong } from './settings.ts'

/** Finds the address of a caller. */
export type AddressOf = (request: IncomingMessage) => string | undefined

/**
 * The address of the connection, or, if that is a trusted proxy, the last address in `x-forwarded-for` that is not: a client can write any
 * addresses before it.
 */
export function createAddressOf(proxies: readonly string[], wrong: Wrong = refuse): AddressOf {
  const trusted = new BlockList()
  for (const proxy of proxies) add(trusted, proxy, wrong)
  const isTrusted = (address: string): boolean =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  // Many calls use one connection, and its address does not change.
  const peers = new WeakMap<object, Peer>()
  const peerOf = (socket: IncomingMessage['socket']): Peer => {
    const known = peers.get(socket)
    if (known !== undefined) return known
    const address = plain(socket.remoteAddress ?? '')
    const peer = { address, isTrusted: proxies.length > 0 && isTrusted(address) }
    if (address !== '') peers.set(socket, peer)
    return peer
  }
  return (request) => {
    const peer = peerOf(request.socket)
    const address = peer.isTrusted ? forwardedFor(request, peer.address, isTrusted) : peer.address
    return address === '' ? undefined : address
  }
}

/** The other end of a connection. */
interface Peer {
  readonly address: string
  readonly isTrusted: boolean
}

function forwardedFor({ headers }: IncomingMessage, proxy: string, isTrusted: (address: string) => boolean): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
  let address = proxy
  do {
    const next = plain((forwarded.pop() ?? '').trim())
    if (isIP(next) === 0) break
    address = next
  } while (isTrusted(address))
  return address
}

/** An address, or a range such as `10.0.0.0/8`. */
function add(trusted: BlockList, proxy: string, wrong: Wrong): void {
  const [address = '', bits] = proxy.split('/')
  const version = isIP(address)
  const family = version === 6 ? 'ipv6' : 'ipv4'
  const most = version === 6 ? 128 : 32
  const isRange = bits !== undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= most
  if (version === 0 || (bits !== undefined && !isRange)) {
    wrong(`"${proxy}" in the trusted proxies is neither an address nor a range such as 10.0.0.0/8.`)
    return
  }
  if (bits === undefined) trusted.addAddress(address, family)
  else trusted.addSubnet(address, Number(bits), family)
}

/** An IPv4 address inside an IPv6 one, and an address with a port, as some proxies write it. */
function plain(address: string): string {
  const inside = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(inside) ?? []
  return bracketed ?? inside.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
}
