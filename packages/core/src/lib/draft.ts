/** A value that is being built: on hot paths members are set one by one, because a spread per member costs more. */
export type Draft<T> = { -readonly [Key in keyof T]: T[Key] }
