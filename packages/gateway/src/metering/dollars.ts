/** Nano-dollars in dollars. Exact, from digits: a quotient of binary fractions would print as 0.30000000000000004. */
export function dollars(nanos: number): string {
  const digits = String(nanos).padStart(10, '0')
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '')
}
