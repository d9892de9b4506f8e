import { parse, parsePlPgSQL } from 'libpg-query'

/** The names that statements use, those in the bodies of functions included, which PostgreSQL looks up only when it runs them. */
export interface SqlNames {
  readonly tables: ReadonlySet<string>
  readonly functions: ReadonlySet<string>
}

/** Reads a script with the parser of PostgreSQL, and the bodies of its functions. Throws if it is not SQL or not PL/pgSQL. */
export async function namesInSql(text: string): Promise<SqlNames> {
  const script: unknown = await parse(text)
  const made = nodesIn(script, 'CreateFunctionStmt').filter((each) => optionOf(each, 'language') === 'sql')
  const bodies = made.map((each) => optionOf(each, 'as') ?? '')
  const expressions = nodesIn(await parsePlPgSQL(text), 'PLpgSQL_expr').map(statementOf)
  const trees = [script]
  for (const statement of [...bodies, ...expressions]) trees.push(await parse(statement))
  const names = trees.map((tree) => {
    const local = new Set(membersIn(tree, 'ctename'))
    const tables = [...membersIn(tree, 'relname')].filter((name) => !local.has(name)).map(String)
    return { tables, functions: [...membersIn(tree, 'funcname')].map((name) => textsIn(name).at(-1) ?? '') }
  })
  return {
    tables: new Set(names.flatMap(({ tables }) => tables)),
    functions: new Set(names.flatMap(({ functions }) => functions)),
  }
}

/** How the parser of PL/pgSQL marks an expression. Assignments have larger numbers. */
const STATEMENT = 0
const EXPRESSION = 2

function statementOf({ query, parseMode }: Tree): string {
  if (parseMode === STATEMENT) return String(query)
  return `select ${parseMode === EXPRESSION ? String(query) : String(query).replace(/^[^=]*:=/, '')}`
}

/** The text of an option of a function, such as its language. */
function optionOf(made: Tree, name: string): string | undefined {
  const option = nodesIn(made, 'DefElem').find(({ defname }) => defname === name)
  return textsIn(option)[0]
}

interface Tree {
  readonly [member: string]: unknown
}

function nodesIn(tree: unknown, type: string): readonly Tree[] {
  return [...membersIn(tree, type)] as readonly Tree[] // a member that is named after a type is a node
}

/** All values of a member, at any depth. */
function* membersIn(tree: unknown, name: string): Generator {
  if (typeof tree !== 'object' || tree === null) return
  for (const [member, value] of Object.entries(tree)) {
    if (member === name) yield value
    yield* membersIn(value, name)
  }
}

function textsIn(tree: unknown): readonly string[] {
  return [...membersIn(tree, 'sval')].map(String)
}
