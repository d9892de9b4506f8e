/**
 * The seed of generated values. A random one finds more over time, and would refuse a change at random: whoever wants it sets
 * DRAGOMAN_SEED=random, or another number. The tests of this repository have it as the seed of fast-check, so nothing is imported here.
 */
export const SEED = seedOf(process.env['DRAGOMAN_SEED'] ?? '20261115')

function seedOf(wanted: string): number {
  return wanted === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(wanted)
}
