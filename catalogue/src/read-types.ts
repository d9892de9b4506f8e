import { join } from 'node:path'
import { API, SymbolFlags } from 'typescript/unstable/sync'
import type { FileSystem } from 'typescript/unstable/fs'
import type { Shape } from './shape.ts'
import { createReader } from './type-shapes.ts'

/** Replaces files that the compiler reads, for tests. */
export type Files = FileSystem

/** The members of exported interfaces, as shapes. */
export type ReadInterface = (name: string) => ReadonlyMap<string, Shape>

const PACKAGE = join(import.meta.dirname, '..')
const CONFIG = join(PACKAGE, 'tsconfig.json')

/** Reads the interfaces of a file of this package with the compiler. It runs while `use` does: shapes are read when they are needed. */
export function readTypes<T>(file: string, use: (read: ReadInterface) => T, files?: Files): T {
  const api = new API({ cwd: PACKAGE, ...(files === undefined ? {} : { fs: files }) })
  try {
    const project = api.updateSnapshot({ openProjects: [CONFIG] }).getProject(CONFIG)
    const source = project?.program.getSourceFile(join(PACKAGE, file))
    if (project === undefined || source === undefined) throw new Error(`the compiler cannot read ${file}`)
    const { checker } = project
    const shapeOf = createReader(checker)
    return use((name) => {
      const symbol = checker.resolveName(name, SymbolFlags.Interface, source)
      if (symbol === undefined) throw new Error(`no interface ${name} in ${file}`)
      const [root] = shapeOf(checker.getDeclaredTypeOfSymbol(symbol)).objects
      return new Map([...(root?.members ?? [])].map(([member, { shape }]) => [member, shape()]))
    })
  } finally {
    api.close()
  }
}
