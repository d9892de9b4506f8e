import type { Dimension } from './usage-query.ts'

/** The order of rows: times by number, names by code points, as databases compare UTF-8. */
export function compareValues(one: readonly string[], other: readonly string[], by: readonly Dimension[]): number {
  for (const [index, name] of by.entries()) {
    const [left = '', right = ''] = [one[index], other[index]]
    if (left === right) continue
    return isTime(name) ? Number(left) - Number(right) : compareTexts(left, right)
  }
  return 0
}

export function isTime(name: Dimension | undefined): name is 'hour' | 'day' {
  return name === 'hour' || name === 'day'
}

/** JavaScript compares UTF-16, in which the halves of rare characters come before some others. */
function compareTexts(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let index = 0; index < length; index++) {
    const [left, right] = [one.charCodeAt(index), other.charCodeAt(index)]
    if (left === right) continue
    if (isHalf(left) === isHalf(right)) return left - right
    return isHalf(left) ? 1 : -1
  }
  return one.length - other.length
}

function isHalf(unit: number): boolean {
  return unit >= 0xd8_00 && unit <= 0xdf_ff
}

/** Whether values can be those of a row: what a caller sends as the end of a page. */
export function areValues(values: unknown, by: readonly Dimension[]): values is readonly string[] {
  if (!Array.isArray(values) || values.length !== by.length) return false
  const isValue = (value: unknown, name: Dimension | undefined): boolean =>
    typeof value === 'string' && (!isTime(name) || /^\d{1,15}$/.test(value))
  return values.every((value, index) => isValue(value, by[index]))
}
