import { createAgent } from './agent.ts'

const PROVIDER_OF = { chat: 'openai', messages: 'anthropic' } as const
const BASE_OF = { chat: '/api/v1/', messages: '/api/anthropic/v1/' } as const

/** Its provider `gemini` has no base URL: it always calls Google. */
export const continueClis = (['chat', 'messages'] as const).map((protocol) =>
  createAgent({
    name: `continue-${protocol}`,
    title: `Continue CLI, \`${PROVIDER_OF[protocol]}\``,
    pins: 'continue',
    program: 'cn',
    protocol,
    echoes: 'calls',
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
