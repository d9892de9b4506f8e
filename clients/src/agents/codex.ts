import type { Run } from '../client.ts'
import { createAgent } from './agent.ts'

/** Codex speaks only Responses. */
export const codex = createAgent({
  name: 'codex',
  title: 'Codex',
  pins: 'codex',
  program: 'codex',
  protocol: 'responses',
  echoes: 'signatures',
  connect: `
# ~/.codex/config.toml
model = "anthropic/claude-sonnet-4.5"
model_provider = "dragoman"
[model_providers.dragoman]
name = "dragoman"
base_url = "http://127.0.0.1:8080/api/v1"
env_key = "DRAGOMAN_KEY"
wire_api = "responses"`,
  files: (run) => ({ '.codex/config.toml': codexConfig(run) }),
  // CODEX_API_KEY is for the built-in provider.
  env: ({ key, home }) => ({ DRAGOMAN_KEY: key, CODEX_API_KEY: key, CODEX_HOME: `${home}/.codex` }),
  args: (_run, prompt, position) => [
    'exec',
    ...(position === 'next' ? ['resume', '--last'] : []),
    '--skip-git-repo-check',
    '--dangerously-bypass-approvals-and-sandbox',
    prompt,
  ],
})

/** Keys of the first table come before all other tables. */
export function codexConfig({ url, model }: Pick<Run, 'url' | 'model'>, first = '', provider = ''): string {
  return `model = "${model}"
model_provider = "dragoman"
${first}
[model_providers.dragoman]
name = "dragoman"
base_url = "${url}/api/v1"
env_key = "DRAGOMAN_KEY"
wire_api = "responses"
${provider}
`
}

/** The built-in provider with another base URL. It tries a websocket first, and leaves compaction to its upstream. */
export function builtInConfig({ url, model }: Pick<Run, 'url' | 'model'>, first = ''): string {
  return `model = "${model}"
openai_base_url = "${url}/api/v1"
${first}
`
}
