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
  /** The members that it becomes; by default the first one, with the value as it is. What cannot be expressed is reported here. */
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
    const { at, read, write, unless } = (typeof given === 'string' ? { at: given } : given) as Row<Wire, unknown, Scope> // of one member
    const names: readonly string[] = typeof at === 'string' ? [at] : at
    return { member: member as keyof Node & string, names, read: read ?? readerOf(names), write, unless }
  })
  const conditions = Object.fromEntries(rows.map(({ member, unless }) => [member, unless]))
  const written = rows.map(({ member }) => member)
  const table = tablesOf(protocol)<Node>(protocol, written, { ...conditions, ...lacks })
  return {
    sites: (node, within) => {
      const path = (name: string): string => (within === undefined ? name : `${within}.${name}`)
      return Object.fromEntries(rows.map(({ member, names }) => [`${node}.${member}`, names.map(path)]))
    },
    decode(wire) {
      const node: { [member: string]: unknown } = {}
      for (const { member, read } of rows) {
        const value = read(wire)
        if (value != null) node[member] = value
      }
      return node as Node // the rows have the types of its members
    },
    encode(node, scope) {
      const wire: { [member: string]: unknown } = {}
      reportUnsupported(node, table, scope.losses, scope.context)
      for (const { member, names, write, unless } of rows) {
        const value = node[member]
        if (value === undefined || unless?.(scope.context) !== undefined) continue
        if (write === undefined) wire[names[0] ?? member] = value
        else assignDefined(wire, write(value, scope))
      }
      return wire as Partial<Wire> // the rows name its members
    },
  }
}

type Members = { readonly [member: string]: unknown }

/** Reads the first of these members that is there. */
function readerOf([first = '', ...others]: readonly string[]): (wire: object) => unknown {
  if (others.length === 0) return (wire) => (wire as Members)[first]
  const readOther = readerOf(others)
  return (wire) => (wire as Members)[first] ?? readOther(wire)
}

function assignDefined(wire: { [member: string]: unknown }, members: object = {}): void {
  for (const member in members) {
    const value = (members as Members)[member] // a member of its own
    if (value !== undefined) wire[member] = value
  }
}
