import { chat } from './chat.ts'
import { genai } from './genai.ts'
import { messages } from './messages.ts'
import { responses } from './responses.ts'
import type { Bodies } from './shared.ts'

/** One line per protocol. */
export const BODIES_OF: { readonly [protocol: string]: Bodies } = { chat, messages, genai, responses }
