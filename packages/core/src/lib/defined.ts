type Optional<T> = { [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined> }
type Required<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] }

/** The members that have a value. For objects that are made once per request or less: hot ones set their members one by one. */
export function defined<const T extends object>(members: T): Optional<T> & Required<T> {
  const said = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(said) as Optional<T> & Required<T> // without the undefined ones
}
