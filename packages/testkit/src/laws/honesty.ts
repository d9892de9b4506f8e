import type { Loss } from '@dragoman/core'
import { rearrange } from './rearrange.ts'
import { normal, same, show } from './same.ts'
import { GONE, isTree, must, containerOf, read, write, type Container, type Tree } from './tree.ts'

type Edit = Exclude<Loss, { kind: 'merged' | 'moved' }>

/**
 * Members that become absent, not empty, when losses have removed everything from them. Other members stay: a response without parts
 * is still a response, and a cache mark without a ttl is still a mark.
 */
const VANISHING: ReadonlySet<string> = new Set([
  'extras',
  'reasoning',
  'output',
  'usage',
  'modalities',
  'metadata',
  'safety',
  'logprobs',
  'logitBias',
  'tools',
  'toolChoice',
  'stop',
  'names',
  'citations',
  'clip',
  'references',
])

/**
 * Applies a loss report to the value that it was made for. The result is what the other side understands. Paths refer to the value
 * before any loss. Dropped, changed and added values are applied first, wherever they are in the report. Then elements are moved and
 * merged in the order of their entries. Throws if an entry is false: a path that does not exist, a change to the same value,
 * a path that is reported twice, a merge that would lose something.
 */
export function apply<T>(report: readonly Loss[], value: T): T {
  const root: Tree = { value: structuredClone(value) }
  for (const loss of report) mustBeAlone(loss, report)
  const edits = report.filter((loss): loss is Edit => loss.kind !== 'merged' && loss.kind !== 'moved')
  const containers = edits.map((loss) => containerOf(root, loss.path, loss))
  for (const [index, loss] of edits.entries()) edit(containers[index]!, loss)
  rearrange(root, report, swept)
  return (sweep(root, '', false) as { value: T }).value // a clone of T with the losses applied
}

/** Checks that the report explains the difference between the original and what was understood. Throws with both if not. */
export function mustExplain(report: readonly Loss[], meant: unknown, understood: unknown): void {
  const expected = normal(apply(report, meant))
  const found = normal(understood)
  if (same(found, expected)) return
  throw new Error(
    `the report does not explain the result\n understood ${show(found)}\n expected   ${show(expected)}\n report ${show(report)}`,
  )
}

function edit(container: Container, loss: Edit): void {
  const key = loss.path.at(-1)!
  const now = read(container, key)
  switch (loss.kind) {
    case 'dropped':
      must(now !== undefined && now !== GONE, loss, 'nothing there')
      return write(container, key, GONE)
    case 'changed':
      must(now !== undefined && now !== GONE, loss, 'nothing there')
      must(loss.to !== undefined && !same(normal(now), normal(loss.to)), loss, 'unchanged')
      return write(container, key, structuredClone(loss.to))
    case 'added':
      must(now === undefined, loss, 'was there')
      must(loss.to !== undefined, loss, 'adds nothing')
      must(!Array.isArray(container) || key === container.length, loss, 'not at the end of its list')
      return write(container, key, structuredClone(loss.to))
    default:
      loss satisfies never
  }
}

/** Removes dropped values, and what becomes empty by that: the vanishing members, extras, and turns with only a role. */
function sweep(node: unknown, key: string, leftovers: boolean): unknown {
  if (Array.isArray(node)) {
    const kept = (node as unknown[]).filter((item) => item !== GONE).map((item) => sweep(item, key, leftovers))
    const left = key === 'messages' ? kept.filter((item) => item !== GONE) : kept.map(unlessGone)
    return left.length === 0 && node.length > 0 && VANISHING.has(key) ? GONE : left
  }
  if (!isTree(node)) return node
  const inside = leftovers || key === 'extras'
  const members = Object.entries(node)
    .map(([name, value]) => [name, value === GONE ? GONE : sweep(value, name, inside)] as const)
    .filter(([, value]) => value !== GONE && value !== undefined)
  const emptied = Object.keys(node).length > 0 && members.length === 0
  if (emptied && (inside || VANISHING.has(key))) return GONE
  if (key === 'messages' && becameSilent(node, members)) return GONE
  return Object.fromEntries(members)
}

/** The members that remain after the edits. */
function swept(node: unknown, key: string): unknown {
  return sweep(node, key, false)
}

function unlessGone(item: unknown): unknown {
  return item === GONE ? {} : item
}

function becameSilent(before: Tree, members: readonly (readonly [string, unknown])[]): boolean {
  const had = Array.isArray(before['parts']) && before['parts'].length > 0
  return had && members.every(([name, value]) => name === 'role' || (name === 'parts' && same(value, [])))
}

/** Each path is reported once, and no path inside a value that is dropped or replaced. */
function mustBeAlone(loss: Loss, report: readonly Loss[]): void {
  for (const other of report) {
    if (other === loss || other.kind === 'merged' || other.kind === 'moved') continue
    if (loss.kind !== 'merged' && loss.kind !== 'moved') must(!same(loss.path, other.path), loss, 'reported twice')
    const under = other.path.length < loss.path.length && other.path.every((key, index) => key === loss.path[index])
    must(!under, loss, 'an ancestor is reported already')
  }
}
