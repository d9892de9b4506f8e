import * as z from 'zod/mini'
import { compileFits, lazily, type Fits } from './fits.ts'
import { isObject } from './json.ts'

/** A problem with a body, and where it is. */
export interface Problem {
  readonly path: string
  readonly message: string
}

/** A list whose check ends at the first bad item: a long list of rubbish costs no more than one. */
export function list<T extends z.ZodMiniType>(item: T): z.ZodMiniType<z.output<T>[]> {
  const check = (payload: z.core.ParsePayload) => {
    for (const [index, value] of (payload.value as readonly unknown[]).entries()) {
      const result = z.safeParse(item, value)
      if (result.success) continue
      const issues = result.error.issues.map((issue) => ({ ...issue, path: [index, ...issue.path], input: value }))
      payload.issues.push(...(issues as z.core.$ZodRawIssue[])) // issues of zod's own, with their place in the list
      return
    }
  }
  const one = lazily(() => compileFits(item))
  const fits: Fits = (value) => Array.isArray(value) && value.every(one)
  const checked = z.array(z.unknown()).check(Object.assign(check, { fits }))
  return checked as z.ZodMiniType<z.output<T>[]> // every item has passed
}

/** An object whose kind stands in one member. A kind that is not among `kinds` meets `other`, or is refused by name. */
export function byTag<Kinds extends { readonly [kind: string]: z.ZodMiniType }>(
  tag: string,
  kinds: Kinds,
  other?: z.ZodMiniType,
): z.ZodMiniType<z.output<Kinds[keyof Kinds]>> {
  const names = Object.keys(kinds)
  const check = (payload: z.core.ParsePayload) => {
    const { value } = payload
    if (!isObject(value)) {
      payload.issues.push({ code: 'invalid_type', expected: 'object', input: value })
      return
    }
    const kind = value[tag]
    const schema = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind] : other
    if (schema === undefined) {
      payload.issues.push({ code: 'invalid_value', values: names, path: [tag], input: kind })
      return
    }
    const result = z.safeParse(schema, value)
    if (result.success) return
    const issues = result.error.issues.map((issue) => ({ ...issue, input: value }))
    payload.issues.push(...(issues as z.core.$ZodRawIssue[])) // issues of zod's own
  }
  const fitting = new Map(names.map((name) => [name, lazily(() => kinds[name] && compileFits(kinds[name]))]))
  const rest = lazily(() => other && compileFits(other))
  const fits: Fits = (value) =>
    isObject(value) && ((typeof value[tag] === 'string' ? fitting.get(value[tag]) : undefined) ?? rest)(value)
  const checked = z.unknown().check(Object.assign(check, { fits }))
  return checked as z.ZodMiniType<z.output<Kinds[keyof Kinds]>> // one of the kinds has passed
}

/** A finder of problems for one schema: a predicate has the first look, zod the words. */
export function createFinder(schema: z.ZodMiniType): (value: unknown) => Problem | undefined {
  const fits = lazily(() => compileFits(schema))
  return (value) => (fits(value) ? undefined : findProblem(schema, value))
}

/** Runs a schema; the first problem in the sender's words, or undefined when the value fits. */
export function findProblem(schema: z.ZodMiniType, value: unknown): Problem | undefined {
  const result = z.safeParse(schema, value)
  if (result.success) return undefined
  const issue = result.error.issues[0]
  return issue === undefined ? { path: '', message: 'Invalid input' } : locate(issue, [])
}

/** For a union, the branch that got furthest is the one the sender meant: its tag matched. */
function locate(issue: z.core.$ZodIssue, before: readonly PropertyKey[]): Problem {
  const path = [...before, ...issue.path]
  if (issue.code === 'invalid_union') {
    const meant = bestBranch(issue.errors)
    if (meant !== undefined) return locate(meant, path)
  }
  return { path: path.map(String).join('.'), message: describe(issue) }
}

function bestBranch(branches: readonly (readonly z.core.$ZodIssue[])[]): z.core.$ZodIssue | undefined {
  let best: z.core.$ZodIssue | undefined
  let bestRank = -1
  for (const branch of branches) {
    const first = branch[0]
    if (first === undefined) continue
    const tagged = branch.some(
      (issue) => issue.path.length === 1 && (issue.path[0] === 'type' || issue.path[0] === 'role'),
    )
    const rank = tagged ? 0 : 1 + Math.min(...branch.map((issue) => issue.path.length))
    if (rank > bestRank) {
      best = first
      bestRank = rank
    }
  }
  return best
}

function describe(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${issue.expected}`
    case 'invalid_value':
      return `expected ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`
    case 'too_small':
      return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unit(issue.origin)}`
    case 'too_big':
      return `must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${unit(issue.origin)}`
    case 'invalid_union':
      return 'has a form that is not accepted'
    default:
      return issue.message === '' || issue.message === 'Invalid input' ? 'is not valid' : issue.message
  }
}

function unit(origin: string): string {
  return origin === 'string' ? ' characters' : origin === 'array' ? ' items' : ''
}
