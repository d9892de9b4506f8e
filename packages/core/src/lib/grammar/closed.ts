/** The named members of a type, without an index signature. */
type Named<T> = { [Name in keyof T as string extends Name ? never : Name]: T[Name] }

/**
 * A wire type for literals: the same members and no others, so that an unknown one is a type error. An object whose
 * members are all data, such as the arguments of a call, stays open.
 */
export type Closed<T> = T extends readonly (infer Item)[]
  ? readonly Closed<Item>[]
  : T extends object
    ? keyof Named<T> extends never
      ? T
      : { readonly [Name in keyof Named<T>]: Closed<Named<T>[Name]> }
    : T
