import type * as z from 'zod/v4/core'
import { deriveObject } from './derive-object.ts'
import { deriveTagged, deriveUnion } from './derive-union.ts'
import { deriveList, deriveMap } from './derive-list.ts'
import { defOf, deriveLeaf, isMap, issueOf, type Derive, type Derived } from './derived.ts'

/** Derives everything from a grammar, in one walk over the definitions of its schemas. */
export function createDerive(): Derive {
  const made = new Map<z.$ZodType, Derived>()
  const derive: Derive = (schema) => {
    const before = made.get(schema)
    if (before !== undefined) return before
    const derived = withChecks(schema, deriveBare(schema, derive))
    made.set(schema, derived)
    return derived
  }
  return derive
}

function deriveBare(schema: z.$ZodType, derive: Derive): Derived {
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
    case 'optional':
      return orElse(undefined, derive(def.innerType))
    case 'nullable':
      return orElse(null, derive(def.innerType))
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

function orElse(absent: null | undefined, inner: Derived): Derived {
  return {
    fits: (value) => value === absent || inner.fits(value),
    claims: (value) => value === absent || inner.claims(value),
    find: (value) => (value === absent ? undefined : inner.find(value)),
    bare: inner.bare,
  }
}

function later(resolve: () => Derived): Derived {
  return {
    fits: (value) => resolve().fits(value),
    claims: (value) => resolve().claims(value),
    find: (value) => resolve().find(value),
    bare: (value) => resolve().bare(value),
  }
}

/** Adds the conditions of the schema, one after another. */
function withChecks(schema: z.$ZodType, bare: Derived): Derived {
  return (schema._zod.def.checks ?? []).reduce(withCheck, bare)
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
