import { chat } from './chat.ts'
import { genai } from './genai.ts'
import { messages } from './messages.ts'
import { anthropicModels, googleModels, openaiModels } from './models.ts'
import { responses } from './responses.ts'

/** Why each of them is missing. */
export type Reasons = { readonly [name: string]: string }

/** What is known to be missing, by subject. An entry that is not missing any more is an error. */
export const missing = {
  chat,
  messages,
  genai,
  responses,
  'models of openai': openaiModels,
  'models of anthropic': anthropicModels,
  'models of google': googleModels,
} satisfies { readonly [subject: string]: Reasons }
