import { dirname, join } from 'node:path/posix'

/** A file of the repository: its path from the root, and its text. */
export type Source = { readonly file: string; readonly text: string }

/** The files of every protocol folder. */
const PROTOCOL_FILES =
  'index codec schema answer-schema locate http content media citations reasoning tools calls settings usage request response ' +
  'members decode-stream decode-blocks read-content encode-stream encode-blocks error relay'

/** The files of concerns that not every wire has. The same concern has the same name in every folder. */
const OWN_FILES: { readonly [protocol: string]: string } = {
  chat: 'assistant audio cache dialect echoes logprobs read-calls',
  genai: 'logprobs models open-bundles read-citations spelling write-parts',
  messages: 'cache models',
  responses:
    'assistant cache code echo events fit-tools input item-facts item-writer later-tools logprobs open-item ' +
    'received-items references typed-calls write-parts',
}

/** The files of another operation begin with its name. */
const OPERATION_FILE = /^(?:image|embedding|video|rerank)(?:-|$)/

/** The layers of core, lowest first. A file imports only from its own layer and from lower ones. */
const LAYERS = ['lib', 'ir', 'protocols', 'provider']

/** The packages that a package may import. Packages that are not listed may import what their package.json declares. */
const PACKAGES_OF: readonly (readonly [RegExp, RegExp])[] = [
  [/^packages\/core\/src\//, /^(zod|eventsource-parser)(\/|$)/],
  [/^packages\/gateway\/src\//, /^@dragoman\/core(\/(media|protocols|provider))?$/],
  [/^packages\/provider-[^/]+\/src\//, /^@dragoman\/core(\/(media|protocols|provider))?$/],
]

const VAGUE_NAME = /(^|[-/.])(utils?|helpers?|common|misc)([-/.]|$)/
const REEXPORT = /^\s*export\s+(?:type\s+)?(?:\*|\{[^}]*\})[^'"\n]*\bfrom\s*['"]/m
const IMPORT = /^\s*(?:import|export)\b[^'";]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/gm

/** Files that a protocol folder lacks, and files that have no place in it. */
export function misplacedFiles(sources: readonly Source[]): string[] {
  const files = sources.flatMap(({ file }) => {
    const [, protocol, name] = /^packages\/core\/src\/protocols\/([^/]+)\/([^/]+)\.ts$/.exec(file) ?? []
    return protocol === undefined || name === undefined || isTest(file) ? [] : [{ protocol, name }]
  })
  return [...Map.groupBy(files, ({ protocol }) => protocol)].flatMap(([protocol, entries]) => {
    const names = entries.map(({ name }) => name).filter((name) => !OPERATION_FILE.test(name))
    const listed = `${PROTOCOL_FILES} ${OWN_FILES[protocol] ?? ''}`.trim().split(' ')
    return [
      ...listed.filter((name) => !names.includes(name)).map((name) => `protocols/${protocol} has no ${name}.ts`),
      ...names
        .filter((name) => !listed.includes(name))
        .map((name) => `protocols/${protocol} has ${name}.ts, which is not listed`),
    ]
  })
}

/** Imports inside core from a higher layer, or from another protocol. */
export function wrongDirections(sources: readonly Source[]): string[] {
  return importsOf(sources).flatMap(({ file, target }) => {
    if (!target.startsWith('.') || !file.startsWith('packages/core/src/') || isTest(file)) return []
    const from = locationOf(file)
    const to = locationOf(join(dirname(file), target))
    if (to.layer > from.layer) return [`${file} imports ${target}, which is in a higher layer`]
    if (from.protocol !== undefined && to.protocol !== undefined && to.protocol !== from.protocol) {
      return [`${file} imports ${target}, which is another protocol`]
    }
    return []
  })
}

/** Names of protocols that are also names of other things: a task, a member of requests. */
const COMMON: ReadonlySet<string> = new Set(['chat', 'messages'])
const NAMELESS =
  /^packages\/(?:gateway|gateway-node|core)\/src\/(?!(?:index|media|protocols|schemas)\.ts$|protocols\/index\.ts$)/

/** Files of the gateway and of core that name a protocol which is not their own: as a string, or by its import. */
export function namedProtocols(sources: readonly Source[]): string[] {
  const homes = sources.flatMap(({ file }) => /^packages\/core\/src\/protocols\/([^/]+)\//.exec(file)?.[1] ?? [])
  const names = [...new Set(homes)]
  return sources.flatMap(({ file, text }) => {
    if (!NAMELESS.test(file) || isTest(file)) return []
    const code = withoutComments(text)
    const imported = [...code.matchAll(/import (?:type )?\{([^}]*)\} from '@dragoman\/core/g)].flatMap(
      ([, list = '']) => list.split(',').map((each) => each.trim().split(' ')[0]),
    )
    return names
      .filter((name) => !file.includes(`/protocols/${name}/`))
      .filter((name) => imported.includes(name) || (!COMMON.has(name) && new RegExp(`['"\`]${name}['"\`]`).test(code)))
      .map((name) => `${file} names ${name}`)
  })
}

/** Imports of packages that the architecture does not allow. */
export function foreignPackages(sources: readonly Source[]): string[] {
  return importsOf(sources).flatMap(({ file, target }) => {
    const [, allowed] = PACKAGES_OF.find(([files]) => files.test(file)) ?? []
    if (allowed === undefined || target.startsWith('.') || isTest(file) || allowed.test(target)) return []
    return [`${file} imports ${target}`]
  })
}

/** Imports of files inside another package, instead of the package by its name. */
export function deepImports(sources: readonly Source[]): string[] {
  return importsOf(sources).flatMap(({ file, target }) => {
    const [home] =
      /^(?:(?:packages|apps)\/[^/]+|bench|verify|browser|packing|catalogue|clients|audit)\/(?:src|test)\//.exec(file) ??
      []
    if (home === undefined || !target.startsWith('.')) return []
    const reached = join(dirname(file), target)
    return reached.startsWith(dirname(home)) ? [] : [`${file} imports ${target}`]
  })
}

/** Files that re-export another file and are not an entry of their package. */
export function barrels(sources: readonly Source[], entries: ReadonlySet<string>): string[] {
  return sources
    .filter(({ file, text }) => file.includes('/src/') && !entries.has(file) && REEXPORT.test(withoutComments(text)))
    .map(({ file }) => file)
}

/**
 * The files that open connections: the transports, the resolver of downloads, the search for a local Ollama, and the command, which is not part of
 * a gateway and calls the one that its user names.
 */
const CONNECTING: ReadonlySet<string> = new Set([
  'packages/gateway/src/ports/fetch-transport.ts',
  'packages/gateway-node/src/undici-parts.ts',
  'packages/gateway-node/src/connect.ts',
  'packages/gateway-node/src/resolve-all.ts',
  'apps/server/src/ollama.ts',
  'apps/server/src/commands/admin-client.ts',
])
const CONNECTS =
  /(?<![.\w]|async )fetch\((?!\w+: )|=\s*fetch\b|\bglobalThis\.fetch\b|['"]undici\/|\bnew (?:WebSocket|EventSource)\(|\b(?:https?|net|tls)\.(?:request|get|connect|createConnection)\(|\{[^}]*\b(?:connect|createConnection|request)\b[^}]*\} from 'node:(?:https?|net|tls)'|(?<!type )\{[^}]*\} from 'node:dns/

/** Files that open connections of their own: everything that leaves a gateway goes through a transport or the guarded downloads. */
export function ownConnections(sources: readonly Source[]): string[] {
  return sources
    .filter(({ file }) => /^(?:packages|apps)\/[^/]+\/src\//.test(file) && !file.startsWith('packages/testkit/'))
    .filter(({ file, text }) => !isTest(file) && !CONNECTING.has(file) && CONNECTS.test(withoutComments(text)))
    .map(({ file }) => file)
}

/** Files whose names say nothing about their contents. */
export function vagueNames(sources: readonly Source[]): string[] {
  return sources.map(({ file }) => file).filter((file) => VAGUE_NAME.test(file))
}

/** Files with a double cast (`as unknown as T`), which turns off the type check. */
export function doubleCasts(sources: readonly Source[]): string[] {
  return sources
    .filter(({ file, text }) => file.includes('/src/') && !isTest(file) && hasDoubleCast(withoutComments(text)))
    .map(({ file }) => file)
}

function hasDoubleCast(source: string): boolean {
  const text = source.replaceAll(/'(?:[^'\\\n]|\\.)*'/g, "''")
  return [...text.matchAll(/\sas\s+/g)].some(({ index, 0: found }) => {
    const end = endOfType(text, index + found.length)
    const behind = text.slice(end)
    if (/^\s+as\s/.test(behind)) return true
    return /^\s*\)\s+as\s/.test(behind) && !isCall(text, text.slice(0, end).trimEnd().length)
  })
}

/** The index after a type: before the first token outside all brackets that cannot be a part of it. */
function endOfType(text: string, start: number): number {
  let depth = 0
  for (let i = start; i < text.length; i++) {
    if (text.startsWith('=>', i)) i++
    else if ('([{<'.includes(text.charAt(i))) depth++
    else if (')]}>'.includes(text.charAt(i)) && --depth < 0) return i
    else if (depth === 0 && /^(?:[,;=?:]|\s+as\s|\s*\n(?!\s*[|&]))/.test(text.slice(i, i + 80))) return i
  }
  return text.length
}

/** Whether the bracket that is open at an index belongs to a call. */
function isCall(text: string, index: number): boolean {
  let depth = 0
  for (let i = index - 1; i > 0; i--) {
    if (text[i] === ')') depth++
    else if (text[i] === '(' && --depth < 0) return /[\w)\]>]/.test(text.charAt(i - 1))
  }
  return false
}

function importsOf(sources: readonly Source[]): { readonly file: string; readonly target: string }[] {
  return sources.flatMap(({ file, text }) =>
    [...withoutComments(text).matchAll(IMPORT)].map(([, named, module]) => ({ file, target: named ?? module ?? '' })),
  )
}

/** The layer and the protocol of a file of core. Files outside the folders are in the highest layer. */
function locationOf(file: string): { readonly layer: number; readonly protocol: string | undefined } {
  const [folder = '', ...rest] = file.replace('packages/core/src/', '').split('/')
  const layer = LAYERS.indexOf(folder)
  const protocol = folder === 'protocols' && rest.length > 1 ? rest[0] : undefined
  return { layer: layer === -1 ? LAYERS.length : layer, protocol }
}

function isTest(file: string): boolean {
  return /\.test(-d)?\.ts$/.test(file)
}

function withoutComments(text: string): string {
  return text.replaceAll(/(?:^|[ \t])\/\/.*$|\/\*[\s\S]*?\*\//gm, '')
}

/** Lists that are spread into a call in core: a long list, sent by a client, exhausts the stack. */
export function spreadLists(sources: readonly Source[]): string[] {
  return sources.flatMap(({ file, text }) => {
    if (!file.startsWith('packages/core/src/') || file.endsWith('.test.ts')) return []
    const found = text.match(/\.(?:push|unshift|concat)\(\.\.\.|Math\.(?:max|min)\(\.\.\./g) ?? []
    return found.map((call) => `${file}: ${call}`)
  })
}
