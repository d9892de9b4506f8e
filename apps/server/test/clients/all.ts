import { anthropic, anthropic0 } from './anthropic.ts'
import type { Client } from './client.ts'
import { genai } from './genai.ts'
import { openai } from './openai.ts'
import { openaiResponses } from './responses.ts'
import { vercelChat, vercelGenai, vercelMessages, vercelResponses } from './vercel.ts'

/** Every official SDK, and the Vercel AI SDK with its provider for each protocol. */
export const CLIENTS: readonly Client[] = [
  openai,
  anthropic,
  anthropic0,
  genai,
  vercelChat,
  vercelMessages,
  vercelGenai,
  openaiResponses,
  vercelResponses,
]
