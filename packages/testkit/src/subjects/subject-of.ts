import type { Subject } from '../laws/subject.ts'
import { chatSubject } from './chat.ts'
import { genaiSubject } from './genai.ts'
import { messagesSubject } from './messages.ts'
import { responsesSubject } from './responses.ts'

/** One line per protocol. */
export const SUBJECT_OF: { readonly [protocol: string]: Subject } = {
  chat: chatSubject,
  messages: messagesSubject,
  genai: genaiSubject,
  responses: responsesSubject,
}
