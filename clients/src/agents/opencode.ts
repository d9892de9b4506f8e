import type { Client, Protocol } from '../client.ts'
import { PROTOCOLS } from '../scenarios.ts'
import { createAgent } from './agent.ts'

const PACKAGE_OF: Readonly<Record<Protocol, string>> = {
  chat: '@ai-sdk/openai-compatible',
  messages: '@ai-sdk/anthropic',
  genai: '@ai-sdk/google',
  responses: '@ai-sdk/openai',
}
const BASE_OF: Readonly<Record<Protocol, string>> = {
  chat: '/api/v1',
  messages: '/api/anthropic/v1',
  genai: '/api/vertex-ai/v1beta',
  responses: '/api/v1',
}
/** @ai-sdk/openai-compatible does not send reasoning_details back. */
const ECHOES_OF: Readonly<Record<Protocol, Client['echoes']>> = {
  chat: 'signed calls',
  messages: 'signatures',
  genai: 'signatures',
  responses: 'signatures',
}

export const opencodes = PROTOCOLS.map((protocol) =>
  createAgent({
    name: `opencode-${protocol}`,
    title: `opencode, \`${PACKAGE_OF[protocol]}\``,
    pins: 'opencode',
    program: 'opencode',
    protocol,
    echoes: ECHOES_OF[protocol],
    connect: `
// opencode.json
"provider": { "dragoman": { "npm": "${PACKAGE_OF[protocol]}",
  "options": { "baseURL": "http://127.0.0.1:8080${BASE_OF[protocol]}", "apiKey": "{env:DRAGOMAN_KEY}" },
  "models": { "openai/gpt-5.4": { "reasoning": true, "limit": { "context": 400000, "output": 128000 } } } } }`,
    files: ({ url, key, model }) => ({
      '.config/opencode/opencode.json': {
        autoupdate: false,
        share: 'disabled',
        permission: 'allow',
        provider: {
          dragoman: {
            npm: PACKAGE_OF[protocol],
            options: { baseURL: `${url}${BASE_OF[protocol]}`, apiKey: key },
            models: { [model]: { reasoning: true, limit: { context: 200_000, output: 64_000 } } },
          },
        },
      },
    }),
    env: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    }),
    args: ({ model }, prompt, position) => [
      'run',
      '-m',
      `dragoman/${model}`,
      ...(position === 'next' ? ['--continue'] : []),
      prompt,
    ],
  }),
)
