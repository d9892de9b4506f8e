import { keep, known, restore, unknownOf, type Known } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Citation, Part } from '../../ir/part.ts'
import { defined } from '../../lib/members.ts'
import { listOf, optionalString, stringOf, type Json, type JsonObject } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import { TABLES } from './members.ts'
import { annotation, NAME, type WireAnnotation } from './schema.ts'
import type { EventOf } from '../../ir/stream.ts'

/** The annotations of a text; those of unknown kinds are kept as they are. */
export interface Cited {
  readonly citations?: readonly Citation[]
  readonly unread?: JsonObject
}

/** If one of them is of an unknown kind, all of them stay extras. */
export function decodeCitations(wire: readonly WireAnnotation[] | null | undefined): Cited {
  const listed = listOf(wire)
  if (listed.length === 0) return {}
  const citations = listed.flatMap((each) => decodeCitation(each) ?? [])
  return citations.length === listed.length ? { citations } : { unread: { annotations: listed as Json } } // parsed JSON
}

const FILES: ReadonlySet<string> = new Set<WireAnnotation['type']>([
  'file_citation',
  'container_file_citation',
  'file_path',
])

function decodeCitation(wire: WireAnnotation): Citation | undefined {
  const { type, start_index: start, end_index: end } = wire
  const range = typeof start === 'number' && typeof end === 'number' ? ([start, end] as const) : undefined
  if (type === 'url_citation') {
    const source = defined({ kind: 'url' as const, url: stringOf(wire.url), title: optionalString(wire.title) })
    return keep(defined({ range, source }), NAME, unknownOf(wire, range === undefined ? UNPLACED_URL : URL))
  }
  if (!FILES.has(type)) return undefined
  const source = defined({ kind: 'file' as const, id: stringOf(wire.file_id), title: optionalString(wire.filename) })
  const rest = unknownOf(wire, range === undefined ? UNPLACED_FILE : FILE)
  return keep(defined({ range, source }), NAME, type === 'file_citation' ? rest : { ...rest, type })
}

/** An annotation is one object for all types: each reads some members of it. */
const readOf = (...unread: (keyof typeof ALL)[]): Known => known(annotation, { unread })
const ALL = { url: 0, title: 0, file_id: 0, filename: 0, start_index: 0, end_index: 0 }
const URL = readOf('file_id', 'filename')
const UNPLACED_URL = readOf('file_id', 'filename', 'start_index', 'end_index')
const FILE = readOf('url', 'title')
const UNPLACED_FILE = readOf('url', 'title', 'start_index', 'end_index')

/** Annotations of one text. The losses are those of the text. */
export function encodeCitations(
  cited: readonly Citation[],
  length: number,
  losses: Losses,
  context: Encoding,
): WireAnnotation[] {
  const annotations: WireAnnotation[] = []
  for (const [index, citation] of cited.entries()) {
    const wire = encodeCitation(citation, length, losses.at('citations', index), context)
    if (wire !== undefined) annotations.push(wire)
  }
  return annotations
}

function encodeCitation(
  citation: Citation,
  length: number,
  losses: Losses,
  context: Encoding,
): WireAnnotation | undefined {
  const { source, range } = citation
  if (source.kind !== 'url' && source.kind !== 'file') {
    losses.dropped([], `responses cites no ${source.kind}`)
    return undefined
  }
  reportUnsupported(citation, TABLES.citation, losses, context)
  if (source.kind === 'file') {
    const placed = range === undefined ? {} : { start_index: range[0], end_index: range[1] }
    const named = defined({ file_id: source.id, filename: source.title })
    return restore(NAME, citation, { ...typeOf(citation), ...named, ...placed })
  }
  reportUnsupported(source, TABLES.cited.url, losses.at('source'), context)
  const { url, title = url } = source
  const [start_index, end_index] = range ?? [0, length]
  if (source.title === undefined) losses.added(['source', 'title'], url, 'responses citations have a title')
  if (range === undefined) losses.added(['range'], [start_index, end_index], 'responses names the cited range')
  return restore(NAME, citation, { type: 'url_citation', url, title, start_index, end_index })
}

/** Its own type is one of its extras. */
function typeOf({ extras }: Citation): WireAnnotation {
  const type = extras?.[NAME]?.['type']
  return { type: typeof type === 'string' ? type : 'file_citation' }
}

/** What the whole part says beyond what its deltas have said: each citation in a change of its own. */
export function lateMembers(shell: Part, whole: Part): readonly Omit<EventOf<'block-patch'>, 'type'>[] {
  const changes: Omit<EventOf<'block-patch'>, 'type'>[] = []
  if (whole.type === 'text') for (const citation of whole.citations ?? []) changes.push({ citation })
  const { seal, extras } = whole
  if (seal !== undefined && shell.seal === undefined) changes.push({ seal })
  if (extras !== undefined) changes.push({ extras })
  return changes
}
