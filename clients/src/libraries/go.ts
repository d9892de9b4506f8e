import type { Library } from './library.ts'

const ROOT = 'http://127.0.0.1:8080'

/** They were not run with a Responses upstream yet. */
const TRIED: Library['upstreams'] = ['chat', 'messages', 'genai']

export const GO_LIBRARIES: readonly Library[] = [
  {
    name: 'go-openai',
    title: 'openai-go',
    language: 'go',
    upstreams: TRIED,
    driver: 'openai',
    protocols: {
      chat: {
        echoes: 'signed calls',
        connect: `
client := openai.NewClient(option.WithBaseURL("${ROOT}/api/v1"), option.WithAPIKey(key))`,
      },
    },
  },
  {
    name: 'go-anthropic',
    title: 'anthropic-sdk-go',
    language: 'go',
    upstreams: TRIED,
    driver: 'anthropic',
    protocols: {
      messages: {
        echoes: 'signatures',
        connect: `
client := anthropic.NewClient(option.WithBaseURL("${ROOT}/api/anthropic"), option.WithAPIKey(key))`,
      },
    },
  },
  {
    name: 'go-genai',
    title: 'google.golang.org/genai',
    language: 'go',
    upstreams: TRIED,
    driver: 'genai',
    protocols: {
      genai: {
        echoes: 'signatures',
        connect: `
client, err := genai.NewClient(ctx, &genai.ClientConfig{Backend: genai.BackendVertexAI, APIKey: key,
	HTTPOptions: genai.HTTPOptions{BaseURL: "${ROOT}/api/vertex-ai", APIVersion: "v1"}})`,
      },
    },
  },
]
