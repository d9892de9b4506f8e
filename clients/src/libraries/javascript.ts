import type { Library } from './library.ts'

/** What createOpenAICompatible, createAnthropic, createGoogleGenerativeAI and createOpenAI of the AI SDK need. */
const AI_SDK: Library['protocols'] = {
  chat: {
    echoes: 'signed calls',
    connect: `
const dragoman = createOpenAICompatible({ name: 'dragoman', baseURL: 'http://127.0.0.1:8080/api/v1', apiKey })
await generateText({ model: dragoman('anthropic/claude-sonnet-4.5'), prompt })`,
  },
  messages: {
    echoes: 'signatures',
    connect: `
const dragoman = createAnthropic({ baseURL: 'http://127.0.0.1:8080/api/anthropic/v1', apiKey })
await generateText({ model: dragoman('openai/gpt-5.4'), prompt })`,
  },
  genai: {
    echoes: 'signatures',
    connect: `
const dragoman = createGoogleGenerativeAI({ baseURL: 'http://127.0.0.1:8080/api/vertex-ai/v1beta', apiKey })
await generateText({ model: dragoman('openai/gpt-5.4'), prompt })`,
  },
  responses: {
    echoes: 'signatures',
    connect: `
const dragoman = createOpenAI({ baseURL: 'http://127.0.0.1:8080/api/v1', apiKey })
await generateText({ model: dragoman('anthropic/claude-sonnet-4.5'), prompt })`,
  },
}

export const JAVASCRIPT_LIBRARIES: readonly Library[] = [
  { name: 'ai-sdk-6', title: 'AI SDK 6', language: 'javascript', driver: 'ai-sdk', protocols: AI_SDK },
  { name: 'ai-sdk-7', title: 'AI SDK 7', language: 'javascript', driver: 'ai-sdk', protocols: AI_SDK },
  {
    name: 'langchain-js',
    title: 'LangChain.js',
    language: 'javascript',
    driver: 'langchain',
    protocols: {
      chat: {
        echoes: 'signed calls',
        connect: `
const model = new ChatOpenAI({ model: 'anthropic/claude-sonnet-4.5', apiKey,
  configuration: { baseURL: 'http://127.0.0.1:8080/api/v1' } })`,
      },
      messages: {
        echoes: 'signatures',
        connect: `
const model = new ChatAnthropic({ model: 'openai/gpt-5.4', apiKey,
  anthropicApiUrl: 'http://127.0.0.1:8080/api/anthropic' })`,
      },
      genai: {
        echoes: 'signatures',
        connect: `
const model = new ChatGoogleGenerativeAI({ model: 'openai/gpt-5.4', apiKey,
  baseUrl: 'http://127.0.0.1:8080/api/vertex-ai' })`,
      },
      responses: {
        echoes: 'signatures',
        connect: `
const model = new ChatOpenAI({ model: 'anthropic/claude-sonnet-4.5', apiKey, useResponsesApi: true,
  configuration: { baseURL: 'http://127.0.0.1:8080/api/v1' } })`,
      },
    },
  },
  {
    name: 'openai-js',
    title: 'openai (JavaScript)',
    language: 'javascript',
    driver: 'openai',
    protocols: {
      responses: {
        echoes: 'signatures',
        connect: `
const client = new OpenAI({ baseURL: 'http://127.0.0.1:8080/api/v1', apiKey })
await client.responses.create({ model: 'anthropic/claude-sonnet-4.5', input })`,
      },
    },
  },
  {
    name: 'openai-agents-js',
    title: 'OpenAI Agents SDK (JavaScript)',
    language: 'javascript',
    driver: 'openai-agents',
    protocols: {
      responses: {
        echoes: 'signatures',
        connect: `
const modelProvider = new OpenAIProvider({ baseURL: 'http://127.0.0.1:8080/api/v1', apiKey, useResponses: true })
await new Runner({ modelProvider }).run(new Agent({ name: 'mine', model: 'anthropic/claude-sonnet-4.5' }), prompt)`,
      },
    },
  },
  {
    name: 'llamaindex-js',
    title: 'LlamaIndex.TS',
    language: 'javascript',
    driver: 'llamaindex',
    protocols: {
      chat: {
        echoes: 'signed calls',
        connect: `
const llm = new OpenAI({ model: 'anthropic/claude-sonnet-4.5', apiKey, baseURL: 'http://127.0.0.1:8080/api/v1' })`,
      },
      messages: {
        echoes: 'signed calls',
        connect: `
const session = new AnthropicSession({ apiKey, baseURL: 'http://127.0.0.1:8080/api/anthropic' })
const llm = new Anthropic({ model: 'openai/gpt-5.4', apiKey, session })`,
      },
      genai: {
        echoes: 'calls',
        connect: `
const httpOptions = { baseUrl: 'http://127.0.0.1:8080/api/vertex-ai' }
const llm = new Gemini({ model: 'openai/gpt-5.4', apiKey, httpOptions })`,
      },
    },
  },
  {
    name: 'mastra',
    title: 'Mastra',
    language: 'javascript',
    driver: 'mastra',
    protocols: {
      chat: {
        echoes: 'signed calls',
        connect: `
const model = { id: 'dragoman/anthropic/claude-sonnet-4.5', url: 'http://127.0.0.1:8080/api/v1', apiKey }
const agent = new Agent({ id: 'mine', name: 'mine', instructions, model })`,
      },
      messages: {
        echoes: 'signatures',
        connect: `
const dragoman = createAnthropic({ baseURL: 'http://127.0.0.1:8080/api/anthropic/v1', apiKey })
const agent = new Agent({ id: 'mine', name: 'mine', instructions, model: dragoman('openai/gpt-5.4') })`,
      },
      genai: {
        echoes: 'signatures',
        connect: `
const dragoman = createGoogleGenerativeAI({ baseURL: 'http://127.0.0.1:8080/api/vertex-ai/v1beta', apiKey })
const agent = new Agent({ id: 'mine', name: 'mine', instructions, model: dragoman('openai/gpt-5.4') })`,
      },
    },
  },
]
