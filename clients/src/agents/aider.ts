import type { Protocol, Run } from '../client.ts'
import { createAgent } from './agent.ts'

/** It does not speak Responses. */
type Spoken = Exclude<Protocol, 'responses'>

interface Mode {
  /** The prefix of LiteLLM, which Aider uses, for models of this protocol. */
  readonly prefix: string
  readonly connect: string
  readonly env: (run: Run) => { readonly [name: string]: string }
}

const MODE_OF: Readonly<Record<Spoken, Mode>> = {
  chat: {
    prefix: 'openai',
    connect: `
export OPENAI_API_BASE=http://127.0.0.1:8080/api/v1
export OPENAI_API_KEY=$(cat data/local-key)
aider --model openai/anthropic/claude-sonnet-4.5`,
    env: ({ url, key }) => ({ OPENAI_API_BASE: `${url}/api/v1`, OPENAI_API_KEY: key }),
  },
  messages: {
    prefix: 'anthropic',
    connect: `
export ANTHROPIC_BASE_URL=http://127.0.0.1:8080/api/anthropic
export ANTHROPIC_API_KEY=$(cat data/local-key)
aider --model anthropic/openai/gpt-5.4`,
    env: ({ url, key }) => ({ ANTHROPIC_BASE_URL: `${url}/api/anthropic`, ANTHROPIC_API_KEY: key }),
  },
  genai: {
    prefix: 'gemini',
    connect: `
export GEMINI_API_BASE=http://127.0.0.1:8080/api/vertex-ai/v1beta
export GEMINI_API_KEY=$(cat data/local-key)
aider --model gemini/openai/gpt-5.4`,
    env: ({ url, key }) => ({ GEMINI_API_BASE: `${url}/api/vertex-ai/v1beta`, GEMINI_API_KEY: key }),
  },
}

/** Aider has no tools: it writes files by what the model answers, and stores no signatures. */
export const aiders = (['chat', 'messages', 'genai'] as const).map((protocol) => {
  const { prefix, connect, env } = MODE_OF[protocol]
  return createAgent({
    name: `aider-${protocol}`,
    title: `Aider, \`${prefix}\``,
    language: 'python',
    kind: 'editor',
    pins: 'aider-chat',
    program: 'aider',
    protocol,
    echoes: 'calls',
    connect,
    // Otherwise prices are downloaded at every start.
    env: (run) => ({ ...env(run), LITELLM_LOCAL_MODEL_COST_MAP: 'True' }),
    args: ({ model }, prompt, position) => [
      '--model',
      `${prefix}/${model}`,
      '--yes-always',
      '--no-git',
      '--no-check-update',
      ...(position === 'next' ? ['--restore-chat-history'] : []),
      '--message',
      prompt,
      'first.txt',
    ],
  })
})
