// The protocols with everything that a gateway needs to serve them: paths, model lists, the relay. The converters alone are in `index.ts`.
export { chat } from './protocols/chat/index.ts'
export { isOverflow } from './protocols/context-length.ts'
export { genai } from './protocols/genai/index.ts'
export { protocols } from './protocols/index.ts'
export { isErrorBody } from './protocols/http.ts'
export { messages } from './protocols/messages/index.ts'
export { responses } from './protocols/responses/index.ts'
