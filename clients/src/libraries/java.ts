import type { Library } from './library.ts'

const ROOT = 'http://127.0.0.1:8080'

export const JAVA_LIBRARIES: readonly Library[] = [
  {
    name: 'java-openai',
    title: 'openai-java',
    language: 'java',
    driver: 'OpenAi',
    protocols: {
      chat: {
        // Its message as a parameter has no members beyond its types.
        echoes: 'signed calls',
        connect: `
OpenAIClient client = OpenAIOkHttpClient.builder().baseUrl("${ROOT}/api/v1").apiKey(key).build();
ChatCompletion completion = client.chat().completions().create(params);`,
      },
      responses: {
        echoes: 'signatures',
        connect: `
OpenAIClient client = OpenAIOkHttpClient.builder().baseUrl("${ROOT}/api/v1").apiKey(key).build();
Response response = client.responses().create(params);`,
      },
    },
  },
  {
    name: 'java-anthropic',
    title: 'anthropic-java',
    language: 'java',
    driver: 'Anthropic',
    protocols: {
      messages: {
        echoes: 'signatures',
        connect: `
AnthropicClient client = AnthropicOkHttpClient.builder().baseUrl("${ROOT}/api/anthropic").apiKey(key).build();`,
      },
    },
  },
  {
    name: 'java-genai',
    title: 'google-genai (Java)',
    language: 'java',
    driver: 'GenAi',
    protocols: {
      genai: {
        echoes: 'signatures',
        connect: `
HttpOptions options = HttpOptions.builder().baseUrl("${ROOT}/api/vertex-ai").apiVersion("v1").build();
Client client = Client.builder().vertexAI(true).apiKey(key).httpOptions(options).build();`,
      },
    },
  },
]
