import type { Protocol } from '../src/index.ts'
import * as served from '../src/protocols.ts'

// The protocols without the types of their bodies, for tests that write bodies as a client would: with mistakes, and as plain JSON.
export const chat: Protocol = served.chat
export const messages: Protocol = served.messages
export const genai: Protocol = served.genai
export const responses: Protocol = served.responses
