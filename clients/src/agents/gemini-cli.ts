import { PROMPTS_OF, READ } from '../scenarios.ts'
import { createAgent } from './agent.ts'

export const geminiCli = createAgent({
  name: 'gemini-cli',
  title: 'Gemini CLI',
  pins: 'gemini-cli',
  program: 'gemini',
  protocol: 'genai',
  // It leaves out thoughts.
  echoes: 'signed calls',
  connect: `
export GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:8080/api/vertex-ai
export GEMINI_API_KEY=$(cat data/local-key)
gemini -m anthropic/claude-sonnet-4.5 # in settings.json: "security": { "auth": { "selectedType": "gemini-api-key" } }`,
  // A session that it resumes has every tool result twice, which Google refuses too: the tools come last.
  session: [...PROMPTS_OF.session.filter((prompt) => prompt !== READ), READ],
  files: () => ({
    '.gemini/settings.json': {
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { disableAutoUpdate: true, enableAutoUpdate: false },
    },
  }),
  env: ({ url, key }) => ({
    GOOGLE_GEMINI_BASE_URL: `${url}/api/vertex-ai`,
    GEMINI_API_KEY: key,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }),
  args: ({ model }, prompt, position) => [
    '-m',
    model,
    '--approval-mode',
    'yolo',
    ...(position === 'next' ? ['--resume', 'latest'] : []),
    '-p',
    prompt,
  ],
})
