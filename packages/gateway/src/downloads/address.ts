/** An IP address as a number. */
export interface Address {
  readonly family: 4 | 6
  readonly value: bigint
}

/** All addresses that begin with the same bits. */
export interface Range extends Address {
  /** The number of those bits. */
  readonly length: number
}

const BITS_OF: Record<Address['family'], number> = { 4: 32, 6: 128 }

/** Reads an address as URLs and resolvers write it. Undefined for everything else, also for an address with a zone. */
export function parseAddress(text: string): Address | undefined {
  const value = text.includes(':') ? parseSix(text) : parseFour(text)
  return value === undefined ? undefined : { family: text.includes(':') ? 6 : 4, value }
}

/** Reads `10.0.0.0/8`, `fd00::/8`, or a single address. */
export function parseRange(text: string): Range | undefined {
  const [, base = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const address = parseAddress(base)
  if (address === undefined) return undefined
  const most = BITS_OF[address.family]
  const length = bits === undefined ? most : Number(bits)
  return length > most ? undefined : { ...address, length }
}

export function contains(range: Range, address: Address): boolean {
  if (range.family !== address.family) return false
  const rest = BigInt(BITS_OF[range.family] - range.length)
  return range.value >> rest === address.value >> rest
}

/** Four decimal numbers. Other notations never come out of a URL parser or a resolver. */
function parseFour(text: string): bigint | undefined {
  const parts = text.split('.')
  const isRight = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)
  return isRight ? parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n) : undefined
}

function parseSix(text: string): bigint | undefined {
  const halves = text.split('::')
  const [head = [], tail = []] = halves.map(groupsOf)
  const missing = 8 - head.length - tail.length
  if (halves.length > 2 || (halves.length === 2 ? missing < 1 : missing !== 0)) return undefined
  const groups = [...head, ...Array<string>(missing).fill('0'), ...tail]
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n)
}

/** The groups between the colons. Dotted decimals at the end are two of them. */
function groupsOf(half: string): string[] {
  if (half === '') return []
  const groups = half.split(':')
  const last = groups.at(-1) ?? ''
  const four = last.includes('.') ? parseFour(last) : undefined
  return four === undefined
    ? groups
    : [...groups.slice(0, -1), (four >> 16n).toString(16), (four & 0xffffn).toString(16)]
}
