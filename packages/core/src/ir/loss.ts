/** Keys from the root of the IR value that was given to the encoder. */
export type Path = readonly (string | number)[]

/** One entry of the report. The report is a patch: the original value with the report applied is what the other side understands. */
export type Loss =
  /** The target cannot express it. */
  | { readonly kind: 'dropped'; readonly path: Path; readonly reason: string }
  /** Expressed differently: clamped, approximated, the nearest value. `to` is what a reader of the target gets. */
  | {
      readonly kind: 'changed'
      readonly path: Path
      readonly to: unknown
      readonly reason: string
      /** A schema that allows more than the original. */
      readonly weaker?: true
    }
  /** Absent in the original, but required by the target: defaults and generated ids. */
  | { readonly kind: 'added'; readonly path: Path; readonly to: unknown; readonly reason: string }
  /** A list element joined with an earlier sibling. A boundary is lost, no content. */
  | { readonly kind: 'merged'; readonly path: Path; readonly into: Path; readonly reason: string }
  /** A list element moved to the end of another list, or behind another element and those moved there before it. */
  | { readonly kind: 'moved'; readonly path: Path; readonly into: Path; readonly reason: string }

/**
 * Collects losses at one node of the IR. An encoder passes the scope of a node to the encoder of that node: `at` gives the scope
 * of a member, or of an element of a list. Paths are built only when there is a loss. Losses inside a value that is dropped or
 * replaced are left out, in any order of the reports.
 */
export interface Losses {
  /** The whole report, from any scope. */
  entries(): readonly Loss[]
  at(member: string, index?: number): Losses
  dropped(keys: Path, reason: string): void
  changed(keys: Path, to: unknown, reason: string): void
  /** Changed to a schema that allows more. */
  weakened(keys: Path, to: unknown, reason: string): void
  added(keys: Path, to: unknown, reason: string): void
  /** Both `keys` and `into` are relative to the scope. */
  merged(keys: Path, into: Path, reason: string): void
  moved(keys: Path, into: Path, reason: string): void
}

/** An empty report for one encoding, at the root of its value. */
export function createLosses(): Losses {
  return new Scope([], undefined, '', undefined)
}

/** A class, because one is created per node: methods of a prototype cost a node nothing. */
class Scope implements Losses {
  readonly recorded: Loss[]
  readonly above: Scope | undefined
  readonly member: string
  readonly index: number | undefined

  constructor(recorded: Loss[], above: Scope | undefined, member: string, index: number | undefined) {
    this.recorded = recorded
    this.above = above
    this.member = member
    this.index = index
  }

  entries(): readonly Loss[] {
    return settle(this.recorded)
  }

  at(member: string, index?: number): Losses {
    return new Scope(this.recorded, this, member, index)
  }

  dropped(keys: Path, reason: string): void {
    this.recorded.push({ kind: 'dropped', path: pathOf(this, keys), reason })
  }

  changed(keys: Path, to: unknown, reason: string): void {
    this.recorded.push({ kind: 'changed', path: pathOf(this, keys), to, reason })
  }

  weakened(keys: Path, to: unknown, reason: string): void {
    this.recorded.push({ kind: 'changed', path: pathOf(this, keys), to, reason, weaker: true })
  }

  added(keys: Path, to: unknown, reason: string): void {
    this.recorded.push({ kind: 'added', path: pathOf(this, keys), to, reason })
  }

  merged(keys: Path, into: Path, reason: string): void {
    this.recorded.push({ kind: 'merged', path: pathOf(this, keys), into: pathOf(this, into), reason })
  }

  moved(keys: Path, into: Path, reason: string): void {
    this.recorded.push({ kind: 'moved', path: pathOf(this, keys), into: pathOf(this, into), reason })
  }
}

function pathOf(scope: Scope, keys: Path): Path {
  const path: (string | number)[] = []
  for (let each = scope; each.above !== undefined; each = each.above) {
    if (each.index !== undefined) path.push(each.index)
    path.push(each.member)
  }
  path.reverse()
  for (const key of keys) path.push(key)
  return path
}

/** Without entries inside a value that is dropped or replaced. */
function settle(recorded: readonly Loss[]): readonly Loss[] {
  if (!recorded.some(takes) || (recorded.length <= FEW && areApart(recorded))) return [...recorded]
  const root: Node = { kept: [] }
  const settled: Kept[] = []
  for (const loss of recorded) {
    const node = nodeAt(root, loss.path)
    if (node === undefined || node.taken === 'dropped') continue
    if (takes(loss)) {
      if (loss.kind === 'dropped') for (const kept of node.kept) kept.live = false
      forget(node)
      node.taken = loss.kind
    }
    const kept = { loss, live: true }
    node.kept.push(kept)
    settled.push(kept)
  }
  return settled.filter((kept) => kept.live).map((kept) => kept.loss)
}

/** Most responses lose a few members of one object. Comparing them costs less than a tree. */
const FEW = 4

function areApart(recorded: readonly Loss[]): boolean {
  return recorded.every((loss) => recorded.every((other) => loss === other || !isWithin(loss.path, other.path)))
}

function isWithin(path: Path, above: Path): boolean {
  return above.every((key, i) => key === path[i])
}

function takes(loss: Loss): loss is Extract<Loss, { kind: 'dropped' | 'changed' }> {
  return loss.kind === 'dropped' || loss.kind === 'changed'
}

interface Kept {
  readonly loss: Loss
  live: boolean
}

/** The entries at one path and below it. A tree, so that many losses stay cheap. */
interface Node {
  taken?: 'dropped' | 'changed'
  kept: Kept[]
  children?: Map<string | number, Node>
}

/** Undefined if a value above it is dropped or replaced. */
function nodeAt(root: Node, path: Path): Node | undefined {
  let node = root
  for (const key of path) {
    if (node.taken !== undefined) return undefined
    node.children ??= new Map()
    let child = node.children.get(key)
    if (child === undefined) node.children.set(key, (child = { kept: [] }))
    node = child
  }
  return node
}

function forget(node: Node): void {
  for (const child of node.children?.values() ?? []) {
    for (const kept of child.kept) kept.live = false
    forget(child)
  }
  delete node.children
}

/** For encoding a value whose losses are reported by other code. */
export const NO_LOSSES: Losses = {
  entries: () => [],
  at: () => NO_LOSSES,
  dropped() {},
  changed() {},
  weakened() {},
  added() {},
  merged() {},
  moved() {},
}

/** One line for a log: `dropped top_k: chat has no topK`, with the path in the caller's body where there is one. */
export function describeLoss(loss: Loss & { readonly wirePath?: string }): string {
  return `${loss.kind} ${loss.wirePath ?? loss.path.join('.')}: ${loss.reason}`
}
