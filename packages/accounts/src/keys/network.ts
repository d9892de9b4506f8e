/**
 * The part of an address that one subscriber has: an IPv4 address, or the first 64 bits of an IPv6 address, because a subscriber can
 * choose the others at will.
 */
export function networkOf(address: string): string {
  const text = address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
  if (!text.includes(':')) return text
  const [before = '', after] = (text.split('%', 1)[0] ?? '').toLowerCase().split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after === undefined || after === '' ? [] : after.split(':')
  const groups = after === undefined ? head : [...head, ...zeros(8 - head.length - tail.length), ...tail]
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}

function zeros(count: number): readonly string[] {
  return Array.from({ length: Math.max(0, count) }, () => '0')
}
