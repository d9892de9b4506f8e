import type { Client, Protocol } from '../client.ts'
import { createAgent } from './agent.ts'

const PROVIDER_OF: Readonly<Record<Protocol, string>> = { chat: 'openai', messages: 'anthropic', genai: 'gemini' }
const BASE_OF: Readonly<Record<Protocol, string>> = {
  chat: '/api/v1/',
  messages: '/api/anthropic/v1/',
  genai: '/api/vertex-ai/v1beta/',
}
const ECHOES_OF: Readonly<Record<Protocol, Client['echoes']>> = { chat: 'calls', messages: 'calls', genai: 'calls' }

export const continueClis = (['chat', 'messages', 'genai'] as const).map((protocol) =>
  createAgent({
    name: `continue-${protocol}`,
    title: `Continue CLI, \`${PROVIDER_OF[protocol]}\``,
    pins: 'continue',
    program: 'cn',
    protocol,
    echoes: ECHOES_OF[protocol],
    connect: `
# ~/.continue/config.yaml
models: [{ name: dragoman, provider: ${PROVIDER_OF[protocol]}, model: openai/gpt-5.4,
  apiBase: http://127.0.0.1:8080${BASE_OF[protocol]}, apiKey: "\${{ secrets.DRAGOMAN_KEY }}" }]`,
    files: ({ url, key, model }) => ({
      '.continue/config.yaml': [
        'name: dragoman',
        'version: 0.0.1',
        'schema: v1',
        'models:',
        '  - name: dragoman',
        `    provider: ${PROVIDER_OF[protocol]}`,
        `    model: ${model}`,
        `    apiBase: ${url}${BASE_OF[protocol]}`,
        `    apiKey: ${key}`,
        '    roles: [chat]',
        '    capabilities: [tool_use]',
        '',
      ].join('\n'),
    }),
    env: () => ({ CONTINUE_TELEMETRY_ENABLED: '0', CONTINUE_METRICS_ENABLED: '0' }),
    args: ({ home }, prompt, position) => [
      '--config',
      `${home}/.continue/config.yaml`,
      '--auto',
      ...(position === 'next' ? ['--resume'] : []),
      '-p',
      prompt,
    ],
  }),
)
