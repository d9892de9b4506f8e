import { fillBelow, mix, type Canvas, type Color } from './canvas.ts'
import { fillPolygon } from './polygon.ts'
import { createNoise, createRandom, type Random } from './random.ts'
import type { Land, Scene } from './scene.ts'

/** The color of a layer: the farther it is, the more of the sky's light lies over it. */
function colorOf({ palette, layers }: Scene, layer: number): Color {
  return mix(palette.far, palette.near, layers === 1 ? 1 : layer / (layers - 1))
}

/** The share of the height at which a layer's outline lies on average. */
function levelOf({ layers, water }: Scene, layer: number): number {
  if (layer === layers - 1) return water === undefined ? 0.84 : 0.9
  const lowest = water === undefined ? 0.8 : water - 0.035
  return 0.54 + (lowest - 0.54) * (layer / Math.max(1, layers - 2))
}

/** One layer of the land, counted from the farthest. */
export function paintLayer(canvas: Canvas, scene: Scene, layer: number): void {
  const { height } = canvas
  const color = colorOf(scene, layer)
  const line = outlineOf(canvas, scene, layer)
  const next = mix(color, layer === scene.layers - 1 ? [0, 0, 0] : scene.palette.sky[2], 0.3)
  const top = line.reduce((least, y) => Math.min(least, y), height)
  fillBelow(canvas, line, (y) => mix(color, next, Math.min(1, (y - top) / (height * 0.3))))
  if (scene.land === 'city' && layer < scene.layers - 1) paintWindows(canvas, scene, layer, line)
}

/** The outline of a layer: one height for each column. */
export function outlineOf({ width, height }: Canvas, scene: Scene, layer: number): Float32Array {
  const random = createRandom(scene.seed ^ (0x1a7e2 * (layer + 1)))
  const isShore = layer === scene.layers - 1
  const shape = OUTLINES[isShore ? 'hills' : scene.land](random, width / height)
  const level = levelOf(scene, layer)
  const depth = isShore ? 0.35 : 1 - 0.45 * (layer / scene.layers)
  return Float32Array.from({ length: width }, (_, x) => (level - shape((x + 0.5) / width) * 0.26 * depth) * height)
}

/** Heights from 0 to 1 along the width. `ratio` keeps shapes alike in wide and in tall images. */
const OUTLINES: { readonly [land in Land]: (random: Random, ratio: number) => (along: number) => number } = {
  mountains(random, ratio) {
    const [large, middle, small] = [createNoise(random, 64), createNoise(random, 64), createNoise(random, 64)]
    const ridge = (value: number): number => 1 - Math.abs(value * 2 - 1)
    return (along) => {
      const at = along * ratio
      return ridge(large(at * 2.2)) * 0.72 + ridge(middle(at * 6)) * 0.2 + small(at * 26) * 0.06
    }
  },
  hills(random, ratio) {
    const [large, small] = [createNoise(random, 64), createNoise(random, 64)]
    return (along) => large(along * ratio * 2) * 0.55 + small(along * ratio * 5) * 0.12
  },
  forest(random, ratio) {
    const [ground, size] = [createNoise(random, 64), createNoise(random, 512)]
    return (along) => {
      const at = along * ratio * 34
      const inTree = 1 - Math.abs((at - Math.floor(at)) * 2 - 1)
      const steps = inTree * 0.8 + ((inTree * 4) % 1) * 0.12
      return ground(along * ratio * 2) * 0.45 + steps * (0.16 + size(Math.floor(at)) * 0.16)
    }
  },
  city(random, ratio) {
    const [tall, broad] = [createNoise(random, 512), createNoise(random, 64)]
    return (along) => {
      const at = along * ratio * 19
      const isGap = at - Math.floor(at) > 0.94
      return isGap ? 0.1 : 0.18 + tall(Math.floor(at)) ** 2 * 0.62 + broad(along * ratio * 3) * 0.2
    }
  },
  dunes(random, ratio) {
    const [large, small] = [createNoise(random, 64), createNoise(random, 64)]
    return (along) => {
      const at = large(along * ratio * 1.7)
      return at * at * 0.7 + small(along * ratio * 3.3) * 0.18
    }
  },
}

function paintWindows(canvas: Canvas, scene: Scene, layer: number, line: Float32Array): void {
  const { width, height } = canvas
  const random = createRandom(scene.seed ^ (0x71d0 * (layer + 1)))
  const step = Math.max(3, Math.min(width, height) / 90)
  const bottom = (scene.water ?? 0.9) * height
  for (let x = step; x < width; x += step) {
    const roof = Math.max(line[Math.floor(x)] ?? 0, line[Math.min(width - 1, Math.floor(x + step / 2))] ?? 0)
    for (let y = roof + step; y < bottom; y += step * 1.3) {
      if (random() > 0.3) continue
      const [right, low] = [x + step * 0.45, y + step * 0.6]
      const glow = 0.35 + random() * 0.5
      fillPolygon(canvas, [[x, y], [right, y], [right, low], [x, low]], scene.palette.lamp, glow) // prettier-ignore
    }
  }
}
