import {
  createChatDouble,
  createGenaiDouble,
  createMessagesDouble,
  createResponsesDouble,
  readChat,
  readGenai,
  readMessages,
  readResponses,
  type Double,
  type Received,
  type ReceivedRequest,
  type Script,
} from '@dragoman/testkit'
import type { Protocol } from './client.ts'
import { THOUGHT } from './scenarios.ts'

/** A kind of upstream, and how it is configured in the server. */
export interface Upstream {
  readonly protocol: Protocol
  /** The model id for callers. */
  readonly model: string
  create(script: Script): Promise<Double>
  environment(url: string): { readonly [name: string]: string }
  /** Providers of the configuration file. */
  readonly providers?: (url: string) => object
  read(body: Received['body']): ReceivedRequest
  /** The seal of the turn with thinking and a call of this tool. */
  seal(double: Double, tool: string): string
}

export const UPSTREAM_OF: Readonly<Record<Protocol, Upstream>> = {
  chat: {
    protocol: 'chat',
    model: 'openai/gpt-5.4',
    create: createChatDouble,
    environment: (url) => ({ OPENAI_BASE_URL: url, OPENAI_API_KEY: 'sk-upstream-chat' }),
    // The double speaks nothing else, so its model is called by chat alone.
    providers: () => ({ openai: { overrides: { 'gpt-5.4': { protocols: ['chat'] } } } }),
    read: readChat,
    seal: (double) => double.seal(THOUGHT),
  },
  messages: {
    protocol: 'messages',
    model: 'anthropic/claude-sonnet-4.5',
    create: createMessagesDouble,
    environment: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'sk-upstream-messages' }),
    read: readMessages,
    seal: (double) => double.seal(THOUGHT),
  },
  genai: {
    protocol: 'genai',
    model: 'google/gemini-3.5-flash',
    create: (script) => createGenaiDouble(script, 'gemini-3.5-flash'),
    environment: (url) => ({ GEMINI_BASE_URL: url, GEMINI_API_KEY: 'sk-upstream-genai' }),
    read: readGenai,
    seal: (double, tool) => double.seal(tool),
  },
  responses: {
    protocol: 'responses',
    model: 'house/gpt-5.4-pro',
    create: createResponsesDouble,
    environment: () => ({ HOUSE_KEY: 'sk-upstream-responses' }),
    // A provider of one's own that speaks nothing else.
    providers: (baseURL) => ({
      house: {
        baseURL,
        key: { env: 'HOUSE_KEY' },
        endpoints: { responses: '.' },
        auth: { header: 'authorization', prefix: 'Bearer ' },
        models: [{ name: 'gpt-5.4-pro', reasoning: {} }],
      },
    }),
    read: readResponses,
    seal: (double) => double.seal(THOUGHT),
  },
}
