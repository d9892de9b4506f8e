/** A refusal in the form of an upstream: path and reason. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly path: string
  readonly code: string | undefined

  constructor(path: string, why: string, code?: string) {
    super(`${path}: ${why}`)
    this.path = path
    this.code = code
  }
}

export type Wire = { readonly [key: string]: unknown }

export function refuse(path: string, why: string): never {
  throw new RefusedError(path, why)
}

export function object(value: unknown, path: string): Wire {
  if (!isWire(value)) refuse(path, 'must be an object')
  return value
}

export function isWire(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function list(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) refuse(path, 'must be a list')
  return value as unknown[]
}

export function filled(value: unknown, path: string): readonly unknown[] {
  const items = list(value, path)
  if (items.length === 0) refuse(path, 'must not be empty')
  return items
}

export function string(value: unknown, path: string): string {
  if (typeof value !== 'string') refuse(path, 'must be a string')
  return value
}

/** Data in the standard alphabet, padded, because upstreams need not accept another form. */
export function base64(value: unknown, path: string): void {
  const text = nonEmpty(value, path)
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) refuse(path, 'is not valid base64')
}

export function nonEmpty(value: unknown, path: string): string {
  const text = string(value, path)
  if (text === '') refuse(path, 'must not be empty')
  return text
}

export function matching(value: unknown, pattern: RegExp, path: string): string {
  const text = string(value, path)
  if (!pattern.test(text)) refuse(path, `does not match ${pattern.source}`)
  return text
}

export function oneOf(value: unknown, values: readonly unknown[], path: string): void {
  if (!values.includes(value)) refuse(path, `must be one of ${values.join(', ')}`)
}

export function whole(value: unknown, least: number, most: number, path: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) refuse(path, 'must be a whole number')
  return within(value, least, most, path)
}

export function within(value: unknown, least: number, most: number, path: string): number {
  if (typeof value !== 'number') refuse(path, 'must be a number')
  if (value < least || value > most) refuse(path, `must be between ${least} and ${most}`)
  return value
}

export function flag(value: unknown, path: string): void {
  if (typeof value !== 'boolean') refuse(path, 'must be true or false')
}

/** Runs the check if the member is not undefined. Null is checked. */
export function optional<T>(value: T, check: (value: Exclude<T, undefined>) => unknown): void {
  if (value !== undefined) check(value as Exclude<T, undefined>)
}

/** Refuses unknown members, except `x_…`, which stand for future features. */
export function only(value: Wire, known: string, path: string): void {
  const names = known.split(' ')
  for (const key of Object.keys(value)) {
    if (!names.includes(key) && !key.startsWith('x_')) refuse(`${path}.${key}`, 'extra inputs are not permitted')
  }
}

/** A future kind that the upstream knows and the core does not. */
export function isFuture(type: unknown): boolean {
  return typeof type === 'string' && type.startsWith('x_')
}
