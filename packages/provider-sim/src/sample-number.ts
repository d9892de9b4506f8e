import type { Json, JsonObject } from '@dragoman/core'

/** A number within the bounds of a schema, and a multiple of its `multipleOf`. */
export function sampleNumber(schema: JsonObject, kind: 'whole' | 'any', variant: number): number {
  const { multipleOf } = schema
  const grid = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : kind === 'whole' ? 1 : 0
  const low = lowerBound(schema)
  const high = upperBound(schema)
  if (grid === 0) return between(low, high, variant + 1)
  const first = low === undefined ? undefined : Math.ceil(low.value / grid) * grid
  const last = high === undefined ? undefined : Math.floor(high.value / grid) * grid
  const least = low?.excluded && first === low.value ? first + grid : first
  const most = high?.excluded && last === high.value ? last - grid : last
  return clamp(Math.ceil((variant + 1) / grid) * grid, least, most)
}

interface Bound {
  readonly value: number
  readonly excluded: boolean
}

function lowerBound(schema: JsonObject): Bound | undefined {
  return bound(schema['minimum'], schema['exclusiveMinimum'], Math.max)
}

function upperBound(schema: JsonObject): Bound | undefined {
  return bound(schema['maximum'], schema['exclusiveMaximum'], Math.min)
}

/** The exclusive keyword is a number, or in older dialects a flag for the inclusive one. */
function bound(
  inclusive: Json | undefined,
  exclusive: Json | undefined,
  tighter: (a: number, b: number) => number,
): Bound | undefined {
  if (typeof exclusive !== 'number') {
    return typeof inclusive === 'number' ? { value: inclusive, excluded: exclusive === true } : undefined
  }
  if (typeof inclusive !== 'number') return { value: exclusive, excluded: true }
  const value = tighter(inclusive, exclusive)
  return { value, excluded: value === exclusive }
}

/** Without `multipleOf`, the middle between two bounds is always inside. */
function between(low: Bound | undefined, high: Bound | undefined, wanted: number): number {
  const fits = (value: number): boolean =>
    (low === undefined || value > low.value || (value === low.value && !low.excluded)) &&
    (high === undefined || value < high.value || (value === high.value && !high.excluded))
  if (fits(wanted)) return wanted
  if (low !== undefined && high !== undefined) return (low.value + high.value) / 2
  return low === undefined ? (high?.value ?? 0) - 1 : low.value + 1
}

function clamp(value: number, least: number | undefined, most: number | undefined): number {
  const raised = least === undefined ? value : Math.max(value, least)
  return most === undefined ? raised : Math.min(raised, most)
}
