import type { Loss } from '@dragoman/core'
import { rearrange } from './rearrange.ts'
import { normal, same, show } from './same.ts'
import { GONE, isTree, must, placeOf, read, write, type Place, type Tree } from './tree.ts'

type Edit = Exclude<Loss, { kind: 'merged' | 'moved' }>

/**
 * Members that are absent, not empty, once losses have taken everything out of them. All others stay: an answer without parts
 * is an answer, a cache mark without a ttl is a mark.
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
])

/**
 * Applies a loss report to the value it was made for: the result is what the other side understands. Paths refer to the value
 * before any loss. What is dropped, changed or added is so first, wherever it stands in the report; then elements are moved and
 * merged in the order of their entries. Throws when an entry is false: a path that is not there, a change that
 * changes nothing, a place that is reported twice, a merge that would lose something.
 */
export function apply<T>(report: readonly Loss[], value: T): T {
  const root: Tree = { value: structuredClone(value) }
  for (const loss of report) mustBeAlone(loss, report)
  const edits = report.filter((loss): loss is Edit => loss.kind !== 'merged' && loss.kind !== 'moved')
  const places = edits.map((loss) => placeOf(root, loss.path, loss))
  for (const [index, loss] of edits.entries()) edit(places[index]!, loss)
  rearrange(root, report, swept)
  return (sweep(root, '', false) as { value: T }).value // what is left of a clone of T
}

/** Whether the report explains what was understood; throws with both sides when it does not. */
export function mustExplain(report: readonly Loss[], meant: unknown, understood: unknown): void {
  const expected = normal(apply(report, meant))
  const found = normal(understood)
  if (same(found, expected)) return
  throw new Error(
    `the report does not explain the result\n understood ${show(found)}\n expected   ${show(expected)}\n report ${show(report)}`,
  )
}

function edit(place: Place, loss: Edit): void {
  const key = loss.path.at(-1)!
  const now = read(place, key)
  switch (loss.kind) {
    case 'dropped':
      must(now !== undefined && now !== GONE, loss, 'nothing there')
      return write(place, key, GONE)
    case 'changed':
      must(now !== undefined && now !== GONE, loss, 'nothing there')
      must(loss.to !== undefined && !same(normal(now), normal(loss.to)), loss, 'unchanged')
      return write(place, key, structuredClone(loss.to))
    case 'added':
      must(now === undefined, loss, 'was there')
      must(loss.to !== undefined, loss, 'adds nothing')
      must(!Array.isArray(place) || key === place.length, loss, 'not at the end of its list')
      return write(place, key, structuredClone(loss.to))
    default:
      loss satisfies never
  }
}

/** Removes what is gone, and what became empty by it: the vanishing members, leftovers, and turns with nothing but a role. */
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

/** What is left of a member after the edits. */
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

/** One place is reported once, and nothing beneath what is dropped or said differently as a whole. */
function mustBeAlone(loss: Loss, report: readonly Loss[]): void {
  for (const other of report) {
    if (other === loss || other.kind === 'merged' || other.kind === 'moved') continue
    if (loss.kind !== 'merged' && loss.kind !== 'moved') must(!same(loss.path, other.path), loss, 'reported twice')
    const under = other.path.length < loss.path.length && other.path.every((key, index) => key === loss.path[index])
    must(!under, loss, 'an ancestor is reported already')
  }
}
