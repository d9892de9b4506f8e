import type { Draft } from './draft.ts'
import type { JsonObject } from './json.ts'

/** Members of a wire object with other names in the IR, if their values pass the test. */
export type Members<Wire, Ours> = {
  readonly [Member in keyof Wire & string]?: readonly [name: keyof Ours & string, fits: (value: unknown) => boolean]
}

/** The members under our names, and the rest. */
export function decodeMembers<Wire, Ours>(
  wire: object,
  members: Members<Wire, Ours>,
): { readonly ours: Partial<Draft<Ours>>; readonly rest: JsonObject } {
  const ours: { [name: string]: unknown } = {}
  const rest: [string, unknown][] = []
  for (const member in wire) {
    const value = (wire as { readonly [member: string]: unknown })[member] // a member of its own
    const known = Object.hasOwn(members, member) ? members[member as keyof Wire & string] : undefined
    if (known?.[1](value) === true) ours[known[0]] = value
    else rest.push([member, value])
  }
  return { ours: ours as Partial<Draft<Ours>>, rest: Object.fromEntries(rest) as JsonObject } // of parsed JSON
}

/** The same members under their wire names. */
export function encodeMembers<Wire, Ours>(ours: Ours, members: Members<Wire, Ours>): Partial<Wire> {
  const entries: [string, unknown][] = []
  for (const [member, pair] of Object.entries<Members<Wire, Ours>[keyof Wire & string]>(members)) {
    const value = pair === undefined ? undefined : ours[pair[0]]
    if (value !== undefined) entries.push([member, value])
  }
  return Object.fromEntries(entries) as Partial<Wire> // the table names its members
}

export function isString(value: unknown): value is string {
  return typeof value === 'string'
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

export function isList(value: unknown): boolean {
  return Array.isArray(value)
}
