import { parse } from 'luaparse'

/** What Redis gives a script, as far as ours use it. Redis itself refuses other globals only when their line is reached. */
const ALLOWED: ReadonlySet<string> = new Set([
  'ARGV',
  'KEYS',
  'ipairs',
  'math.floor',
  'math.max',
  'math.min',
  'redis.call',
  'string.format',
  'string.match',
  'string.sub',
  'tonumber',
])

/** A node of the syntax tree, as far as it is looked at. */
interface Node {
  readonly type: string
  readonly name?: string
  readonly isLocal?: boolean
  readonly raw?: string
  readonly base?: Node
  readonly identifier?: Node | null
  readonly variables?: readonly Node[]
  readonly arguments?: readonly Node[]
}

export interface CheckedLua {
  readonly mistakes: readonly string[]
  /** The commands of Redis that it calls. */
  readonly commands: readonly string[]
}

/** Checks a script as Lua 5.1, the version of Redis. Throws if it is not Lua. */
export function checkLua(text: string): CheckedLua {
  const nodes = nodesIn(parse(text, { luaVersion: '5.1', scope: true }).body)
  const members = nodes.filter(({ type }) => type === 'MemberExpression')
  const inMembers = new Set(members.flatMap(({ base, identifier }) => [base, identifier]))
  const alone = nodes.filter((node) => node.isLocal === false && node.name !== undefined && !inMembers.has(node))
  const read = [...alone.map(nameOf), ...members.filter(({ base }) => base?.isLocal === false).map(nameOf)]
  const assigned = nodes.flatMap(({ type, variables = [], identifier }) => {
    if (type === 'AssignmentStatement') return variables.filter((variable) => variable.type !== 'IndexExpression')
    return type === 'FunctionDeclaration' && identifier ? identifier : []
  })
  const isOfGlobal = (node: Node): boolean => (node.base ?? node).isLocal === false
  const locals = Map.groupBy(
    nodes.filter(({ type, isLocal }) => type === 'Identifier' && isLocal === true),
    nameOf,
  )
  const commands = nodes
    .filter(({ type, base }) => type === 'CallExpression' && base !== undefined && nameOf(base) === 'redis.call')
    .map(({ arguments: [command] = [] }) => command?.raw?.slice(1, -1) ?? '')
  return {
    mistakes: [
      ...[...new Set(read)].filter((name) => !ALLOWED.has(name)).map((name) => `${name} is unknown`),
      ...assigned.filter(isOfGlobal).map((node) => `${nameOf(node)} is assigned and not local`),
      ...[...locals].filter(([name, uses]) => name !== '_' && uses.length === 1).map(([name]) => `${name} is not used`),
      ...commands.filter((command) => command === '').map(() => 'a command is not a constant'),
    ],
    commands: [...new Set(commands)],
  }
}

function nodesIn(value: unknown): readonly Node[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(nodesIn)
  return 'type' in value ? [value as Node, ...inside] : inside // every object with a type is a node
}

function nameOf({ name, base, identifier }: Node): string {
  return name ?? `${base?.name}.${identifier?.name}`
}
