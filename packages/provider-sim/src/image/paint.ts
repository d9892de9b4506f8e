import type { Canvas } from './canvas.ts'
import { paintLayer } from './land.ts'
import { paintSubject } from './paint-subject.ts'
import type { Scene } from './scene.ts'
import { paintClouds, paintLight, paintSky, paintStars } from './sky.ts'
import type { Subject } from './subjects.ts'
import { paintWater } from './water.ts'

/** How a scene is painted. */
export interface PaintOptions {
  /** A moment of the scene, 0 to 1: what moves is back where it was at 1. By default 0. */
  readonly moment?: number
  /** Leaves out everything behind the land. */
  readonly transparent?: boolean
}

/** Paints a scene, from the sky to the foreground. Every part has its own random numbers, so that one part does not change another. */
export function paintScene(canvas: Canvas, scene: Scene, { moment = 0, transparent = false }: PaintOptions = {}): void {
  const paintThings = (stands: Subject['stands']): void => {
    for (const subject of scene.subjects) if (subject.stands === stands) paintSubject(canvas, scene, subject, moment)
  }
  if (!transparent) {
    paintSky(canvas, scene)
    paintStars(canvas, scene, moment)
    paintLight(canvas, scene)
    paintClouds(canvas, scene, moment)
  }
  paintThings('sky')
  const nearest = scene.layers - 1
  for (let layer = 0; layer < nearest; layer++) paintLayer(canvas, scene, layer)
  if (scene.water !== undefined) paintWater(canvas, scene, scene.water, moment)
  paintThings('water')
  paintThings('land')
  paintLayer(canvas, scene, nearest)
}
