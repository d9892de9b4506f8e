import type { Client, Run } from '../client.ts'
import { createAgent } from './agent.ts'

const SHARED = {
  pins: 'claude-code',
  program: 'claude',
  protocol: 'messages',
  echoes: 'signatures',
  env: ({ url, key }: Run) => ({
    ANTHROPIC_BASE_URL: `${url}/api/anthropic`,
    ANTHROPIC_AUTH_TOKEN: key,
    DISABLE_AUTOUPDATER: '1',
  }),
} as const

/** With the model of a run, and with the model that it asks for by itself, which is Anthropic's. */
export const claudeCodes: readonly Client[] = [
  createAgent({
    ...SHARED,
    name: 'claude-code',
    title: 'Claude Code',
    connect: `
export ANTHROPIC_BASE_URL=http://127.0.0.1:8080/api/anthropic
export ANTHROPIC_AUTH_TOKEN=$(cat data/local-key)
claude --model google/gemini-3.5-flash`,
    args: ({ model }, prompt, position) => ['--model', model, ...argsOf(prompt, position)],
  }),
  createAgent({
    ...SHARED,
    name: 'claude-code-default',
    title: 'Claude Code, without `--model`',
    upstreams: ['messages'],
    connect: `
export ANTHROPIC_BASE_URL=http://127.0.0.1:8080/api/anthropic
export ANTHROPIC_AUTH_TOKEN=$(cat data/local-key)
claude`,
    args: (_run, prompt, position) => argsOf(prompt, position),
  }),
]

function argsOf(prompt: string, position: 'first' | 'next'): readonly string[] {
  return ['-p', prompt, '--allowedTools', 'Read', ...(position === 'next' ? ['--continue'] : [])]
}
