import * as z from 'zod/v4/core'
import { defOf } from './derived.ts'
import type { ConditionDef } from './schema.ts'

/** The schema of a definition, with zod's own classes for every member. */
export function zodOf<S extends z.$ZodType>(schema: S, made: Map<z.$ZodType, z.$ZodType> = new Map()): S {
  const before = made.get(schema)
  const zod = before ?? create(schema, (inner) => zodOf(inner, made))
  made.set(schema, zod)
  return zod as S // of the same definition
}

function create(schema: z.$ZodType, make: (inner: z.$ZodType) => z.$ZodType): z.$ZodType {
  const given = defOf(schema)
  const def = { ...given, checks: (given.checks ?? []).map(conditionOf) } as typeof given // with zod's own conditions
  switch (def.type) {
    case 'string':
      return new z.$ZodString(def)
    case 'number':
      return new z.$ZodNumber(def)
    case 'boolean':
      return new z.$ZodBoolean(def)
    case 'unknown':
      return new z.$ZodUnknown(def)
    case 'literal':
      return new z.$ZodLiteral(def)
    case 'optional':
      return new z.$ZodOptional({ ...def, innerType: make(def.innerType) })
    case 'nullable':
      return new z.$ZodNullable({ ...def, innerType: make(def.innerType) })
    case 'lazy':
      return new z.$ZodLazy({ ...def, getter: () => make(def.getter()) })
    case 'array':
      return new z.$ZodArray({ ...def, element: make(def.element) })
    case 'object': {
      const shape = Object.fromEntries(Object.entries(def.shape).map(([name, member]) => [name, make(member)]))
      return new z.$ZodObject({ ...def, shape, catchall: make(def.catchall as z.$ZodType) }) // every object has one
    }
    case 'union': {
      const options = def.options.map(make)
      return isTagged(def) ? new z.$ZodDiscriminatedUnion({ ...def, options }) : new z.$ZodUnion({ ...def, options })
    }
    default:
      throw new Error(`No grammar here has a ${def.type}.`)
  }
}

function isTagged(def: z.$ZodUnionDef): def is z.$ZodDiscriminatedUnionDef {
  return 'discriminator' in def
}

/** Its limits of numbers and lengths are written to the JSON Schema. */
function conditionOf({ _zod }: z.$ZodCheck): z.$ZodCheck {
  const { facts, ...def } = _zod.def as ConditionDef // as every condition of a grammar is
  const check = new z.$ZodCustom(def)
  check._zod.onattach.push((schema) => void Object.assign(schema._zod.bag, facts))
  return check
}
