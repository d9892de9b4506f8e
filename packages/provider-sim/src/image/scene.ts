import { between, createRandom, pick, type Random } from './random.ts'
import { PALETTES, type Hour, type Palette } from './palettes.ts'
import { SUBJECTS, type Subject } from './subjects.ts'

/** What an image shows. Lengths are shares of the image's width or height. */
export interface Scene {
  readonly palette: Palette
  readonly land: Land
  /** The height of the water's surface, if there is water. */
  readonly water: number | undefined
  readonly subjects: readonly Subject[]
  /** Where the sun or the moon stands. */
  readonly light: { readonly x: number; readonly y: number; readonly radius: number }
  readonly moon: boolean
  readonly layers: number
  readonly clouds: number
  readonly seed: number
}

/** The outline of the land. */
export type Land = 'mountains' | 'hills' | 'forest' | 'city' | 'dunes'

/** The words that decide what is drawn. What no word decides, the seed does. */
const HOUR_WORDS: { readonly [hour in Hour]: RegExp } = {
  night: /\b(night|midnight|moon|moonlit|stars?|starry|space|dark)\b/i,
  sunset: /\b(sunset|dusk|evening|twilight|golden|fire|autumn)\b/i,
  dawn: /\b(dawn|sunrise|morning|pink|spring|dream)\b/i,
  winter: /\b(winter|snow|snowy|ice|icy|frozen|white)\b/i,
  desert: /\b(desert|dunes?|sand|sandy|canyon|camel)\b/i,
  day: /\b(day|noon|sunny|summer|blue|bright)\b/i,
}
const LAND_WORDS: { readonly [land in Land]: RegExp } = {
  city: /\b(city|town|skyline|skyscrapers?|street|buildings?|downtown|tokyo|paris|london|new york)\b/i,
  forest: /\b(forest|woods?|pines?|trees|jungle)\b/i,
  dunes: /\b(desert|dunes?|sand|sandy|camel)\b/i,
  mountains: /\b(mountains?|alps?|peaks?|cliffs?|rocks?|volcano)\b/i,
  hills: /\b(hills?|meadows?|fields?|valley|countryside|village|garden)\b/i,
}
const WATER_WORD = /\b(sea|ocean|lake|river|water|bay|harbou?r|coast|beach|island|waves?|boats?|ships?|lighthouse)\b/i

/** Chooses what to draw for a prompt. */
export function composeScene(prompt: string, seed: number): Scene {
  const random = createRandom(seed)
  const hour = chosen(HOUR_WORDS, prompt) ?? pick(random, ['dawn', 'day', 'sunset', 'night'] as const)
  const named = chosen(LAND_WORDS, prompt)
  const isSea = WATER_WORD.test(prompt)
  const land = named ?? pick(random, isSea ? ['hills', 'mountains'] : ['mountains', 'hills', 'forest'])
  const hasWater = isSea || (land !== 'dunes' && random() < 0.35)
  const moon = hour === 'night'
  return {
    palette: PALETTES[hour],
    land,
    water: hasWater ? between(random, 0.66, 0.72) : undefined,
    subjects: SUBJECTS.filter(({ word }) => word.test(prompt)),
    light: lightOf(random, moon || hour === 'day' ? [0.14, 0.3] : [0.3, 0.43]),
    moon,
    layers: isSea && named === undefined ? 3 : 3 + Math.floor(random() * 3),
    clouds: moon ? 2 : 3 + Math.floor(random() * 4),
    seed,
  }
}

function lightOf(random: Random, [high, low]: readonly [number, number]): Scene['light'] {
  const x = between(random, 0.2, 0.8)
  return { x, y: between(random, high, low), radius: between(random, 0.055, 0.085) }
}

function chosen<Name extends string>(words: { readonly [name in Name]: RegExp }, prompt: string): Name | undefined {
  return (Object.keys(words) as Name[]).find((name) => words[name].test(prompt)) // its keys are the names
}
