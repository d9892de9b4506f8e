import { blend, type Canvas, type Color } from './canvas.ts'

export type Point = readonly [x: number, y: number]

const SUBROWS = 4

/** Paints a polygon with smooth edges, by the share of each pixel that it covers. Where it crosses itself, even counts are outside. */
export function fillPolygon(canvas: Canvas, points: readonly Point[], color: Color, alpha = 1): void {
  const { width, height } = canvas
  const heights = points.map(([, y]) => y)
  const bottom = Math.min(height - 1, Math.ceil(Math.max(...heights)))
  const columns = points.map(([x]) => x)
  const left = Math.max(0, Math.floor(Math.min(...columns)))
  const right = Math.min(width - 1, Math.ceil(Math.max(...columns)))
  if (right < left) return
  const covered = new Float32Array(right - left + 1)
  for (let y = Math.max(0, Math.floor(Math.min(...heights))); y <= bottom; y++) {
    covered.fill(0)
    for (let subrow = 0; subrow < SUBROWS; subrow++) {
      const crossings = crossingsAt(points, y + (subrow + 0.5) / SUBROWS)
      for (let index = 0; index + 1 < crossings.length; index += 2) {
        coverSpan(covered, (crossings[index] ?? 0) - left, (crossings[index + 1] ?? 0) - left)
      }
    }
    for (let x = left; x <= right; x++) {
      const share = covered[x - left] ?? 0
      if (share > 0) blend(canvas, (y * width + x) * 4, color, Math.min(1, share / SUBROWS) * alpha)
    }
  }
}

/** Where the edges cross a height, from left to right. */
function crossingsAt(points: readonly Point[], y: number): readonly number[] {
  const crossings: number[] = []
  let from = points.at(-1)
  for (const to of points) {
    if (from !== undefined && from[1] <= y !== to[1] <= y) {
      crossings.push(from[0] + ((y - from[1]) / (to[1] - from[1])) * (to[0] - from[0]))
    }
    from = to
  }
  return crossings.sort((left, right) => left - right)
}

function coverSpan(covered: Float32Array, left: number, right: number): void {
  const first = Math.max(0, Math.floor(left))
  const last = Math.min(covered.length - 1, Math.floor(right))
  for (let x = first; x <= last; x++) {
    covered[x] = (covered[x] ?? 0) + Math.min(right, x + 1) - Math.max(left, x)
  }
}
