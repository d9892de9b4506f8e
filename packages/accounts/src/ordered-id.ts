/** 32 hexadecimal digits: 48 bits of the time and 80 random ones. Later ids are greater, and nobody can guess one. */
export function orderedId(now: number): string {
  const random = crypto.getRandomValues(new Uint8Array(10))
  return now.toString(16).padStart(12, '0') + Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
