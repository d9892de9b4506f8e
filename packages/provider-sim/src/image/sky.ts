import { fillEllipse, fillRows, mix, type Canvas, type Color } from './canvas.ts'
import { between, createRandom } from './random.ts'
import type { Scene } from './scene.ts'

/** The color of the sky, from 0 at the top to 1. */
export function skyAt({ palette: { sky } }: Scene, share: number): Color {
  return share < 0.55 ? mix(sky[0], sky[1], share / 0.55) : mix(sky[1], sky[2], Math.min(1, (share - 0.55) / 0.3))
}

export function paintSky(canvas: Canvas, scene: Scene): void {
  fillRows(canvas, 0, (y) => skyAt(scene, y / canvas.height))
}

export function paintStars(canvas: Canvas, { palette: { stars }, seed }: Scene, moment: number): void {
  if (stars === 0) return
  const { width, height } = canvas
  const random = createRandom(seed ^ 0x57a25)
  for (let count = 0; count < 220; count++) {
    const [x, y] = [random() * width, random() ** 1.4 * height * 0.62]
    const radius = between(random, 0.0006, 0.0021) * Math.min(width, height)
    const twinkle = 0.75 + 0.25 * Math.sin(2 * Math.PI * (moment + random()))
    const alpha = stars * twinkle * (1 - y / (height * 0.7))
    fillEllipse(canvas, { x, y, radiusX: radius, radiusY: radius, soft: 0.8 }, [255, 250, 235], alpha)
  }
}

/** The sun or the moon. */
export function paintLight(canvas: Canvas, { palette, light, moon, seed }: Scene): void {
  const { width, height } = canvas
  const unit = Math.min(width, height)
  const [x, y, radius] = [light.x * width, light.y * height, light.radius * unit]
  const circle = (scale: number, soft: number) => ({ x, y, radiusX: radius * scale, radiusY: radius * scale, soft })
  fillEllipse(canvas, circle(3, 1.6), palette.light, moon ? 0.16 : 0.3)
  fillEllipse(canvas, circle(1.45, 0.6), palette.light, moon ? 0.12 : 0.3)
  fillEllipse(canvas, circle(1, 0), palette.light, 1)
  if (!moon) return
  const random = createRandom(seed ^ 0x3007)
  for (let count = 0; count < 6; count++) {
    const [angle, distance] = [random() * 2 * Math.PI, Math.sqrt(random()) * 0.7 * radius]
    const size = between(random, 0.08, 0.2) * radius
    const spot = { x: x + Math.cos(angle) * distance, y: y + Math.sin(angle) * distance, radiusX: size, radiusY: size }
    fillEllipse(canvas, { ...spot, soft: 0.4 }, mix(palette.light, palette.sky[1], 0.35), 0.5)
  }
}

export function paintClouds(canvas: Canvas, { palette, clouds, seed }: Scene, moment: number): void {
  const { width, height } = canvas
  const unit = Math.min(width, height)
  const random = createRandom(seed ^ 0xc10d5)
  for (let cloud = 0; cloud < clouds; cloud++) {
    const [left, top] = [random() * 1.2 - 0.1, between(random, 0.12, 0.46)]
    const drift = Math.sin(2 * Math.PI * (moment + random())) * 0.012
    const length = between(random, 0.12, 0.26) * unit
    const puffs = 5 + Math.floor(random() * 4)
    for (let puff = 0; puff < puffs; puff++) {
      const along = puff / (puffs - 1) - 0.5
      const x = (left + drift) * width + along * 2 * length
      const y = top * height - random() * (0.25 - along * along) * length * 0.5
      const radius = between(random, 0.25, 0.5) * length * (1.05 - Math.abs(along))
      fillEllipse(canvas, { x, y, radiusX: radius * 1.7, radiusY: radius * 0.42, soft: 0.7 }, palette.cloud, 0.42)
    }
  }
}
