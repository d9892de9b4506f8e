import { hex, type Color } from './canvas.ts'
import type { Point } from './polygon.ts'

/** A thing that the prompt can name. Its lengths are shares of its height; it stands at the height 0 and grows upward. */
export interface Subject {
  readonly word: RegExp
  /** Its height, as a share of the image's shorter side. */
  readonly size: number
  /** Where its foot is: on the nearest land, on the water, or in the sky. */
  readonly stands: 'land' | 'water' | 'sky'
  readonly shapes: readonly Shape[]
  /** The height of its lamp, which shines to both sides. */
  readonly lamp?: number
}

export interface Shape {
  /** A color, or `lamp` of the palette. */
  readonly color: Color | 'lamp'
  readonly points: readonly Point[]
}

const INK = hex('#1a1626')
const RED = hex('#c8383f')
const WHITE = hex('#f3ece1')
const WOOD = hex('#6b4531')

/** A band of a tower that narrows upward. */
function band(color: Shape['color'], from: number, to: number): Shape {
  const half = (height: number): number => 0.13 - height * 0.07
  return polygon(color, -half(from), from, half(from), from, half(to), to, -half(to), to)
}

/** The corners, as x and y by turns. */
function polygon(color: Shape['color'], ...numbers: readonly number[]): Shape {
  const points = numbers.flatMap((x, index) => (index % 2 === 0 ? [[x, numbers[index + 1] ?? 0] as const] : []))
  return { color, points }
}

function box(color: Shape['color'], left: number, right: number, bottom: number, top: number): Shape {
  return polygon(color, left, bottom, right, bottom, right, top, left, top)
}

/** A circle, as a polygon with many corners. */
function round(color: Shape['color'], center: Point, radius: number): Shape {
  const corners = Array.from({ length: 32 }, (_, index) => (index / 32) * 2 * Math.PI)
  return {
    color,
    points: corners.map((angle): Point => [center[0] + radius * Math.cos(angle), center[1] + radius * Math.sin(angle)]),
  }
}

const pine = (bottom: number, top: number, half: number): Shape =>
  polygon(hex('#12352b'), -half, bottom, half, bottom, 0, top)

export const SUBJECTS: readonly Subject[] = [
  {
    word: /\blighthouse\b/i,
    size: 0.42,
    stands: 'land',
    lamp: 0.855,
    shapes: [
      band(WHITE, -0.1, 0.78),
      band(RED, 0.08, 0.22),
      band(RED, 0.36, 0.5),
      band(RED, 0.64, 0.78),
      box(INK, -0.11, 0.11, 0.78, 0.8),
      box('lamp', -0.055, 0.055, 0.8, 0.9),
      box(INK, -0.062, -0.05, 0.8, 0.9),
      box(INK, 0.05, 0.062, 0.8, 0.9),
      polygon(RED, -0.085, 0.9, 0.085, 0.9, 0, 1),
    ],
  },
  {
    word: /\b(boats?|ships?|sail(ing|boat)?s?)\b/i,
    size: 0.2,
    stands: 'water',
    shapes: [
      polygon(WHITE, 0.03, 0.2, 0.42, 0.24, 0.03, 1),
      polygon(RED, -0.03, 0.22, -0.34, 0.26, -0.03, 0.86),
      box(INK, -0.012, 0.012, 0.1, 1),
      polygon(WOOD, -0.5, 0.17, 0.54, 0.17, 0.4, 0, -0.36, 0),
    ],
  },
  {
    word: /\b(house|cottage|cabin|home|barn|farm)\b/i,
    size: 0.2,
    stands: 'land',
    shapes: [
      box(INK, 0.18, 0.3, 0.5, 1),
      box(WHITE, -0.48, 0.48, -0.3, 0.52),
      polygon(RED, -0.6, 0.5, 0.6, 0.5, 0, 0.98),
      box('lamp', -0.36, -0.14, 0.16, 0.38),
      box(WOOD, 0.08, 0.3, -0.3, 0.36),
    ],
  },
  {
    word: /\b(balloons?)\b/i,
    size: 0.3,
    stands: 'sky',
    shapes: [
      polygon(INK, -0.1, 0.12, -0.09, 0.12, -0.2, 0.42, -0.21, 0.42),
      polygon(INK, 0.1, 0.12, 0.09, 0.12, 0.2, 0.42, 0.21, 0.42),
      polygon(RED, -0.29, 0.52, 0.29, 0.52, 0.1, 0.28, -0.1, 0.28),
      round(RED, [0, 0.67], 0.33),
      polygon(WHITE, -0.12, 0.36, 0.12, 0.36, 0.15, 0.67, 0.1, 0.98, -0.1, 0.98, -0.15, 0.67),
      box(WOOD, -0.1, 0.1, 0, 0.13),
    ],
  },
  {
    word: /\btree\b/i,
    size: 0.32,
    stands: 'land',
    shapes: [box(WOOD, -0.04, 0.04, -0.1, 0.2), pine(0.12, 0.62, 0.28), pine(0.36, 0.82, 0.22), pine(0.6, 1, 0.15)],
  },
  {
    word: /\b(cats?|kittens?)\b/i,
    size: 0.22,
    stands: 'land',
    shapes: [
      round(INK, [0, 0.24], 0.27),
      round(INK, [0.02, 0.66], 0.2),
      polygon(INK, -0.17, 0.7, -0.14, 1, 0, 0.82),
      polygon(INK, 0.21, 0.7, 0.18, 1, 0.04, 0.82),
      polygon(INK, 0.2, 0.02, 0.5, 0.05, 0.56, 0.42, 0.48, 0.42, 0.43, 0.14, 0.2, 0.16),
      round('lamp', [-0.06, 0.68], 0.035),
      round('lamp', [0.1, 0.68], 0.035),
    ],
  },
]
