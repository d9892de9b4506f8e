import type { Head, Protocol } from '@dragoman/core'

/** Where the paths of some protocols begin, under `/api` or at the root. */
export interface Base {
  readonly at: string
  /** In the order of the list. */
  readonly mounts: readonly Mount[]
  /** Whether headers can tell the clients of its protocols apart. */
  readonly isShared: boolean
}

/** A protocol at a base. */
export interface Mount {
  readonly protocol: Protocol
  /** What the base stands for under the protocol's own one. */
  readonly inner: string
}

/** The one table of all bases, longest first. Everything that depends on the path of a call uses it. */
export function basesOf(protocols: readonly Protocol[]): readonly Base[] {
  const mounts = new Map<string, Mount[]>()
  for (const protocol of protocols)
    for (const [at, inner] of [[protocol.http.base, ''] as const, ...Object.entries(protocol.http.roots ?? {})])
      mounts.set(at, [...(mounts.get(at) ?? []), { protocol, inner }])
  return [...mounts]
    .map(([at, here]) => ({
      at,
      mounts: here,
      isShared: here.length > 1 && here.some(({ protocol }) => protocol.http.isClient !== undefined),
    }))
    .toSorted((left, right) => right.at.length - left.at.length)
}

/** Whether a path is a base or under it. */
export function isUnder({ at }: Pick<Base, 'at'>, path: string): boolean {
  return path.startsWith(at) && (path.length === at.length || path[at.length] === '/')
}

/** The protocols at a base, the one that the headers of the client name first. */
export function mountsFor({ mounts, isShared }: Base, head: Head): readonly Mount[] {
  if (!isShared) return mounts
  const named = mounts.find(({ protocol }) => protocol.http.isClient?.(head) === true)
  return named === undefined ? mounts : [named, ...mounts.filter((mount) => mount !== named)]
}

/** The addresses of a path under the base of a protocol: that one, and those at the root. */
export function addressesOf(protocols: readonly Protocol[], path: string): readonly string[] {
  const protocol = protocols.find(({ http }) => isUnder({ at: http.base }, path))
  if (protocol === undefined) return [path]
  const { base, roots = {} } = protocol.http
  const rest = path.slice(base.length)
  const others = Object.entries(roots).filter(([, inner]) => isUnder({ at: inner }, rest))
  return [path, ...others.map(([at, inner]) => at + rest.slice(inner.length))]
}

/** The address under the base of its protocol, of a path that may be at the root: labels have this one. */
export function ownAddress({ http: { base, roots = {} } }: Protocol, path: string): string {
  const rest = explainedPath(path) ?? path
  for (const [at, inner] of Object.entries(roots))
    if (isUnder({ at }, rest)) return path.slice(0, path.length - rest.length) + base + inner + rest.slice(at.length)
  return path
}

/** Creates the function that says whether a path belongs to a protocol: calls, and calls that are to be explained. */
export function createIsCall(protocols: readonly Protocol[]): (path: string) => boolean {
  const bases = basesOf(protocols)
  return (path) => {
    const rest = explainedPath(path) ?? path
    return bases.some((base) => isUnder(base, rest))
  }
}

const EXPLAIN = '/explain'

/** The path of a call that is to be explained; undefined for other paths. */
export function explainedPath(path: string): string | undefined {
  return path.startsWith(`${EXPLAIN}/`) ? path.slice(EXPLAIN.length) : undefined
}
