import type { SearchHit } from '../../ir/part.ts'
import type { OutputOptions } from '../../ir/settings.ts'
import { tablesOf } from '../member-tables.ts'
import { NAME } from './schema.ts'

const table = tablesOf(NAME)

/** Nodes that messages has in more than one form. */
export const FORMS = {
  /** A format without a schema: messages has none. */
  plainOutput: table<OutputOptions>('messages', []),
  /** A result of the upstream's own web search. */
  foundHit: table<SearchHit>('a messages search hit', ['url', 'title', 'age', 'seal', 'extras']),
}
