import type { Message } from '../../ir/message.ts'
import type { Media, Reasoning, Text } from '../../ir/part.ts'
import type { OutputOptions } from '../../ir/settings.ts'
import { tablesOf, UNSUPPORTED, WRITTEN } from '../member-tables.ts'
import { MEDIA, OUTPUT, REASONING, type WrittenMedia, type WrittenOutput, type WrittenReasoning } from './members.ts'
import { NAME } from './schema.ts'

const table = tablesOf(NAME)

const AUDIO = { ...MEDIA, transcript: WRITTEN, cache: UNSUPPORTED }

/** Nodes that chat has in more than one form. */
export const FORMS = {
  /** A format without a schema. */
  plainOutput: table<OutputOptions, WrittenOutput>('chat', {
    ...OUTPUT,
    schema: UNSUPPORTED,
    name: UNSUPPORTED,
    strict: UNSUPPORTED,
    description: UNSUPPORTED,
  }),
  /** The single text of a response. */
  answerText: table<Text, 'text' | 'citations' | 'seal'>('the text of a chat answer', {
    cache: UNSUPPORTED,
    item: UNSUPPORTED,
    extras: 'chat has one text',
  }),
  /** The single audio of a response. */
  answerAudio: table<Media, WrittenMedia>('the audio of a chat answer', AUDIO),
  /** Audio that is joined to the audio before it. */
  moreAudio: table<Media, 'kind' | 'source'>('the audio of a chat answer', { ...AUDIO, extras: 'chat has one audio' }),
  /** A turn with only tool results: each is a message, and the turn itself is not. */
  resultTurn: table<Message, 'role' | 'parts'>('a chat result', {
    name: UNSUPPORTED,
    extras: 'chat has no message for these',
  }),
  /** Reasoning that only its issuer can read. */
  hiddenReasoning: table<Reasoning, WrittenReasoning>('hidden chat reasoning', { ...REASONING, summary: UNSUPPORTED }),
  /** Reasoning for upstreams that accept it as a plain string. */
  plainReasoning: table<Reasoning, WrittenReasoning>('reasoning as plain text', {
    ...REASONING,
    seal: UNSUPPORTED,
    summary: UNSUPPORTED,
    extras: 'reasoning as plain text has no further members',
  }),
}
