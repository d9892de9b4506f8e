import type { Subject } from '../laws/subject.ts'
import { chatSubject } from './chat.ts'
import { messagesSubject } from './messages.ts'

/** One line per protocol. */
export const SUBJECT_OF: { readonly [protocol: string]: Subject } = { chat: chatSubject, messages: messagesSubject }
