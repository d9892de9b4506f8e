import type * as z from 'zod'
import { didYouMean } from '@dragoman/core/provider'
import { isPrefix, type Mistake } from './mistakes.ts'
import { prune, type Pruned } from './prune.ts'
import { configSchema, type Config } from './schema.ts'

type Issue = z.core.$ZodIssue

/** The valid part of a document, and its mistakes. */
export interface CheckedConfig extends Pick<Pruned, 'originalPath'> {
  readonly config: Config
  /** With paths in the document. */
  readonly mistakes: readonly Mistake[]
}

/** Checks a document against the schema. What is wrong is left out, so that further checks find mistakes in the rest. */
export function checkConfig(document: unknown): CheckedConfig {
  const mistakes: Mistake[] = []
  // A value that is left out can make another one wrong. In the end, the document is empty.
  for (let wrong: readonly Mistake['path'][] = []; ;) {
    const { document: rest, originalPath } = prune(document, wrong)
    const { success, data, error } = configSchema.safeParse(rest, { error: reasonOf })
    if (success) return { config: data, mistakes, originalPath }
    const found = error.issues.flatMap((issue) => mistakesOf(issue, []))
    const original = found.map((mistake) => ({ ...mistake, path: originalPath(mistake.path) }))
    mistakes.push(...original.filter(({ path }) => !wrong.some((known) => isPrefix(path, known))))
    wrong = [...wrong, ...found.map(({ path }) => originalPath(presentPart(rest, path)))]
  }
}

/** The path of the value to leave out: without a required member it is the object. */
function presentPart(document: unknown, path: Mistake['path']): Mistake['path'] {
  let node = document
  for (const [depth, key] of path.entries()) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return path.slice(0, depth)
    node = (node as { readonly [key: PropertyKey]: unknown })[key] // it has this member
  }
  return path
}

function mistakesOf(issue: Issue, before: readonly PropertyKey[]): readonly Mistake[] {
  const path = [...before, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    const reasons = issue.message.split('\n')
    return issue.keys.map((member, index) => ({ path: [...path, member], reason: reasons[index] ?? 'is unknown' }))
  }
  // Of several forms, the intended one is the form with the same type of value.
  const meant = issue.code === 'invalid_union' ? issue.errors.find((each) => !each.some(isOfAnotherKind)) : undefined
  if (meant !== undefined && meant.some(({ path: inside, code }) => inside.length > 0 || code === 'unrecognized_keys'))
    return meant.flatMap((inner) => mistakesOf(inner, path))
  return [{ path, reason: issue.message }]
}

function isOfAnotherKind({ code, path }: Issue): boolean {
  return path.length === 0 && code === 'invalid_type'
}

/** A message for operators, if the schema has none. */
function reasonOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${KIND_OF[issue.expected] ?? issue.expected}`
    case 'invalid_value': {
      const near = typeof issue.input === 'string' ? didYouMean(issue.input, issue.values.map(String)) : ''
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}${near}`
    }
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? 'must not be empty'
        : `must be ${issue.inclusive === true ? 'at least' : 'above'} ${issue.minimum}`
    case 'too_big':
      return `must be at most ${issue.maximum}`
    case 'invalid_key':
      return 'is not a valid name: it may have lower-case letters, digits and dashes'
    case 'invalid_union':
      return 'has none of the forms that it may have'
    default:
      return undefined
  }
}

const KIND_OF: { readonly [kind: string]: string } = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}
