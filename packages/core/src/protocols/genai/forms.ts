import type { Text } from '../../ir/part.ts'
import { tablesOf } from '../member-tables.ts'
import { NAME } from './schema.ts'

const table = tablesOf(NAME)

/** Nodes that genai has in more than one form. */
export const FORMS = {
  /** A text inside a tool result. */
  resultText: table<Text>('a genai result', ['text'], { extras: 'genai results are plain text' }),
}
