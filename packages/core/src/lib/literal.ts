/**
 * The type of a body that goes in: the named members of `T` and no others, so that a literal with an unknown member is a type error.
 * Nothing else is checked. Members inside of members may be missing, and a string may be another one than those that are known: so bodies
 * in the types of the SDKs fit too, which are wider here and there. `check` is for the rest.
 */
export type Accepted<T> = { [Member in keyof Named<T>]: Inside<Named<T>[Member]> }

type Inside<T> = T extends string
  ? OpenString<T>
  : T extends readonly (infer Item)[]
    ? readonly Inside<Item>[]
    : T extends object
      ? InsideObject<T>
      : T

/** Editors still offer the known strings. */
type OpenString<T extends string> = string extends T ? T : T | (string & {})

type InsideObject<T extends object> = keyof Named<T> extends never
  ? Map<T>
  : { readonly type: string } extends Named<T>
    ? object // the type of blocks inside of blocks ends there
    : { readonly [Member in keyof Named<T>]?: Inside<Named<T>[Member]> | undefined }

/** An object whose keys are data. SDKs have wider types for objects whose values are data too. */
type Map<T> = T extends { readonly [key: string]: infer Value } ? (unknown extends Value ? unknown : T) : T

/** The named members of a type, without an index signature. */
type Named<T> = {
  [Member in keyof T as string extends Member ? never : number extends Member ? never : Member]: T[Member]
}

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

/**
 * Adds members that the types here do not know, at any depth of a body: `vendor({ role: 'user', content: 'Hi' }, { mood: 'curious' })`.
 * They are kept for an upstream of the same protocol, and reported as losses for any other.
 */
export function vendor<const Node extends object>(node: Node, members: object): Node {
  return { ...node, ...members }
}
