import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createAddressOf } from './client-address.ts'

function request(remoteAddress: string, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return { socket: { remoteAddress }, headers } as IncomingMessage // what is read of it
}

describe('the address of a caller', () => {
  it.each([
    ['the connection, without proxies', [], '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['the connection, if it is not a trusted proxy', ['10.0.0.0/8'], '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['what a trusted proxy says', ['10.0.0.0/8'], '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['not what the caller has invented', ['10.0.0.0/8'], '10.1.2.3', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
    ['behind several proxies', ['10.0.0.0/8', '192.0.2.5'], '10.1.2.3', '198.51.100.1, 192.0.2.5', '198.51.100.1'],
    ['the proxy, if it says nothing', ['10.0.0.0/8'], '10.1.2.3', undefined, '10.1.2.3'],
    ['the proxy, if it says nonsense', ['10.0.0.0/8'], '10.1.2.3', 'unknown', '10.1.2.3'],
    ['IPv4 inside IPv6', ['10.0.0.0/8'], '::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['IPv6', ['fd00::/8'], 'fd00::1', '2001:db8::7', '2001:db8::7'],
    ['with ports', ['10.0.0.0/8'], '10.1.2.3', '[2001:db8::7]:443', '2001:db8::7'],
    ['with ports of IPv4', ['10.0.0.0/8'], '10.1.2.3', '198.51.100.1:51000', '198.51.100.1'],
  ])('is %s', (_, proxies, remote, forwarded, address) => {
    expect(createAddressOf(proxies)(request(remote, forwarded))).toBe(address)
  })

  it('is found for each request of a connection, which a proxy shares between callers', () => {
    const addressOf = createAddressOf(['10.0.0.0/8'])
    const { socket } = request('::ffff:10.1.2.3')
    const ask = (forwarded?: string) => {
      const { headers } = request('', forwarded)
      return addressOf({ socket, headers } as IncomingMessage) // what is read of it
    }
    expect(ask('198.51.100.1')).toBe('198.51.100.1')
    expect(ask('198.51.100.2')).toBe('198.51.100.2')
    expect(ask()).toBe('10.1.2.3')
  })

  it('is unknown if the connection is gone', () => {
    const gone = { socket: { remoteAddress: undefined }, headers: {} } as IncomingMessage // what is read of it
    expect(createAddressOf([])(gone)).toBeUndefined()
    expect(createAddressOf(['10.0.0.0/8'])(gone)).toBeUndefined()
  })

  it.each(['proxy.example', '10.0.0.0/33', '10.0.0.0/x', '::1/129', ''])('refuses "%s" as a proxy', (proxy) => {
    expect(() => createAddressOf([proxy])).toThrow('neither an address nor a range')
  })
})
