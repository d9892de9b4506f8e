import { beforeOf, type Candidate } from './subjects.ts'

export interface Selection {
  readonly pace: 'full' | 'quick'
  /** Only servers with this text in their kind or name, and the yardsticks. */
  readonly only?: string | undefined
  /** Whether the servers of another checkout are measured too. */
  readonly before: boolean
}

/** A comparison with another checkout has twice as many servers, in the same time. */
const SHORT_OF = {
  quick: ['dragoman chat → chat', 'dragoman messages → chat', 'dragoman chat → genai'],
  before: ['dragoman chat → chat', 'dragoman messages → chat'],
}

/** The servers of a run. The yardsticks are always among them, and with a server its counterpart in the other checkout. */
export function selectCandidates<C extends Pick<Candidate, 'name' | 'kind'>>(
  candidates: readonly C[],
  selection: Selection,
): C[] {
  const selected = candidates.filter((each) => each.kind !== 'before' && isSelected(each, selection))
  if (selected.every(({ kind }) => kind === 'yardstick'))
    throw new Error(`No server has ${selection.only} in its kind or name.`)
  const isCounterpart = ({ name }: C): boolean => selected.some((each) => beforeOf(each.name) === name)
  return candidates.filter((each) => selected.includes(each) || isCounterpart(each))
}

/** Portkey, which must be installed first, is selected only in a full run or by its name. */
function isSelected({ name, kind }: Pick<Candidate, 'name' | 'kind'>, { pace, only, before }: Selection): boolean {
  if (kind === 'yardstick') return true
  if (only !== undefined) return `${kind} ${name}`.includes(only) && (kind !== 'portkey' || /portkey/i.test(only))
  if (before) return SHORT_OF.before.includes(name)
  return pace === 'full' || SHORT_OF.quick.includes(name)
}
