import type * as z from 'zod/v4/core'
import {
  defOf,
  deriveLeaf,
  isMap,
  issueOf,
  deriveObject,
  deriveTagged,
  deriveUnion,
  deriveList,
  deriveMap,
  type Derived,
  type Derive,
} from './derived.ts'

/** A problem with a value, and its path. */
interface Problem {
  readonly path: string
  readonly message: string
}

/** Reads values by a grammar. */
export interface Reader {
  /** Whether a value is valid: the same result as zod's, without its copies. */
  readonly fits: (value: unknown) => boolean
  /** The first problem, with the message of the grammar; undefined if the value is valid. */
  readonly findProblem: (value: unknown) => Problem | undefined
  /** The value without its named members that are null, also nested ones; the same value if there are none. */
  readonly withoutNulls: (value: unknown) => unknown
}

/** Everything is derived from the schema when the first value is checked. */
export function createReader(schema: z.$ZodType): Reader {
  let derived: Derived | undefined
  const ready = () => (derived ??= createDerive()(schema))
  return {
    fits: (value) => ready().fits(value),
    findProblem: (value) => {
      const issue = ready().find(value)
      return issue && { path: issue.path.join('.'), message: issue.message }
    },
    withoutNulls: (value) => ready().withoutNulls(value),
  }
}

/** Derives everything from a grammar, in one walk over the definitions of its schemas. */
function createDerive(): Derive {
  const made = new Map<z.$ZodType, Derived>()
  const derive: Derive = (schema) => {
    const before = made.get(schema)
    if (before !== undefined) return before
    const derived = withChecks(schema, deriveUnchecked(schema, derive))
    made.set(schema, derived)
    return derived
  }
  return derive
}

function deriveUnchecked(schema: z.$ZodType, derive: Derive): Derived {
  const def = defOf(schema)
  switch (def.type) {
    case 'string':
      return deriveLeaf(schema, isText)
    case 'number':
      return deriveLeaf(schema, Number.isFinite)
    case 'boolean':
      return deriveLeaf(schema, (value) => typeof value === 'boolean')
    case 'unknown':
      return deriveLeaf(schema, () => true)
    case 'literal':
      return deriveLeaf(schema, oneOf(def.values), isText)
    case 'lazy':
      return later(() => derive(def.getter()))
    case 'array':
      return deriveList(schema, derive(def.element))
    case 'object':
      return isMap(def) ? deriveMap(schema, derive(def.catchall)) : deriveObject(schema, def.shape, derive)
    case 'union':
      return 'discriminator' in def
        ? deriveTagged(schema, String(def.discriminator), def.options, derive)
        : deriveUnion(def.options.map(derive))
    default:
      throw new Error(`No grammar here has a ${def.type}.`)
  }
}

const isText = (value: unknown) => typeof value === 'string'

function oneOf(values: readonly unknown[]): (value: unknown) => boolean {
  const [first] = values
  return values.length === 1 ? (value) => value === first : (value) => values.includes(value)
}

function later(resolve: () => Derived): Derived {
  return {
    fits: (value) => resolve().fits(value),
    claims: (value) => resolve().claims(value),
    find: (value) => resolve().find(value),
    withoutNulls: (value) => resolve().withoutNulls(value),
  }
}

/** Adds the conditions of the schema, one after another. */
function withChecks(schema: z.$ZodType, unchecked: Derived): Derived {
  return (schema._zod.def.checks ?? []).reduce(withCheck, unchecked)
}

function withCheck(inner: Derived, { _zod }: z.$ZodCheck): Derived {
  const { fn, path = [], ...def } = _zod.def as z.$ZodCustomDef // as every condition of a grammar is
  const holds = (value: unknown) => fn(value) === true
  return {
    ...inner,
    fits: (value) => inner.fits(value) && holds(value),
    find: (value) => inner.find(value) ?? (holds(value) ? undefined : issueOf(def, value, { path })),
  }
}
