// The grammar of each wire, as zod schemas and therefore as Standard Schemas. All checks, types and known names of this package
// are derived from them.
export { chat } from './protocols/chat/wire-schemas.ts'
export { messages } from './protocols/messages/wire-schemas.ts'
export { genai } from './protocols/genai/wire-schemas.ts'
export { responses } from './protocols/responses/wire-schemas.ts'

export { zodOf } from './lib/grammar/zod.ts'
export type { Closed } from './lib/grammar/closed.ts'
