import type { Protocol, Run } from '../client.ts'
import { createAgent } from './agent.ts'

/** It has no setting for Responses. */
type Spoken = Exclude<Protocol, 'responses'>

const PROVIDER_OF: Readonly<Record<Spoken, string>> = { chat: 'openai', messages: 'anthropic', genai: 'gemini' }
const BASE_OF: Readonly<Record<Spoken, string>> = {
  chat: '/api/v1/',
  messages: '/api/anthropic/v1/',
  genai: '/api/vertex-ai',
}

export const continueClis = (['chat', 'messages', 'genai'] as const).map((protocol) =>
  createAgent({
    name: `continue-${protocol}`,
    title: `Continue CLI, \`${PROVIDER_OF[protocol]}\``,
    pins: 'continue',
    program: 'cn',
    protocol,
    echoes: 'signed calls',
    connect: connectOf(protocol),
    files: ({ url, key, model }) => ({
      '.continue/config.yaml': [
        'name: dragoman',
        'version: 0.0.1',
        'schema: v1',
        'models:',
        '  - name: dragoman',
        `    provider: ${PROVIDER_OF[protocol]}`,
        `    model: ${model}`,
        ...(protocol === 'genai' ? [] : [`    apiBase: ${url}${BASE_OF[protocol]}`]),
        `    apiKey: ${key}`,
        '',
      ].join('\n'),
    }),
    env: (run) => ({ CONTINUE_TELEMETRY_ENABLED: '0', CONTINUE_METRICS_ENABLED: '0', ...addressOf(protocol, run) }),
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

/** Its provider `gemini` ignores `apiBase`; Google's SDK inside of it reads the address from the environment. */
function addressOf(protocol: Spoken, { url }: Run): { readonly [name: string]: string } {
  return protocol === 'genai' ? { GOOGLE_GEMINI_BASE_URL: `${url}${BASE_OF.genai}` } : {}
}

function connectOf(protocol: Spoken): string {
  const address = `http://127.0.0.1:8080${BASE_OF[protocol]}`
  const base = protocol === 'genai' ? '' : `apiBase: ${address}, `
  return `
# ~/.continue/config.yaml${protocol === 'genai' ? `, and in the shell: export GOOGLE_GEMINI_BASE_URL=${address}` : ''}
models: [{ name: dragoman, provider: ${PROVIDER_OF[protocol]}, model: openai/gpt-5.4,
  ${base}apiKey: "\${{ secrets.DRAGOMAN_KEY }}" }]`
}
