import * as core from '../src/index.ts'

// The protocols without the types of their bodies, for tests that write bodies as a client would: with mistakes, and as plain JSON.
export const chat: core.Protocol = core.chat
export const messages: core.Protocol = core.messages
export const genai: core.Protocol = core.genai
