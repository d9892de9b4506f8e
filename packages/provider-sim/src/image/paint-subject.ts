import { fillEllipse, mix, type Canvas } from './canvas.ts'
import { outlineOf } from './land.ts'
import { fillPolygon } from './polygon.ts'
import { between, createRandom } from './random.ts'
import type { Scene } from './scene.ts'
import type { Subject } from './subjects.ts'

/** A thing that the prompt names, in its place. */
export function paintSubject(canvas: Canvas, scene: Scene, subject: Subject, moment: number): void {
  const { width, height } = canvas
  const order = scene.subjects.indexOf(subject)
  const random = createRandom(scene.seed ^ (0x5b1ec7 * (order + 1)))
  const size = subject.size * Math.min(width, height)
  // Beside the light, so that neither hides the other.
  const side = scene.light.x < 0.5 ? 1 : -1
  const along = 0.5 + side * (order % 2 === 0 ? 1 : -1) * between(random, 0.16, 0.3)
  const x = along * width
  const bob = Math.sin(2 * Math.PI * moment) * 0.02 * size
  const y = footOf(canvas, scene, subject, x) + (subject.stands === 'land' ? 0 : bob)
  if (subject.lamp !== undefined) paintBeam(canvas, scene, x, y - subject.lamp * size, moment)
  for (const { color, points } of subject.shapes) {
    const paint = color === 'lamp' ? scene.palette.lamp : mix(color, scene.palette.near, 0.22)
    fillPolygon(
      canvas,
      points.map(([right, up]) => [x + right * size, y - up * size] as const),
      paint,
    )
  }
}

function footOf(canvas: Canvas, scene: Scene, { stands, size }: Subject, x: number): number {
  const { height, width } = canvas
  if (stands === 'sky') return (0.2 * height + size * Math.min(width, height) * 1.2) | 0
  if (stands === 'water') return ((scene.water ?? 0.8) + 0.05) * height
  return (outlineOf(canvas, scene, scene.layers - 1)[Math.round(x)] ?? 0) + 0.01 * height
}

function paintBeam(canvas: Canvas, scene: Scene, x: number, y: number, moment: number): void {
  const { width } = canvas
  const tilt = 0.08 * Math.sin(2 * Math.PI * moment)
  for (const direction of [-1, 1]) {
    const end = x + direction * width
    for (const half of [0.09, 0.06, 0.035]) {
      const [high, low] = [y - (half + tilt) * width, y + (half - tilt) * width]
      fillPolygon(canvas, [[x, y], [end, high], [end, low]], scene.palette.lamp, 0.09) // prettier-ignore
    }
  }
  fillEllipse(canvas, { x, y, radiusX: width * 0.03, radiusY: width * 0.03, soft: 1.4 }, scene.palette.lamp, 0.8)
}
