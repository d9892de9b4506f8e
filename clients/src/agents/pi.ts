import type { Protocol } from '../client.ts'
import { PROTOCOLS } from '../scenarios.ts'
import { createAgent } from './agent.ts'

const API_OF: Readonly<Record<Protocol, string>> = {
  chat: 'openai-completions',
  messages: 'anthropic-messages',
  genai: 'google-generative-ai',
  responses: 'openai-responses',
}
const BASE_OF: Readonly<Record<Protocol, string>> = {
  chat: '/api/v1',
  messages: '/api/anthropic',
  genai: '/api/vertex-ai/v1beta',
  responses: '/api/v1',
}
export const pis = PROTOCOLS.map((protocol) =>
  createAgent({
    name: `pi-${protocol}`,
    title: `pi, \`${API_OF[protocol]}\``,
    pins: 'pi',
    program: 'pi',
    protocol,
    echoes: 'signatures',
    connect: `
// ~/.pi/agent/models.json
{ "providers": { "dragoman": { "api": "${API_OF[protocol]}", "baseUrl": "http://127.0.0.1:8080${BASE_OF[protocol]}",
  "apiKey": "DRAGOMAN_KEY", "models": [{ "id": "google/gemini-3.5-flash", "reasoning": true }] } } }`,
    files: ({ url, key, model }) => ({
      '.pi/agent/models.json': {
        providers: {
          dragoman: {
            api: API_OF[protocol],
            baseUrl: `${url}${BASE_OF[protocol]}`,
            apiKey: key,
            models: [{ id: model, reasoning: true }],
          },
        },
      },
    }),
    env: () => ({ PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1' }),
    args: ({ model }, prompt, position) => [
      '--provider',
      'dragoman',
      '--model',
      model,
      ...(position === 'next' ? ['--continue'] : []),
      '-p',
      prompt,
    ],
  }),
)
