import { chat } from './chat/index.ts'
import { genai } from './genai/index.ts'
import { messages } from './messages/index.ts'
import type { Protocol } from './protocol.ts'
import { responses } from './responses/index.ts'

/** All protocols, one line each. */
export const protocols: readonly Protocol[] = [chat, messages, genai, responses]
