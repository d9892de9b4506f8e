import type { Losses } from '../ir/loss.ts'
import type { Encoding } from './context.ts'
import { reportUnsupported, tablesOf, type Reason } from './member-tables.ts'

/** What a row may need to write its value. The losses are those of the node. */
export interface Writing {
  readonly losses: Losses
  readonly context: Encoding
}

/** The members that the grammar of a wire object names. */
export type MemberOf<Wire> = keyof { [Member in keyof Wire as string extends Member ? never : Member]: true } & string

/** One member of a node, as one protocol has it. */
export interface Row<Wire, Value, Scope> {
  /** The members of the wire that may have it; the first is the one that is written. */
  readonly at: MemberOf<Wire> | readonly MemberOf<Wire>[]
  /** By default the first of its members that is neither absent nor null. */
  readonly read?: (wire: Wire) => Value | null | undefined
  /** The value as far as the protocol takes it; undefined if it does not. Differences are reported here. */
  readonly fit?: (value: Value, scope: Scope) => Value | undefined
  /** The members that it becomes, if it is not the first one with the same value. What cannot be expressed is reported here. */
  readonly write?: (value: Value, scope: Scope) => Partial<Wire> | undefined
  /** Why it is not written for some upstreams. */
  readonly unless?: Exclude<Reason, string>
}

/** A row for each member that a protocol has: its name on the wire, or more about it. A text about others says why they are lost. */
export interface RowsOf<Node, Wire, Scope> {
  readonly has: {
    readonly [Member in keyof Node]?: MemberOf<Wire> | Row<Wire, NonNullable<Node[Member]>, Scope>
  }
  readonly lacks?: { readonly [Member in keyof Node]?: string }
}

/** A node whose members are stated in rows. */
export interface Rows<Node, Wire, Scope> {
  /** Where a body has the members of the node, which is `node` in a request; `within` is the object that has them. */
  sites(node: string, within?: string): { readonly [path: string]: readonly string[] }
  decode(wire: Wire): Node
  /** Reports the members that the protocol lacks, too. */
  encode(node: Node, scope: Scope): Partial<Wire>
}

/** Makes the reader and the writer of a node from its rows, and says where its members are. */
export function rowsOf<Node extends object, Wire extends object, Scope extends Writing = Writing>(
  protocol: string,
  { has, lacks }: RowsOf<Node, Wire, Scope>,
): Rows<Node, Wire, Scope> {
  const rows = Object.entries<unknown>(has).map(([member, given]) => {
    const row = (typeof given === 'string' ? { at: given } : given) as Row<Wire, unknown, Scope> // of one member
    const { at, read, fit, write, unless } = row
    const names: readonly string[] = typeof at === 'string' ? [at] : at
    const [name = member, ...others] = names
    return {
      member: member as keyof Node & string,
      names,
      name: name as keyof Wire & string,
      read: read ?? (others.length === 0 ? undefined : readerOf(names)),
      fit,
      write,
      unless,
    }
  })
  const written = rows.map(({ member }) => member)
  const conditions = Object.fromEntries(rows.map(({ member, unless }) => [member, unless]))
  const table = tablesOf(protocol)<Node>(protocol, written, { ...conditions, ...lacks })
  return {
    sites: (node, within) => {
      const path = (name: string): string => (within === undefined ? name : `${within}.${name}`)
      return Object.fromEntries(rows.map(({ member, names }) => [`${node}.${member}`, names.map(path)]))
    },
    decode(wire) {
      const node: { [member: string]: unknown } = {}
      for (const { member, name, read } of rows) {
        const value = read === undefined ? wire[name] : read(wire)
        if (value != null) node[member] = value
      }
      return node as Node // the rows have the types of its members
    },
    encode(node, scope) {
      const wire: Members = {}
      reportUnsupported(node, table, scope.losses, scope.context)
      for (const { member, name, fit, write, unless } of rows) {
        const value = node[member]
        if (value === undefined || unless?.(scope.context) !== undefined) continue
        if (write !== undefined) assignDefined(wire, write(value, scope))
        else assign(wire, name, fit === undefined ? value : fit(value, scope))
      }
      return wire as Partial<Wire> // the rows name its members
    },
  }
}

type Members = { [member: string]: unknown }

/** Reads the first of these members that is there. */
function readerOf(names: readonly string[]): (wire: object) => unknown {
  return (wire) => {
    for (const name of names) if ((wire as Members)[name] != null) return (wire as Members)[name]
    return undefined
  }
}

function assignDefined(wire: Members, members: object = {}): void {
  for (const member in members) assign(wire, member, (members as Members)[member])
}

function assign(wire: Members, name: string, value: unknown): void {
  if (value !== undefined) wire[name] = value
}
