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
import { tablesOf, UNSUPPORTED, WRITTEN } from '../member-tables.ts'
import { MEDIA, OUTPUT, type WrittenOutput } from './members.ts'
import { NAME } from './schema.ts'

const table = tablesOf(NAME)

/** Nodes that responses has in more than one form. */
export const FORMS = {
  /** A format without a schema. */
  plainOutput: table<OutputOptions, WrittenOutput>('responses', {
    ...OUTPUT,
    schema: UNSUPPORTED,
    name: UNSUPPORTED,
    strict: UNSUPPORTED,
    description: UNSUPPORTED,
  }),
  /** Text of a user, an instruction or a result. */
  inputText: table<Text, 'text' | 'cache' | 'extras'>('a responses text', {
    citations: UNSUPPORTED,
    item: UNSUPPORTED,
    seal: UNSUPPORTED,
  }),
  /** A turn with only tool results: each is an item, and the turn itself is not. */
  resultTurn: table<Message, 'role' | 'parts'>('a responses result', {
    name: UNSUPPORTED,
    extras: 'responses has no item for these',
  }),
  /** A turn of the assistant: its parts are items, and the turn itself is not. */
  assistantTurn: table<Message, 'role' | 'parts'>('a responses turn', {
    name: UNSUPPORTED,
    extras: 'responses has no item for a whole turn',
  }),
  /** Content of an unknown kind. */
  content: table<Opaque, 'protocol' | 'value' | 'words' | 'item' | 'extras'>('responses content', {
    cache: UNSUPPORTED,
    seal: UNSUPPORTED,
  }),
  /** Reasoning that only its issuer can read. */
  hidden: table<Reasoning, 'text' | 'hidden' | 'seal' | 'item' | 'extras'>('hidden responses reasoning', {
    summary: UNSUPPORTED,
    cache: UNSUPPORTED,
  }),
  /** An image that the model has drawn. */
  drawn: table<Media, 'kind' | 'source' | 'extras'>('a drawn image', {
    ...MEDIA,
    item: WRITTEN,
    seal: WRITTEN,
    cache: UNSUPPORTED,
  }),
  /** A search by the upstream. */
  search: table<ToolCall, 'id' | 'name' | 'arguments' | 'by' | 'extras'>('a responses search', {
    custom: UNSUPPORTED,
    cache: UNSUPPORTED,
    seal: UNSUPPORTED,
    item: UNSUPPORTED,
  }),
  searchResult: table<ToolResult, 'callId' | 'output' | 'failed' | 'by'>('a responses search', {
    name: UNSUPPORTED,
    cache: UNSUPPORTED,
    seal: UNSUPPORTED,
    item: UNSUPPORTED,
    extras: 'a responses search has no result of its own',
  }),
  /** Code that the upstream has run, and its outputs. */
  code: table<Code, 'language' | 'text' | 'item' | 'extras'>('responses code', {
    cache: UNSUPPORTED,
    seal: UNSUPPORTED,
  }),
  codeOutput: table<CodeOutput, 'outcome' | 'text' | 'item' | 'extras'>('responses code', {
    cache: UNSUPPORTED,
    seal: UNSUPPORTED,
  }),
  codeImage: table<Media, 'kind' | 'source' | 'extras'>('an image of responses code', {
    ...MEDIA,
    item: WRITTEN,
    seal: UNSUPPORTED,
    cache: UNSUPPORTED,
  }),
  /** The result of a call with an item of its own kind. */
  typedResult: table<ToolResult, 'callId' | 'output' | 'failed' | 'by' | 'item' | 'extras'>('a responses result', {
    name: UNSUPPORTED,
    cache: UNSUPPORTED,
    seal: UNSUPPORTED,
  }),
  source: table<SearchHit, 'url' | 'extras'>('a source of a responses search', {
    title: UNSUPPORTED,
    age: UNSUPPORTED,
    parts: UNSUPPORTED,
    cite: UNSUPPORTED,
    cache: UNSUPPORTED,
    seal: UNSUPPORTED,
    item: UNSUPPORTED,
  }),
}
