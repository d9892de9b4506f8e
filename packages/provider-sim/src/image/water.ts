import { fillEllipse, fillRows, mix, type Canvas } from './canvas.ts'
import { between, createRandom } from './random.ts'
import type { Scene } from './scene.ts'
import { skyAt } from './sky.ts'

/** Water shows the sky upside down, darker, with glints below the sun. */
export function paintWater(canvas: Canvas, scene: Scene, level: number, moment: number): void {
  const { width, height } = canvas
  const top = Math.round(level * height)
  const deep = mix(scene.palette.sky[0], scene.palette.near, 0.35)
  fillRows(canvas, top, (y) => {
    const down = (y - top) / (height - top)
    return mix(skyAt(scene, 0.8 - 0.8 * down), deep, 0.2 + 0.4 * down)
  })
  const random = createRandom(scene.seed ^ 0x3a7e2)
  for (let count = 0; count < 90; count++) {
    const down = random() ** 1.5
    const y = top + (0.01 + down * 0.97) * (height - top)
    const spread = 0.03 + down * 0.16
    const x = (scene.light.x + (random() - 0.5) * 2 * spread) * width
    const sway = Math.sin(2 * Math.PI * (moment + random()))
    const length = between(random, 0.012, 0.05) * Math.min(width, height) * (1 + 0.35 * sway)
    const thick = Math.max(0.5, (0.0012 + down * 0.0028) * Math.min(width, height))
    fillEllipse(
      canvas,
      { x, y, radiusX: length, radiusY: thick, soft: 0.5 },
      scene.palette.light,
      0.55 * (1 - down * 0.5),
    )
  }
}
