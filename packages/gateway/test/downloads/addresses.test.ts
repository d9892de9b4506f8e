import { BlockList, isIP } from 'node:net'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contains, parseAddress, parseRange } from '../../src/downloads/address.ts'
import { isGlobal } from '../../src/downloads/global-address.ts'

/** The first and last addresses of ranges that are not of the public internet, from the registries of the IANA. */
const NOT_GLOBAL = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['::', '::ffff:ffff'],
  ['::ffff:0:0', '::ffff:ffff:ffff'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::', '100::ffff:ffff:ffff:ffff'],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::', 'fecf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
] as const

const GLOBAL = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '168.63.129.17',
  '2001:200::1',
  '2606:4700:4700::1111',
  '2a00:1450:4001:80f::200e',
  '64:ff9b::8.8.8.8',
]

function globalText(text: string): boolean {
  const address = parseAddress(text)
  if (address === undefined) throw new Error(`${text} is not an address`)
  return isGlobal(address)
}

/** Any address, as text. */
const four = fc.ipV4()
const six = fc.ipV6()

describe('addresses', () => {
  it.each(NOT_GLOBAL)('are not public from %s to %s', (first, last) => {
    expect([globalText(first), globalText(last)]).toEqual([false, false])
  })

  it.each(GLOBAL)('are public as %s', (text) => expect(globalText(text)).toBe(true))

  it('are never public inside a range that is not', () => {
    for (const [first, last] of NOT_GLOBAL) {
      const [from, to] = [parseAddress(first), parseAddress(last)]
      if (from === undefined || to === undefined) throw new Error(first)
      fc.assert(
        fc.property(
          fc.bigInt({ min: from.value, max: to.value }),
          (value) => !isGlobal({ family: from.family, value }),
        ),
      )
    }
  })

  it('behind the translation of IPv4 are judged by themselves', () => {
    fc.assert(fc.property(four, (text) => globalText(`64:ff9b::${text}`) === globalText(text)))
  })

  it('are never public in another form that contains an IPv4 address', () => {
    const forms = (text: string) => [`::ffff:${text}`, `::${text}`, `64:ff9b:1::${text}`, `::ffff:0:${text}`]
    fc.assert(fc.property(four, (text) => !forms(text).some(globalText)))
  })

  it('are read as Node reads them, and nothing else is', () => {
    const near = fc.stringMatching(/^[0-9a-f:.%/x]{0,20}$/)
    fc.assert(
      fc.property(fc.oneof(four, six, near), (text) => {
        const isAddress = isIP(text) > 0 && !text.includes('%')
        expect(parseAddress(text)?.family).toBe(isAddress ? isIP(text) : undefined)
      }),
      { numRuns: 1000 },
    )
  })

  it('are in the ranges that Node finds them in', () => {
    const inFour = fc.tuple(four, four, fc.integer({ min: 0, max: 32 }), fc.constant('ipv4' as const))
    const inSix = fc.tuple(six, six, fc.integer({ min: 0, max: 128 }), fc.constant('ipv6' as const))
    fc.assert(
      fc.property(fc.oneof(inFour, inSix), ([base, text, length, family]) => {
        const list = new BlockList()
        list.addSubnet(base, length, family)
        const range = parseRange(`${base}/${length}`)
        const address = parseAddress(text)
        if (range === undefined || address === undefined) throw new Error(`${base}/${length} ${text}`)
        expect(contains(range, address)).toBe(list.check(text, family))
        expect(contains(range, range)).toBe(true)
      }),
    )
  })

  it.each(['10.0.0.0/33', '::/129', '10.0.0.0/', '/8', '10.0.0.0/8/8', '10.0.0/8', 'fe80::1%eth0', ''])(
    'are not a range: %j',
    (text) => expect(parseRange(text)).toBeUndefined(),
  )
})
