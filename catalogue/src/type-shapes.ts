import { SymbolFlags, TypeFlags, type Checker, type Type } from 'typescript/unstable/sync'
import type { Member, ObjectShape, Shape } from './shape.ts'

/** Shapes by the id of their type: each type is read once. */
export function createReader(checker: Checker): (type: Type) => Shape {
  const shapes = new Map<number, Shape>()
  const objects = new Map<number, ObjectShape>()
  const read = (type: Type): Shape => {
    const before = shapes.get(type.id)
    if (before !== undefined) return before
    const shape = shapeOf(type)
    shapes.set(type.id, shape)
    return shape
  }

  function shapeOf(type: Type): Shape {
    const options = optionsOf(type)
    const has = (flags: TypeFlags) => options.some((option) => (option.flags & flags) !== 0)
    const words = options.flatMap((option) => (option.isStringLiteralType() ? [option.value] : []))
    const complex = options.filter((option) => isComplex(option))
    const lists = complex.filter((option) => checker.isArrayLikeType(option))
    const items = () => joined(lists.map((list) => itemOf(list)))
    return {
      isAny: has(TypeFlags.Any | TypeFlags.Unknown),
      words: new Set(words),
      isOpen: has(TypeFlags.String) || options.some((option) => isOpenText(option)),
      hasNumbers: has(TypeFlags.NumberLike),
      hasBooleans: has(TypeFlags.BooleanLike),
      hasLists: lists.length > 0,
      items: once(items),
      objects: complex.filter((option) => !lists.includes(option) && !isOpenText(option)).map(objectOf),
    }
  }

  function itemOf(list: Type): Shape {
    const index = checker.getIndexInfosOfType(list)[0]
    if (index === undefined) throw new Error(`a list without items: ${checker.typeToString(list)}`)
    return read(index.valueType)
  }

  function objectOf(type: Type): ObjectShape {
    const before = objects.get(type.id)
    if (before !== undefined) return before
    const properties = checker.getPropertiesOfType(type)
    const types = properties.length === 0 ? [] : checker.getTypeOfSymbol(properties)
    const members = properties.map((property, index): [string, Member] => {
      const memberType = types[index]
      if (memberType === undefined) throw new Error(`a member without a type: ${property.name}`)
      const isOptional = (property.flags & SymbolFlags.Optional) !== 0
      return [
        property.name,
        { isGiven: () => !isOptional && !mayBeNull(memberType), shape: once(() => read(memberType)) },
      ]
    })
    const values = once(() => {
      const index = checker.getIndexInfosOfType(type)[0]
      return index === undefined ? undefined : read(index.valueType)
    })
    const shape = { id: type.id, members: new Map(members), values }
    objects.set(type.id, shape)
    return shape
  }

  /** `string & {}`: any text, beside words that are named. */
  function isOpenText(type: Type): boolean {
    return type.isIntersectionType() && type.getTypes().some(({ flags }) => (flags & TypeFlags.String) !== 0)
  }

  return read
}

function optionsOf(type: Type): readonly Type[] {
  const options = type.isUnionType() ? type.getTypes() : [type]
  return options.filter(({ flags }) => (flags & NOTHING) === 0)
}

const NOTHING = TypeFlags.Null | TypeFlags.Undefined | TypeFlags.Void | TypeFlags.Never

function mayBeNull(type: Type): boolean {
  const options = type.isUnionType() ? type.getTypes() : [type]
  return options.some(({ flags }) => (flags & (TypeFlags.Null | TypeFlags.Undefined)) !== 0)
}

function isComplex({ flags }: Type): boolean {
  return (flags & (TypeFlags.Object | TypeFlags.Intersection)) !== 0
}

/** One shape that allows what each of them allows. */
function joined(shapes: readonly Shape[]): Shape {
  const [only] = shapes
  if (only !== undefined && shapes.length === 1) return only
  return {
    isAny: shapes.some(({ isAny }) => isAny),
    words: new Set(shapes.flatMap(({ words }) => [...words])),
    isOpen: shapes.some(({ isOpen }) => isOpen),
    hasNumbers: shapes.some(({ hasNumbers }) => hasNumbers),
    hasBooleans: shapes.some(({ hasBooleans }) => hasBooleans),
    hasLists: shapes.some(({ hasLists }) => hasLists),
    items: once(() => joined(shapes.filter(({ hasLists }) => hasLists).map(({ items }) => items()))),
    objects: shapes.flatMap(({ objects }) => objects),
  }
}

function once<T>(compute: () => T): () => T {
  let done: { readonly value: T } | undefined
  return () => (done ??= { value: compute() }).value
}
