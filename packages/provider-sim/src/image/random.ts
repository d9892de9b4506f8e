/** Numbers from 0 to below 1 that depend only on the seed. */
export type Random = () => number

/** Mulberry32: small, quick and good enough for images. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function between(random: Random, low: number, high: number): number {
  return low + random() * (high - low)
}

/** One of the values. */
export function pick<Value>(random: Random, values: readonly [Value, ...Value[]]): Value {
  return values[Math.floor(random() * values.length)] ?? values[0]
}

/** A smooth curve from 0 to 1 through random heights at whole positions; it repeats after `period` positions. */
export function createNoise(random: Random, period: number): (position: number) => number {
  const heights = Array.from({ length: period }, random)
  return (position) => {
    const whole = Math.floor(position)
    const part = position - whole
    const from = heights[((whole % period) + period) % period] ?? 0
    const to = heights[(((whole + 1) % period) + period) % period] ?? 0
    return from + (to - from) * part * part * (3 - 2 * part)
  }
}
