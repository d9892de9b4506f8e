import { createRandom, pick } from '../image/random.ts'
import { soundEntry, type Track } from './mp4.ts'

const RATE = 48_000
/** The samples of one AAC frame. */
const FRAME = 1024
/** AAC-LC, 48 kHz, one channel. */
const CONFIGURATION = Uint8Array.of(0x11, 0x88)
/** The frames of a note: about a quarter of a second. */
const NOTE = 12

/**
 * Six notes over a low fifth, one AAC frame each. Their frequencies are multiples of 46.875 Hz (8, 9, 10, 12, 15 and 16 times), so that a
 * frame holds whole periods and can be repeated without a gap.
 */
const NOTES = [
  'ASwrrain3H4fl/3//tff/7bqLkkADLevkL3k4n5JikonSyXRqxCn6bJ+jMbY2LrMrqO6wk6AQdywnyCBKzsDi00ATiTDk8WDnIsIqtFGiQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCbt27w==',
  'ATItLaiiG/v9X9v1//f9v/73n/9P/T9f/Ul3JKiADDJIocfBur47yPkirQ+y5eKzIZJHR6/YZ4oAe53B1Z0aUAG7QkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCSt36c7zzzzzzzzzzzzz3',
  'ATIrrciXX21t/+nXX/9p/+f/9v/7dVJJJgAyUjEDbaW4EpDldj6r6tJFBxquu99NYSrR0QBU56ui7Y9jURYRU+5rcbJU+OmdT6oMLUdGUJCQkJCQkJCQkJCQkJCQkJCQkJCQm7duvw==',
  'ATIrreyH8e2v/f/+xr/+H4n/9bX//j/+tr/99JJIAMZawltHq0vlbWp58Ey4J4+81OiDfE4U4W6APUoBlczaAOaYccgIA9ToCXyNoA/mYQN2dnZ2dnZ2dnZ2dnZ2dnZ2dnZ2dnZ+',
  'ATIsrc5EO/4/Hv//J4/8ft9//4cfP/97/9fv//Z+3//e0kvABhjcocfBm2XsM8YKFe1/Vj5DMMWiq0dLAVFrgyvI/LvMYUMVYjy+77yH3vKxkEhISEhISEhISEhISVCQm7dCQkJCbt27k78=',
  'ATIsrZJkO/6Pr/853//cv/9378f/59///H/9W//5EklADDG5NWVXl1WeKQjZYMyJqNfy+m0bFlk8dNYptN38h7HJ9p7tozWOt2Ju/UP1/aCroSEhISEhISEhISEhISElQkJu3bt27duvwA==',
] as const

/** A melody for the seed. */
export function createSound(seed: number, seconds: number): Track {
  const random = createRandom(seed ^ 0x50d)
  const frames = NOTES.map((note) => Uint8Array.from(atob(note), (character) => character.charCodeAt(0)))
  const [first = new Uint8Array(0), ...others] = frames
  const count = Math.ceil((seconds * RATE) / FRAME)
  const melody = Array.from({ length: Math.ceil(count / NOTE) }, () => pick(random, [first, ...others]))
  const samples = Array.from({ length: count }, (_, index) => melody[Math.floor(index / NOTE)] ?? first)
  return { kind: 'sound', entry: soundEntry(RATE, CONFIGURATION), timescale: RATE, step: FRAME, samples }
}
