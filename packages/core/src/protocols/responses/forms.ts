import type { Message } from '../../ir/message.ts'
import type {
  Code,
  CodeOutput,
  Media,
  Opaque,
  Reasoning,
  SearchHit,
  Text,
  ToolCall,
  ToolResult,
} from '../../ir/part.ts'
import type { OutputOptions } from '../../ir/settings.ts'
import { tablesOf } from '../member-tables.ts'
import { NAME } from './schema.ts'

const table = tablesOf(NAME)

/** Nodes that responses has in more than one form. */
export const FORMS = {
  /** A format without a schema. */
  plainOutput: table<OutputOptions>('responses', ['format', 'verbosity']),
  /** Text of a user, an instruction or a result. */
  inputText: table<Text>('a responses text', ['text', 'cache', 'extras']),
  /** A turn with only tool results: each is an item, and the turn itself is not. */
  resultTurn: table<Message>('a responses result', ['role', 'parts'], { extras: 'responses has no item for these' }),
  /** A turn of the assistant: its parts are items, and the turn itself is not. */
  assistantTurn: table<Message>('a responses turn', ['role', 'parts'], {
    extras: 'responses has no item for a whole turn',
  }),
  /** Content of an unknown kind. */
  content: table<Opaque>('responses content', ['protocol', 'value', 'words', 'item', 'extras']),
  /** Reasoning that only its issuer can read. */
  hidden: table<Reasoning>('hidden responses reasoning', ['text', 'hidden', 'seal', 'item', 'extras']),
  /** An image that the model has drawn. */
  drawn: table<Media>('a drawn image', ['kind', 'source', 'extras', 'item', 'seal']),
  /** A search by the upstream. */
  search: table<ToolCall>('a responses search', ['id', 'name', 'arguments', 'by', 'extras']),
  searchResult: table<ToolResult>('a responses search', ['callId', 'output', 'failed', 'by'], {
    extras: 'a responses search has no result of its own',
  }),
  /** Code that the upstream has run, and its outputs. */
  code: table<Code>('responses code', ['language', 'text', 'item', 'extras']),
  codeOutput: table<CodeOutput>('responses code', ['outcome', 'text', 'item', 'extras']),
  codeImage: table<Media>('an image of responses code', ['kind', 'source', 'extras', 'item']),
  /** The result of a call with an item of its own kind. */
  typedResult: table<ToolResult>('a responses result', ['callId', 'output', 'failed', 'by', 'item', 'extras']),
  source: table<SearchHit>('a source of a responses search', ['url', 'extras']),
}
