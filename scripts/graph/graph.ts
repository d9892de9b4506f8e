import { dirname, join } from 'node:path/posix'
import { referencesOf } from './references.ts'

/** The files of a repository, and what each source needs. */
export type Graph = {
  readonly files: ReadonlySet<string>
  readonly tests: readonly string[]
  /** The tests that need one of these files, with the number of steps between them. */
  readonly reach: (changed: readonly string[]) => ReadonlyMap<string, number>
}

/** How a repository is read. Paths are from its root. */
export type Repository = { readonly files: readonly string[]; readonly read: (file: string) => string }

const TEST =
  /^(?:(?:(?:packages|apps)\/[^/]+|bench|verify|clients|audit)\/(?:src|test)\/|packing\/test\/|scripts\/).*\.test\.ts$/
/** All tests need these: they choose the tools. */
const TOOLS = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml']
/** Tests whose files are not named in their sources, and what they read. */
const READERS: readonly (readonly [RegExp, RegExp])[] = [
  [/^scripts\/structure\.test\.ts$/, /\.ts$|^(?:packages|apps)\/[^/]+\/package\.json$/],
  [/^scripts\/changesets\.test\.ts$/, /^\.changeset\//],
  [/^packing\/test\//, /^packages\/[^/]+\/(?:src\/|README\.md|package\.json|tsconfig)/],
]

/** Builds the graph of a repository when it is first asked for. */
export function createGraph({ files, read }: Repository): Graph {
  const tests = files.filter((file) => TEST.test(file))
  let usersOf: ReturnType<typeof findUsers> | undefined
  const reach = (changed: readonly string[]): ReadonlyMap<string, number> => {
    usersOf ??= findUsers({ files, read }, tests)
    return walk(changed, usersOf)
  }
  return { files: new Set(files), tests, reach }
}

/** Who needs a file: by imports, by the path of a script that runs in a thread or a process, and by the path of a fixture or a document. */
function findUsers({ files, read }: Repository, tests: readonly string[]): (file: string) => readonly string[] {
  const known = new Set(files)
  const folders = new Set(files.flatMap(parentsOf))
  const entries = entriesOf(files, read)
  const users = new Map<string, Set<string>>()
  const use = (target: string, user: string): void => {
    const found = users.get(target)
    if (found === undefined) users.set(target, new Set([user]))
    else found.add(user)
  }
  for (const file of files.filter(isSource)) {
    const { modules, paths } = referencesOf(file, read(file))
    for (const name of modules)
      use(name.startsWith('.') ? join(dirname(file), name) : (entries.get(name) ?? name), file)
    for (const path of paths)
      for (const base of new Set([dirname(file), packageOf(file), '.'])) {
        const target = join(base, path.replace(/\/[^/]*[*{].*$/, '')).replace(/\/$/, '')
        if (known.has(target)) use(target, file)
        else if (folders.has(`${target}/`) && isDeep(target)) use(`${target}/`, file)
      }
  }
  for (const test of tests) {
    for (const file of ['package.json', 'vitest.config.ts']) use(join(packageOf(test), file), test)
    for (const tool of TOOLS) use(tool, test)
  }
  return (file) => [
    ...[file, ...parentsOf(file)].flatMap((target) => [...(users.get(target) ?? [])]),
    ...READERS.filter(([, what]) => what.test(file)).flatMap(([who]) => tests.filter((test) => who.test(test))),
  ]
}

/** The package of a file: its folder, or the root. */
export function packageOf(file: string): string {
  return /^(?:packages|apps)\/[^/]+|^(?:bench|verify|browser|clients|audit|packing)(?=\/)/.exec(file)?.[0] ?? '.'
}

/** Every test that needs one of the files, nearest first. */
function walk(changed: readonly string[], usersOf: (file: string) => readonly string[]): ReadonlyMap<string, number> {
  const steps = new Map(changed.map((file) => [file, 0]))
  for (const [file, step] of steps) {
    // Nothing needs a test.
    if (step > 0 && TEST.test(file)) continue
    for (const user of usersOf(file)) if (!steps.has(user)) steps.set(user, step + 1)
  }
  return new Map([...steps].filter(([file]) => TEST.test(file)))
}

/** The names of our packages and of their entries. */
function entriesOf(files: readonly string[], read: (file: string) => string): ReadonlyMap<string, string> {
  const manifests = files.filter((file) => /^(?:(?:packages|apps)\/[^/]+|\w+)\/package\.json$/.test(file))
  return new Map(
    manifests.flatMap((file) => {
      const { name, exports } = JSON.parse(read(file)) as { name: string; exports?: Record<string, string> } // a package of ours
      return Object.entries(exports ?? {}).map(
        ([entry, path]) => [join(name, entry), join(dirname(file), path)] as const,
      )
    }),
  )
}

function isSource(file: string): boolean {
  return /\.(?:ts|mjs)$|(?:^|\/)wrangler\.jsonc$/.test(file) && !file.endsWith('.d.ts')
}

/** Whether a folder is inside a package: a source that names a package or its sources alone hardly means all of its files. */
function isDeep(folder: string): boolean {
  return !/^(?:\.|\w+|(?:packages|apps)\/[^/]+)(?:\/(?:src|test))?$/.test(folder)
}

/** The folders that a file is in, with a slash at the end. */
function parentsOf(file: string): readonly string[] {
  const parts = file.split('/').slice(0, -1)
  return parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/`)
}
