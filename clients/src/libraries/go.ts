import type { Library } from './library.ts'

const ROOT = 'http://127.0.0.1:8080'

export const GO_LIBRARIES: readonly Library[] = [
  {
    name: 'go-openai',
    title: 'openai-go',
    language: 'go',
    driver: 'openai',
    protocols: {
      chat: {
        echoes: 'signed calls',
        connect: `
client := openai.NewClient(option.WithBaseURL("${ROOT}/api/v1"), option.WithAPIKey(key))
completion, err := client.Chat.Completions.New(ctx, params)`,
      },
      responses: {
        echoes: 'signatures',
        connect: `
client := openai.NewClient(option.WithBaseURL("${ROOT}/api/v1"), option.WithAPIKey(key))
response, err := client.Responses.New(ctx, params)`,
      },
    },
  },
  {
    name: 'go-anthropic',
    title: 'anthropic-sdk-go',
    language: 'go',
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
