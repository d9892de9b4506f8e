// Compares a type of an SDK with a grammar, member by member and value by value.

/**
 * What `Theirs` allows and `Ours` does not, as names: `image.transformations` is a member, `thinking=between_tools` a kind,
 * `image_url.detail=original` a value, `inlineData.mimeType?` a member that ours requires. The first word is the kind of the
 * object, or the member that it is in. A null member is one that was not given, so null is never a gap.
 */
export type Gaps<Theirs, Ours, Owner extends string = 'body', Name extends string = 'body'> =
  IsUnknown<Theirs> extends true
    ? never // any value, which the other side can only describe better
    : IsUnknown<Ours> extends true
      ? never // kept unread, whatever it is
      : GapsOfValue<Present<Theirs>, Present<Ours>, Owner, Name, IsOpen<Theirs>>

/** One line per gap, with the reason. A gap without a line does not compile, and neither does a line without a gap. */
export type Reasons<Gap extends string> = [Gap] extends [never] ? 'no gaps' : { readonly [Name in Gap]: string }

type GapsOfValue<Value, Ours, Owner extends string, Name extends string, Open> = Value extends readonly (infer Item)[]
  ? Gaps<Item, Extract<Ours, readonly unknown[]>[number], Owner, Name>
  : Value extends string
    ? GapsOfText<Value, Extract<Ours, string>, `${Owner}.${Name}`, Open>
    : Value extends object
      ? GapsOfObject<Value, Exclude<Ours, Leaf | readonly unknown[]>, Owner, Name>
      : Value extends Ours
        ? never
        : `${Owner}.${Name}=${Value extends number ? 'number' : 'boolean'}`

/** Values of an open list are no gaps where ours takes every text. A closed list is known value by value. */
type GapsOfText<Value extends string, Ours, At extends string, Open> = string extends Value
  ? [string] extends [Ours]
    ? never
    : `${At}=string`
  : `${Value}` extends Words<Ours>
    ? never
    : [Open, string] extends [true, Ours]
      ? never
      : `${At}=${Value}`

type GapsOfObject<Value, Ours, Owner extends string, Name extends string> = [Ours] extends [never]
  ? `${Owner}.${Name}=object`
  : [Like<Value, Ours>] extends [never]
    ? `${Name}=${TagOf<Value, 'object'>}`
    : GapsOfLike<Value, Like<Value, Ours>, TagOf<Value, Name>>

/** An object whose members are data has no gaps in them, and neither has a block inside a block, whose type ends there. */
type GapsOfLike<Value, Ours, Owner extends string> = Ours extends object
  ? [Named<Ours>] extends [never]
    ? Ours extends { readonly [key: string]: infer Item }
      ? Gaps<Value[keyof Value], Item, Owner, 'value'>
      : never
    : IsNested<Ours> extends true
      ? never
      :
          | {
              [Name in Named<Value>]: Name extends Named<Ours>
                ? Gaps<Value[Name & keyof Value], Ours[Name & keyof Ours], Owner, Name>
                : `${Owner}.${Name}`
            }[Named<Value>]
          | `${Owner}.${Exclude<Required<Ours>, Required<Value>>}?`
  : never

/** The kinds of ours with the tag of this value. */
type Like<Value, Ours> = Ours extends object ? (FitsTag<Value, Ours> extends true ? Ours : never) : never
type FitsTag<Value, Ours> =
  TagIn<Value> extends infer Tag extends keyof Value
    ? Tag extends Named<Ours> & keyof Ours
      ? string extends Value[Tag]
        ? true
        : [Extract<Present<Value[Tag]>, Present<Ours[Tag]>>] extends [never]
          ? false
          : true
      : true
    : true
/** The member that tells kinds apart. */
type TagIn<Value> = 'type' extends Named<Value> ? 'type' : 'role' extends Named<Value> ? 'role' : undefined
type TagOf<Value, Otherwise extends string> =
  TagIn<Value> extends infer Tag extends keyof Value ? Only<Words<Present<Value[Tag]>>, Otherwise> : Otherwise
/** One value, and not several. */
type Only<Word extends string, Otherwise extends string, All = Word> = [Word] extends [never]
  ? Otherwise
  : Word extends Word
    ? [All] extends [Word]
      ? Word
      : Otherwise
    : never

/** Without null. `NonNullable` would forget the known values of an open list. */
type Present<T> = Exclude<T, null | undefined>
type Leaf = string | number | boolean
type IsUnknown<T> = unknown extends T ? true : false
type IsOpen<T> = string extends T ? true : false
/** The values of a text that are known, without "any other". */
type Words<T> = T extends string ? (string extends T ? never : `${T}`) : never
type IsNested<T> = [Named<T>] extends ['type']
  ? T extends { readonly type: infer Type }
    ? IsOpen<Type>
    : false
  : false
/** The names of members, without an index signature. */
type Named<T> = T extends object
  ? keyof { [Name in keyof T as string extends Name ? never : number extends Name ? never : Name]: true } & string
  : never
/** The members that are always there, and are not null. */
type Required<T> = { [Name in Named<T>]: IsGiven<T, Name & keyof T> extends true ? Name : never }[Named<T>]
type IsGiven<T, Name extends keyof T> =
  {} extends Pick<T, Name> ? false : [IsUnknown<T[Name]>, null] extends [false, T[Name]] ? false : true
