import { chatShapes } from './chat.ts'
import { genaiShapes } from './genai.ts'
import { messagesShapes } from './messages.ts'
import { responsesShapes } from './responses.ts'
import type { Shapes } from './shapes.ts'

/** One line per protocol. */
export const SHAPES_OF: { readonly [protocol: string]: Shapes } = {
  chat: chatShapes,
  messages: messagesShapes,
  genai: genaiShapes,
  responses: responsesShapes,
}
