import type { Message } from '../../ir/message.ts'
import type { Media, Reasoning, Text } from '../../ir/part.ts'
import type { OutputOptions } from '../../ir/settings.ts'
import { tablesOf } from '../member-tables.ts'
import { NAME } from './schema.ts'

const table = tablesOf(NAME)

/** Nodes that chat has in more than one form. */
export const FORMS = {
  /** A format without a schema. */
  plainOutput: table<OutputOptions>('chat', ['format', 'verbosity']),
  /** The single text of a response. */
  answerText: table<Text>('the text of a chat answer', ['text', 'citations', 'seal'], { extras: 'chat has one text' }),
  /** The single audio of a response. */
  answerAudio: table<Media>('the audio of a chat answer', ['kind', 'source', 'transcript', 'extras']),
  /** Audio that is joined to the audio before it. */
  moreAudio: table<Media>('the audio of a chat answer', ['kind', 'source', 'transcript'], {
    extras: 'chat has one audio',
  }),
  /** A turn with only tool results: each is a message, and the turn itself is not. */
  resultTurn: table<Message>('a chat result', ['role', 'parts'], { extras: 'chat has no message for these' }),
  /** Reasoning that only its issuer can read. */
  hiddenReasoning: table<Reasoning>('hidden chat reasoning', ['text', 'hidden', 'seal', 'extras']),
  /** Reasoning for upstreams that accept it as a plain string. */
  plainReasoning: table<Reasoning>('reasoning as plain text', ['text', 'hidden'], {
    extras: 'reasoning as plain text has no further members',
  }),
}
