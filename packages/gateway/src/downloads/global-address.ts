import { contains, parseRange, type Address, type Range } from './address.ts'

/** Whether an address belongs to the public internet. */
export function isGlobal(address: Address): boolean {
  if (address.family === 4) return !isIn(address, SPECIAL_FOUR)
  // The translation of IPv4 for networks without it: the address behind it is reached.
  if (isIn(address, TRANSLATED)) return isGlobal({ family: 4, value: address.value & 0xffff_ffffn })
  return isIn(address, UNICAST) && !isIn(address, SPECIAL_SIX)
}

function isIn(address: Address, ranges: readonly Range[]): boolean {
  return ranges.some((range) => contains(range, address))
}

function ranges(...texts: readonly string[]): readonly Range[] {
  return texts.flatMap((text) => parseRange(text) ?? [])
}

/** The IANA registry of special-purpose IPv4 addresses (2025), with those that it calls global, and multicast. */
const SPECIAL_FOUR = ranges(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // The agent of every machine on Azure, which is reachable from inside only.
  '168.63.129.16',
)

/** Everything else is unassigned, special or multicast: also the addresses that contain an IPv4 address, such as ::ffff:0:0/96. */
const UNICAST = ranges('2000::/3')
const TRANSLATED = ranges('64:ff9b::/96')

/** The IANA registry of special-purpose IPv6 addresses (2025), the part inside `UNICAST`, with those that it calls global. */
const SPECIAL_SIX = ranges(
  // Teredo, benchmarks, ORCHID and other assignments of the IETF.
  '2001::/23',
  '2001:db8::/32',
  // 6to4, which contains an IPv4 address.
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
)
