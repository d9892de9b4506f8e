import type { SearchHit } from '../../ir/part.ts'
import type { OutputOptions } from '../../ir/settings.ts'
import { tablesOf, UNSUPPORTED } from '../member-tables.ts'
import { OUTPUT } from './members.ts'
import { NAME } from './schema.ts'

const table = tablesOf(NAME)

/** Nodes that messages has in more than one form. */
export const FORMS = {
  /** A format without a schema: messages has none. */
  plainOutput: table<OutputOptions>('messages', { ...OUTPUT, format: UNSUPPORTED, schema: UNSUPPORTED }),
  /** A result of the upstream's own web search. */
  foundHit: table<SearchHit, 'url' | 'title' | 'age' | 'seal' | 'extras'>('a messages search hit', {
    parts: UNSUPPORTED,
    cite: UNSUPPORTED,
    cache: UNSUPPORTED,
    item: UNSUPPORTED,
  }),
}
