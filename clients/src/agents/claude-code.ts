import { createAgent } from './agent.ts'

export const claudeCode = createAgent({
  name: 'claude-code',
  title: 'Claude Code',
  pins: 'claude-code',
  program: 'claude',
  protocol: 'messages',
  echoes: 'signatures',
  connect: `
export ANTHROPIC_BASE_URL=http://127.0.0.1:8080/api/anthropic
export ANTHROPIC_AUTH_TOKEN=$(cat data/local-key)
claude --model google/gemini-3.5-flash`,
  env: ({ url, key, model }) => ({
    ANTHROPIC_BASE_URL: `${url}/api/anthropic`,
    ANTHROPIC_AUTH_TOKEN: key,
    ANTHROPIC_MODEL: model,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
  args: (_run, prompt, position) => [
    '-p',
    prompt,
    '--allowedTools',
    'Read',
    ...(position === 'next' ? ['--continue'] : []),
  ],
})
